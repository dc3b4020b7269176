"""One frame of a camera, and what every kind of camera must do."""

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from calibration.photo import Image


class Gone(Exception):
    """The camera cannot be opened or has stopped; it may come back."""


class Ended(Exception):
    """There will never be another frame: a video file is over."""


@dataclass(frozen=True)
class Frame:
    """`image` is (H, W, 3) uint8 BGR; `jpeg` the bytes it came as, where it came as JPEG.

    `number` counts the frames of the source from 1; `name` is the file's name in a folder.
    """

    number: int
    name: str
    image: Image
    jpeg: bytes | None = None


@dataclass(frozen=True)
class Shot:
    """A frame as it arrives: a picture, or the bytes of one that need not be decoded yet."""

    name: str | None
    image: Image | None = None
    data: bytes | None = None

    def frame(self, number: int) -> Frame | None:
        """Decode it; None if the bytes are not a whole picture."""
        name = self.name or str(number)
        if self.image is not None:
            return Frame(number, name, self.image)
        image = decode(self.data or b"")
        if image is None:
            return None
        jpeg = self.data if self.data and self.data.startswith(b"\xff\xd8") else None
        return Frame(number, name, image, jpeg)


class Grabber(Protocol):
    """An open camera. Only the thread of its source touches it."""

    def words(self) -> str:
        """Resolution and rate in words, as far as they are known."""

    def grab(self) -> Shot | None:
        """The next frame; None if there is none yet. Raises Gone or Ended."""

    def close(self) -> None:
        """Let go of the camera."""


def decode(data: bytes) -> Image | None:
    """(H, W, 3) uint8 BGR of an encoded picture, or None if it is damaged or not complete."""
    if not whole(data):
        return None
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, np.uint8)


def whole(data: bytes) -> bool:
    """Whether the bytes of a JPEG or PNG go on to its end: half a picture still decodes."""
    if data.startswith(b"\xff\xd8"):
        return b"\xff\xd9" in data[-64:]
    if data.startswith(b"\x89PNG"):
        return b"IEND" in data[-16:]
    return len(data) > 0


def say_size(width: float, height: float, rate: float) -> str:
    """Resolution and rate in words; a rate of 0 is not known."""
    size = f"{width:.0f}x{height:.0f}"
    return f"{size}, {rate:.0f} frames a second" if 0 < rate < 1000 else size
