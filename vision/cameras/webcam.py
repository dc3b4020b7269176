"""USB webcams, by number."""

import platform
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.cameras.frame import Gone, Shot, say_size

# A camera that is not there is said once by its source, not by the driver at every try.
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)

# Best first; a camera that refuses a size answers with another.
_SIZES = ((3840, 2160), (2560, 1440), (1920, 1080), (1600, 1200), (1280, 960), (1280, 720))
_MOST_PROBED = 6


@dataclass(frozen=True)
class CameraName:
    """`text` is what open_source takes, `name` what the camera calls itself."""

    text: str
    name: str


class Webcam:
    """An open webcam."""

    def __init__(self, number: int) -> None:
        self._capture = cv2.VideoCapture(number)
        if not self._capture.isOpened():
            raise Gone(f"no camera answers as number {number}")
        # Motion JPEG is what lets most webcams send more than a few large frames a second.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        for width, height in _SIZES:
            self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
            self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
            if self._capture.get(cv2.CAP_PROP_FRAME_WIDTH) == width:
                break
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def words(self) -> str:
        """Resolution and rate as the driver says."""
        return capture_words(self._capture)

    def grab(self) -> Shot:
        """The next frame."""
        return next_shot(self._capture, "unplugged?")

    def close(self) -> None:
        """Let go of the camera."""
        self._capture.release()


def capture_words(capture: cv2.VideoCapture) -> str:
    """Resolution and rate of an open capture in words."""
    width, height, rate = (
        capture.get(key)
        for key in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT, cv2.CAP_PROP_FPS)
    )
    return say_size(width, height, rate)


def next_shot(capture: cv2.VideoCapture, trouble: str) -> Shot:
    """The next frame of an open capture, or Gone with the trouble."""
    done, image = capture.read()
    if not done or image is None:
        raise Gone(trouble)
    if image.ndim == 2:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    return Shot(None, np.asarray(image, np.uint8))


def list_cameras(devices: Path = Path("/sys/class/video4linux")) -> list[CameraName]:
    """The webcams that are plugged in. Where the system does not list them, they are tried."""
    if platform.system() == "Linux":
        return _listed(devices)
    found = []
    for number in range(_MOST_PROBED):
        capture = cv2.VideoCapture(number)
        if capture.isOpened():
            found.append(CameraName(str(number), f"camera {number}"))
        capture.release()
    return found


def _listed(devices: Path) -> list[CameraName]:
    found = []
    for device in sorted(devices.glob("video*"), key=lambda path: int(path.name[5:] or 0)):
        # A camera's further nodes carry its metadata, not pictures.
        if _text(device / "index") in ("", "0"):
            name = _text(device / "name") or device.name
            found.append(CameraName(device.name[5:], name))
    return found


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8").strip()
    except OSError:
        return ""
