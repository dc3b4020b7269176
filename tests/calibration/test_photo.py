"""Any ordinary picture is loaded upright and in colour; what is not one is said in a sentence."""

import struct
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.errors import BadInput
from calibration.photo import Image, load_photo


def _picture(width: int = 640, height: int = 480) -> Image:
    """Smooth colours, red in the top left corner."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    picture = np.stack([255 * x / width, 255 * y / height, 255 - 200 * x / width], axis=2)
    picture[: height // 4, : width // 4] = (0, 0, 255)
    return picture.astype(np.uint8)


def _write(path: Path, picture: Image) -> Path:
    cv2.imwrite(str(path), picture)
    return path


def _with_exif_turn(jpeg: bytes, orientation: int) -> bytes:
    """The JPEG with an EXIF block that says how the camera was held."""
    entry = struct.pack(">HHIHH", 0x0112, 3, 1, orientation, 0)
    tiff = b"MM\x00*" + struct.pack(">I", 8) + struct.pack(">H", 1) + entry + b"\x00" * 4
    block = b"Exif\x00\x00" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + jpeg[2:]


@pytest.mark.parametrize("name", ["a.jpg", "a.png", "a.webp", "a.bmp"])
def test_ordinary_files(tmp_path: Path, name: str) -> None:
    photo = load_photo(_write(tmp_path / name, _picture()))
    assert photo.shape == (480, 640, 3)
    assert photo.dtype == np.uint8
    assert photo[20, 20, 2] > 240
    assert photo[20, 20, :2].max() < 20


def test_turned_as_exif_says(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.jpg", _picture())
    path.write_bytes(_with_exif_turn(path.read_bytes(), 6))
    photo = load_photo(path)
    assert photo.shape == (640, 480, 3)
    assert photo[20, -20, 2] > 240, "the red corner belongs to the top right"
    assert photo[20, -20, :2].max() < 20


def test_sixteen_bits_are_brought_down(tmp_path: Path) -> None:
    deep = _picture().astype(np.uint16) * 257
    photo = load_photo(_write(tmp_path / "a.png", deep))  # type: ignore[arg-type]
    assert photo.dtype == np.uint8
    assert np.abs(photo.astype(int) - _picture()).max() <= 1


def test_see_through_pictures_lose_that(tmp_path: Path) -> None:
    clear = np.dstack([_picture(), np.full((480, 640), 128, np.uint8)])
    assert load_photo(_write(tmp_path / "a.png", clear)).shape == (480, 640, 3)


def test_twelve_megapixels(tmp_path: Path) -> None:
    assert load_photo(_write(tmp_path / "a.jpg", _picture(4000, 3000))).shape == (3000, 4000, 3)


@pytest.mark.parametrize("name", ["a.jpg", "a.png", "a.webp", "a.bmp"])
def test_broken_off(tmp_path: Path, name: str) -> None:
    path = _write(tmp_path / name, _picture())
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(BadInput, match=r"breaks off in the middle; copy or take it again"):
        load_photo(path)


def test_bytes_after_the_end_do_no_harm(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.jpg", _picture())
    path.write_bytes(path.read_bytes() + b"a phone's own notes")
    assert load_photo(path).shape == (480, 640, 3)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"hello, this is no picture", "is not a picture"),
        (b"\x89PNG\r\n\x1a\nrubbish", "breaks off"),
        (b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00", "HEIC"),
    ],
)
def test_no_picture(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=words):
        load_photo(path)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        load_photo(tmp_path / "none.jpg")
    with pytest.raises(BadInput, match="cannot be read"):
        load_photo(tmp_path)


def test_grey(tmp_path: Path) -> None:
    grey = cv2.cvtColor(_picture(), cv2.COLOR_BGR2GRAY)
    with pytest.raises(BadInput, match="is a grey picture"):
        load_photo(_write(tmp_path / "a.png", grey))  # type: ignore[arg-type]


def test_too_small(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"is only 320 x 240 pixels; take at least"):
        load_photo(_write(tmp_path / "a.jpg", _picture(320, 240)))
