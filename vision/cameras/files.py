"""Video files and folders of frames: played as if they were live, or read frame by frame."""

import re
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import cv2

from calibration.errors import BadInput
from vision.cameras.frame import Ended, Frame, Gone, Grabber, Shot, whole
from vision.cameras.webcam import capture_words, next_shot

PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".webp")
RATE = 15.0  # frames a second at which a folder is played


class Video:
    """A video file. `paced` plays it as fast as it was filmed."""

    def __init__(self, path: Path, paced: bool = True) -> None:
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise Gone("not a video that can be opened")
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        self._pace = Pace(rate if 0 < rate < 1000 else RATE) if paced else None

    def words(self) -> str:
        """Resolution and rate of the file."""
        return capture_words(self._capture)

    def grab(self) -> Shot:
        """The next frame, when it is time for it."""
        if self._pace:
            self._pace.wait()
        try:
            return next_shot(self._capture, "")
        except Gone as gone:
            raise Ended from gone

    def close(self) -> None:
        """Close the file."""
        self._capture.release()


class Folder:
    """A folder of pictures, in the order of their names; new ones may still be written to it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._pace = Pace(RATE)
        self._last: Key | None = None
        self._waiting: deque[Path] = deque()

    def words(self) -> str:
        """How it is played."""
        return f"folder of frames, {RATE:.0f} a second"

    def grab(self) -> Shot | None:
        """The next picture that is there completely; None if there is none yet."""
        if not self._waiting:
            self._waiting = self._new()
        while self._waiting:
            path = self._waiting.popleft()
            data = _bytes(path)
            # One that is still being written is passed over once a later one is there.
            if whole(data):
                self._last = _order(path)
                self._pace.wait()
                return Shot(path.name, data=data)
        return None

    def close(self) -> None:
        """Nothing is held open."""

    def _new(self) -> deque[Path]:
        try:
            paths = list_frames(self._path)
        except OSError as error:
            raise Gone(error.strerror or "the folder is gone") from error
        return deque(p for p in paths if self._last is None or _order(p) > self._last)


class Pace:
    """Lets `rate` frames a second through."""

    def __init__(self, rate: float) -> None:
        self._step = 1 / rate
        self._next = time.monotonic()

    def wait(self) -> None:
        """Sleep until it is time for the next frame; time that was lost is not made up for."""
        now = time.monotonic()
        if self._next > now:
            time.sleep(self._next - now)
        self._next = max(self._next, now - self._step) + self._step

    def is_late(self) -> bool:
        """Whether the next frame should have been through by now."""
        return time.monotonic() > self._next + self._step


def connect(path: Path) -> Grabber:
    """Open a video file or a folder as a live camera."""
    return Folder(path) if path.is_dir() else Video(path)


def read_frames(path: Path | str) -> Iterator[Frame]:
    """Every frame of a video file or a folder, none skipped, as fast as they are asked for."""
    path = Path(path)
    if path.is_dir():
        yield from _read_folder(path)
    elif path.is_file():
        yield from _read_video(path)
    else:
        raise BadInput(f"{path}: is not there; give a video file or a folder of frames")


def list_frames(folder: Path) -> list[Path]:
    """The pictures of a folder in the order of their names, 2.jpg before 10.jpg."""
    return sorted((p for p in folder.iterdir() if p.suffix.lower() in PICTURES), key=_order)


def _read_folder(folder: Path) -> Iterator[Frame]:
    paths = list_frames(folder)
    if not paths:
        raise BadInput(f"{folder}: holds no pictures; give a folder of .jpg or .png frames")
    for number, path in enumerate(paths, 1):
        frame = Shot(path.name, data=_bytes(path)).frame(number)
        # One damaged frame among many is what a full disk or a cut cable leaves.
        if frame is not None:
            yield frame


def _read_video(path: Path) -> Iterator[Frame]:
    try:
        video = Video(path, paced=False)
    except Gone as gone:
        raise BadInput(f"{path}: {gone}; give a video file or a folder of frames") from gone
    try:
        number = 0
        while True:
            number += 1
            frame = video.grab().frame(number)
            if frame is not None:
                yield frame
    except Ended:
        return
    finally:
        video.close()


Key = list[tuple[int, str]]


def _order(path: Path) -> Key:
    parts = re.findall(r"\d+|\D+", path.name)
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
