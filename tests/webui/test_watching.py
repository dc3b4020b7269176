"""Frames become changes of the game, and a camera that is lost is said to be."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from tests.webui.conftest import House
from webui.watching import Watching


@dataclass(frozen=True)
class Lies:
    state: str
    card: str | None = None
    sure: bool = True
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Settled:
    slots: tuple[tuple[str, Lies], ...]

    def readings(self) -> Sequence[tuple[str, Lies]]:
        return self.slots


@dataclass(frozen=True)
class Picture:
    """A frame whose picture is what there is to see in it."""

    number: int
    image: tuple[Settled, ...]
    jpeg: bytes | None = None


class Film:
    """A camera that shows one picture after the other as it is told to."""

    def __init__(self) -> None:
        self.state = "live"
        self.frames: list[Picture] = []
        self.came = threading.Condition()

    def show(self, *slots: tuple[str, Lies]) -> None:
        with self.came:
            self.frames.append(Picture(len(self.frames) + 1, (Settled(slots),)))
            self.came.notify_all()

    def newest(self, after: int, timeout: float) -> Picture | None:
        with self.came:
            self.came.wait_for(lambda: len(self.frames) > after, min(timeout, 0.02))
            return self.frames[after] if len(self.frames) > after else None

    def preview(self) -> Picture:
        return Picture(0, (), b"lost") if self.state == "lost" else Picture(0, ())

    def close(self) -> None:
        self.state = "ended"


class Eyes:
    """Sees at once what a picture shows."""

    def see(self, image: tuple[Settled, ...]) -> Sequence[Settled]:
        if any(slot == "blur" for settled in image for slot, _ in settled.slots):
            raise RuntimeError("a bad frame")
        return image

    def crop(self, slot: str) -> str:
        return {"1N1": "a slot"}[slot]


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 5
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def to_jpeg(image: object) -> bytes:
    return f"jpeg of {image}".encode()


def test_frames_become_changes_until_the_camera_is_lost_and_when_it_is_back(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    film, phone = Film(), house.phone()
    watching = Watching(house.session, film, Eyes(), to_jpeg)
    house.session.camera = watching
    assert phone.get("/camera/1N1.jpg").status_code == 404  # nothing was seen yet
    film.show(("1N2", Lies("card", "red-5")), ("2N2", Lies("covered")))
    until(lambda: phone.state()["cards"] == {"1N2": "red-5"})
    assert phone.state()["covered"] == ["2N2"]
    assert phone.get("/camera/1N1.jpg").data == b"jpeg of a slot"
    assert phone.get("/camera/9N9.jpg").status_code == 404
    film.show(("blur", Lies("empty")))
    film.show(("9N9", Lies("card", "red-5")))  # a slot that this game does not have
    film.show(("3N2", Lies("face-down")))
    until(lambda: "3N2" in phone.state()["cards"])
    assert "frame 2 could not be looked at" in caplog.text
    assert "slot 9N9" in caplog.text
    film.state = "lost"
    until(lambda: phone.state()["camera"] == "lost")
    assert phone.get("/camera.jpg").data == b"lost"
    film.state = "live"
    until(lambda: phone.state()["camera"] == "live")
    watching.close()
    assert [line["by"] for line in phone.get("/api/story").json["log"]].count("camera") == 2
