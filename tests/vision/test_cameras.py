"""Cameras for real: a Motion JPEG server that stalls, video files, a folder still written to."""

import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.errors import BadInput
from calibration.photo import Image
from vision.cameras import Source, list_cameras, lost_picture, open_source, read_frames
from vision.cameras import source as source_module
from vision.cameras.frame import Shot

WAIT = 10.0


def picture(level: int, size: tuple[int, int] = (64, 48)) -> Image:
    """A plain grey picture; the level tells frames apart after any codec."""
    return np.full((size[1], size[0], 3), level, np.uint8)


def jpeg(level: int) -> bytes:
    return cv2.imencode(".jpg", picture(level))[1].tobytes()


def eventually(is_so: Callable[[], bool]) -> bool:
    """Whether it comes true within a generous time."""
    until = time.monotonic() + WAIT
    while time.monotonic() < until:
        if is_so():
            return True
        time.sleep(0.01)
    return False


class MjpegServer:
    """A camera on loopback. Clear `sending` and it stalls, set `refusing` and it is gone."""

    def __init__(self, lengths: bool = True) -> None:
        self.sending, self.refusing, self.over = (threading.Event() for _ in range(3))
        self.sending.set()
        self.level = 0
        camera = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if camera.refusing.is_set():
                    self.send_error(503)
                    return
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                try:
                    while not camera.over.is_set() and not camera.refusing.is_set():
                        if not camera.sending.wait(0.05):
                            continue
                        camera.level = (camera.level + 1) % 250
                        data = jpeg(camera.level)
                        length = f"Content-Length: {len(data)}\r\n" if lengths else ""
                        head = f"--frame\r\nContent-Type: image/jpeg\r\n{length}\r\n"
                        self.wfile.write(head.encode() + data + b"\r\n")
                        time.sleep(0.01)
                except OSError:
                    return

            def log_message(self, *args: object) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/video"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def server() -> Iterator[MjpegServer]:
    camera = MjpegServer()
    yield camera
    camera.stop()


@pytest.fixture
def opened() -> Iterator[Callable[[str], Source]]:
    sources: list[Source] = []

    def open_it(text: str) -> Source:
        sources.append(open_source(text))
        return sources[-1]

    yield open_it
    for source in sources:
        source.close()


def test_a_stream_gives_fresh_frames_with_their_jpeg(
    server: MjpegServer, opened: Callable[[str], Source]
) -> None:
    source = opened(server.url)
    first = source.newest(0, WAIT)
    assert first is not None
    assert first.image.shape == (48, 64, 3)
    assert first.jpeg is not None
    assert first.jpeg.startswith(b"\xff\xd8")
    later = source.newest(first.number, WAIT)
    assert later is not None
    assert later.number > first.number
    assert later.image.mean() > first.image.mean()
    assert source.state == "live"
    assert "Motion JPEG" in source.describe()


def test_a_slow_reader_skips_frames(server: MjpegServer, opened: Callable[[str], Source]) -> None:
    source = opened(server.url)
    first = source.newest(0, WAIT)
    assert first is not None
    assert eventually(lambda: server.level > first.image.mean() + 20)
    later = source.newest(first.number, WAIT)
    assert later is not None
    assert later.number > first.number + 5
    assert later.image.mean() > first.image.mean() + 5


def test_a_stream_that_stalls_is_lost_and_goes_on_by_itself(
    server: MjpegServer, opened: Callable[[str], Source], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_module, "PATIENCE", 0.3)
    source = opened(server.url)
    frame = source.newest(0, WAIT)
    assert frame is not None
    server.sending.clear()
    assert eventually(lambda: source.state == "lost")
    shown = source.preview()
    assert shown.name == "lost"
    assert shown.image.shape == frame.image.shape
    last = source.newest(0, 0.0)
    assert last is not None
    assert source.newest(last.number, 0.05) is None
    server.sending.set()
    assert source.newest(last.number, WAIT) is not None
    assert eventually(lambda: source.state == "live")
    assert source.preview().name != "lost"


def test_a_camera_that_is_switched_off_and_on_comes_back(
    server: MjpegServer, opened: Callable[[str], Source]
) -> None:
    server.refusing.set()
    source = opened(server.url)
    assert eventually(lambda: "503" in source.describe())
    assert source.state == "lost"
    assert source.newest(0, 0.05) is None
    server.refusing.clear()
    assert source.newest(0, WAIT) is not None


def test_a_stream_without_lengths_is_cut_at_the_end_of_each_jpeg(
    opened: Callable[[str], Source],
) -> None:
    server = MjpegServer(lengths=False)
    source = opened(server.url)
    first = source.newest(0, WAIT)
    assert first is not None
    assert source.newest(first.number, WAIT) is not None
    server.stop()


def test_a_password_is_sent_but_not_shown(opened: Callable[[str], Source]) -> None:
    asked: list[str | None] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.headers.get("Authorization"))
            data = jpeg(90)
            self.send_response(200)
            self.send_header("Content-Type", "image/jpeg")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    source = opened(f"http://me:secret@127.0.0.1:{server.server_address[1]}/snapshot.jpg")
    frame = source.newest(0, WAIT)
    server.shutdown()
    server.server_close()
    assert frame is not None
    assert abs(frame.image.mean() - 90) < 3
    assert asked[0] == "Basic bWU6c2VjcmV0"
    assert "secret" not in source.describe()


def test_nothing_hangs_on_a_camera_that_is_not_there(opened: Callable[[str], Source]) -> None:
    for text in ("97", "http://127.0.0.1:9/none", "rtsp://127.0.0.1:9/none"):
        source = opened(text)
        assert source.newest(0, 0.05) is None
        assert source.state == "lost"
        assert source.preview().name == "lost"


def test_a_driver_that_never_returns_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "STUCK", 0.2)
    block = threading.Event()
    tries: list[int] = []

    class Ready:
        def words(self) -> str:
            return "ready"

        def grab(self) -> Shot:
            time.sleep(0.01)
            return Shot(None, picture(7))

        def close(self) -> None:
            return

    def connect() -> Ready:
        tries.append(1)
        if len(tries) == 1:
            block.wait(WAIT)
        return Ready()

    source = Source("stubborn", connect)
    assert eventually(lambda: source.newest(0, 0.1) is not None)
    assert source.state == "live"
    assert len(tries) >= 2
    block.set()
    source.close()


@pytest.mark.parametrize(("codec", "suffix"), [("MJPG", ".avi"), ("mp4v", ".mp4")])
def test_a_video_is_read_frame_by_frame_and_played_to_its_end(
    codec: str, suffix: str, tmp_path: Path, opened: Callable[[str], Source]
) -> None:
    path = tmp_path / f"film{suffix}"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*codec), 30.0, (64, 48))
    assert writer.isOpened()
    for level in range(10, 210, 10):
        writer.write(picture(level))
    writer.release()
    frames = list(read_frames(path))
    assert [frame.number for frame in frames] == list(range(1, 21))
    levels = [float(frame.image.mean()) for frame in frames]
    assert np.allclose(levels, range(10, 210, 10), atol=6)

    source = opened(str(path))
    assert eventually(lambda: source.state == "ended")
    last = source.newest(0, WAIT)
    assert last is not None
    assert last.number == 20
    assert "64x48, 30 frames a second" in source.describe()
    assert source.preview().number == 20


def test_a_folder_is_followed_while_it_is_written(
    tmp_path: Path, opened: Callable[[str], Source]
) -> None:
    (tmp_path / "9.jpg").write_bytes(jpeg(30))
    (tmp_path / "notes.txt").write_text("not a frame")
    source = opened(str(tmp_path))
    first = source.newest(0, WAIT)
    assert first is not None
    assert first.name == "9.jpg"
    assert eventually(lambda: source.state == "ended")
    half = jpeg(60)
    (tmp_path / "10.jpg").write_bytes(half[:300])
    assert source.newest(first.number, 0.2) is None
    (tmp_path / "10.jpg").write_bytes(half)
    second = source.newest(first.number, WAIT)
    assert second is not None
    assert second.name == "10.jpg"
    assert abs(second.image.mean() - 60) < 3
    assert second.jpeg == half
    (tmp_path / "11.jpg").write_bytes(half[:300])
    (tmp_path / "12.jpg").write_bytes(jpeg(90))
    third = source.newest(second.number, WAIT)
    assert third is not None
    assert third.name == "12.jpg"


def test_a_folder_is_read_without_skipping_in_the_order_of_its_numbers(tmp_path: Path) -> None:
    for number in range(1, 13):
        (tmp_path / f"{number}.jpg").write_bytes(jpeg(number * 10))
    (tmp_path / "5.jpg").write_bytes(jpeg(50)[:200])
    names = [frame.name for frame in read_frames(tmp_path)]
    assert names == [f"{number}.jpg" for number in range(1, 13) if number != 5]


@pytest.mark.parametrize("what", ["missing", "empty", "text"])
def test_unusable_input_is_one_sentence(what: str, tmp_path: Path) -> None:
    path = tmp_path / what
    if what == "empty":
        path.mkdir()
    if what == "text":
        path.write_text("hello")
    with pytest.raises(BadInput, match="give a"):
        list(read_frames(path))
    if what != "empty":
        with pytest.raises(BadInput):
            open_source(str(path))


def test_cameras_are_listed_by_what_they_call_themselves(tmp_path: Path) -> None:
    for node, index, name in (("video0", "0", "Desk Cam"), ("video1", "1", "Desk Cam")):
        (tmp_path / node).mkdir()
        (tmp_path / node / "index").write_text(index + "\n")
        (tmp_path / node / "name").write_text(name + "\n")
    assert [(c.text, c.name) for c in list_cameras(tmp_path)] == [("0", "Desk Cam")]
    assert list_cameras(tmp_path / "none") == []


def test_the_lost_picture_carries_words() -> None:
    plain, spoken = lost_picture("", (640, 360)), lost_picture("No picture\ncamera 0", (640, 360))
    assert plain.shape == spoken.shape == (360, 640, 3)
    assert (plain != spoken).any(axis=2).sum() > 500
