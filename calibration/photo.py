"""Photographs from files: any ordinary picture, upright and in colour, or a sentence why not."""

import struct
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from calibration.errors import BadInput

Image = npt.NDArray[np.uint8]

LEAST_LONG, LEAST_SHORT = 480, 360
MOST_PIXELS = 60_000_000


def load_photo(path: Path | str) -> Image:
    """(H, W, 3) uint8 BGR, turned upright as EXIF says; BadInput if no colour photograph."""
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}); give a photograph") from error
    return decode_photo(data, str(path))


def decode_photo(data: bytes, source: str) -> Image:
    """The same for a picture file's bytes; `source` names it in errors."""
    if not data:
        raise BadInput(f"{source}: is empty; give a photograph as JPEG or PNG")
    if data[4:8] == b"ftyp":
        raise BadInput(f"{source}: is a HEIC or video file; save the photograph as JPEG or PNG")
    if _ends_early(data):
        raise BadInput(f"{source}: the picture breaks off in the middle; copy or take it again")
    image = _decode(data)
    if image is None:
        raise BadInput(f"{source}: is not a picture; give a photograph as JPEG or PNG")
    check_size(image, source)
    if _is_grey(image):
        raise BadInput(
            f"{source}: is a grey picture; cards are told by their colours, take it in colour"
        )
    return image


def check_size(image: Image, source: str) -> None:
    """BadInput for a picture in which cards would be too small to tell apart."""
    height, width = image.shape[:2]
    if max(width, height) < LEAST_LONG or min(width, height) < LEAST_SHORT:
        raise BadInput(
            f"{source}: is only {width} x {height} pixels; take at least "
            f"{LEAST_LONG} x {LEAST_SHORT}, better 1920 x 1080"
        )


def _decode(data: bytes) -> Image | None:
    try:
        # IMREAD_COLOR turns the picture as EXIF says and brings 16 bits down to 8.
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    if image is None or image.shape[0] * image.shape[1] > MOST_PIXELS:
        return None
    return np.ascontiguousarray(image, dtype=np.uint8)


def _is_grey(image: Image) -> bool:
    small = image[:: max(1, image.shape[0] // 200), :: max(1, image.shape[1] // 200)]
    return int(np.ptp(small.astype(np.int16), axis=2).max()) == 0


def _ends_early(data: bytes) -> bool:
    """OpenCV fills the missing part of a broken-off file with grey and says nothing."""
    if data[:2] == b"\xff\xd8":
        return _jpeg_ends_early(data)
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        return _png_ends_early(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return len(data) < 8 + int(struct.unpack("<I", data[4:8])[0])
    if data[:2] == b"BM" and len(data) >= 6:
        return len(data) < int(struct.unpack("<I", data[2:6])[0])
    return False


def _jpeg_ends_early(data: bytes) -> bool:
    """No end marker after the first scan (a thumbnail before it has an end marker of its own)."""
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            return False
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if marker == 0xDA:
            return data.find(b"\xff\xd9", at) < 0
        at += 2 + int(struct.unpack(">H", data[at + 2 : at + 4])[0])
    return True


def _png_ends_early(data: bytes) -> bool:
    at = 8
    while at + 12 <= len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        if kind == b"IEND":
            return False
        at += 12 + int(length)
    return True
