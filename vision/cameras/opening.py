"""From what a person types to a Source."""

from collections.abc import Callable
from pathlib import Path

from calibration.errors import BadInput
from vision.cameras import files, stream
from vision.cameras.frame import Grabber
from vision.cameras.source import Source
from vision.cameras.webcam import Webcam

_SCHEMES = ("http://", "https://", "rtsp://", "rtsps://", "rtmp://", "udp://", "tcp://")


def open_source(text: str, simulated: Callable[[], Source] | None = None) -> Source:
    """A webcam's number, a stream's address, a video file, a folder of frames, or "simulated".

    Returns at once: a camera that does not answer is tried again until it does. `simulated`
    makes the simulated table's source, which needs more than a word.
    """
    text = text.strip()
    if text == "simulated" and simulated is not None:
        return simulated()
    if text.isdecimal():
        return Source(f"camera {text}", _webcam(int(text)))
    if text.lower().startswith(_SCHEMES):
        return Source(_without_password(text), lambda: stream.connect(text))
    path = Path(text)
    if not path.exists():
        raise BadInput(
            f"camera {text!r}: is no webcam number, stream address, video file or folder; "
            "try 0, http://..., rtsp://... or a path"
        )
    if path.is_file():
        # A file that is no video would never become one: say so at once.
        next(files.read_frames(path), None)
    return Source(path.name or text, lambda: files.connect(path))


def _webcam(number: int) -> Callable[[], Grabber]:
    return lambda: Webcam(number)


def _without_password(url: str) -> str:
    scheme, _, rest = url.partition("://")
    host = rest.split("/", 1)
    host[0] = host[0].rpartition("@")[2]
    return f"{scheme}://{'/'.join(host)}"
