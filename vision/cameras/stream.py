"""Network streams: Motion JPEG and snapshots over HTTP read here, all else (RTSP) by FFmpeg."""

import base64
import http.client
import time
import urllib.error
import urllib.parse
import urllib.request

import cv2

from vision.cameras.frame import Gone, Grabber, Shot
from vision.cameras.webcam import capture_words, next_shot

TIMEOUT = 2.0  # seconds without a byte after which a stream counts as gone
_MOST_BYTES = 64 << 20
_MOST_LINES = 200
_TROUBLE = (OSError, http.client.HTTPException, urllib.error.URLError, ValueError)


def connect(url: str) -> Grabber:
    """Open a stream the way its answer asks for."""
    if not url.startswith(("http://", "https://")):
        return FfmpegStream(url)
    answer = _ask(url)
    kind = answer.headers.get_content_type()
    if kind.startswith("multipart/"):
        return MotionJpeg(answer)
    answer.close()
    return Snapshots(url) if kind.startswith("image/") else FfmpegStream(url)


class MotionJpeg:
    """JPEGs one after the other in one endless HTTP answer."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self._answer = answer

    def words(self) -> str:
        """The kind of stream; its resolution is known only to who decodes it."""
        return "Motion JPEG stream"

    def grab(self) -> Shot:
        """The next picture, not yet decoded."""
        try:
            length = self._skip_headers()
            data = self._answer.read(length) if length else self._read_jpeg()
        except _TROUBLE as error:
            raise Gone(_reason(error)) from error
        if not data or (length and len(data) < length):
            raise Gone("the stream ended")
        return Shot(None, data=data)

    def close(self) -> None:
        """Hang up."""
        self._answer.close()

    def _skip_headers(self) -> int:
        """Read up to the empty line before a picture; its length, 0 if that is not told."""
        length = None
        headers = 0
        for _ in range(_MOST_LINES):
            line = self._answer.readline(4096)
            if not line:
                raise Gone("the stream ended")
            key, _, value = line.partition(b":")
            if key.strip().lower() == b"content-length" and value.strip().isdigit():
                length = int(value)
            headers += bool(line.strip())
            if not line.strip() and headers:
                if length is not None and not 0 < length <= _MOST_BYTES:
                    raise Gone(f"a frame of {length} bytes")
                return length or 0
        raise Gone("not a Motion JPEG stream")

    def _read_jpeg(self) -> bytes:
        """Up to the end mark, where the length is not told."""
        data = bytearray()
        while len(data) < _MOST_BYTES:
            byte_line = self._answer.readline(65536)
            if not byte_line:
                return b""
            data += byte_line
            end = data.find(b"\xff\xd9", max(0, len(data) - len(byte_line) - 1))
            if end >= 0:
                return bytes(data[: end + 2])
        raise Gone("a frame without end")


class Snapshots:
    """A camera that gives one picture a request."""

    PAUSE = 0.1

    def __init__(self, url: str) -> None:
        self._url = url

    def words(self) -> str:
        """The kind of stream."""
        return "one picture after the other"

    def grab(self) -> Shot:
        """Ask for the next picture."""
        time.sleep(self.PAUSE)
        try:
            with _ask(self._url) as answer:
                return Shot(None, data=answer.read(_MOST_BYTES))
        except _TROUBLE as error:
            raise Gone(_reason(error)) from error

    def close(self) -> None:
        """Nothing is held open between requests."""


class FfmpegStream:
    """Whatever FFmpeg can open: RTSP above all."""

    def __init__(self, url: str) -> None:
        wait = round(TIMEOUT * 2000)
        self._capture = cv2.VideoCapture(
            url,
            cv2.CAP_FFMPEG,
            [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, wait, cv2.CAP_PROP_READ_TIMEOUT_MSEC, wait],
        )
        if not self._capture.isOpened():
            raise Gone("the stream does not answer")
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def words(self) -> str:
        """Resolution and rate of the stream."""
        return capture_words(self._capture)

    def grab(self) -> Shot:
        """The next frame."""
        return next_shot(self._capture, "the stream stopped")

    def close(self) -> None:
        """Hang up."""
        self._capture.release()


def _ask(url: str) -> http.client.HTTPResponse:
    parts = urllib.parse.urlsplit(url)
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    request = urllib.request.Request(bare)
    if parts.username:
        secret = f"{parts.username}:{parts.password or ''}".encode()
        request.add_header("Authorization", "Basic " + base64.b64encode(secret).decode())
    try:
        answer: http.client.HTTPResponse = urllib.request.urlopen(request, timeout=TIMEOUT)
    except _TROUBLE as error:
        raise Gone(_reason(error)) from error
    return answer


def _reason(error: Exception) -> str:
    if isinstance(error, urllib.error.HTTPError):
        return f"the camera answers {error.code} {error.reason}"
    if isinstance(error, urllib.error.URLError) and isinstance(error.reason, OSError):
        error = error.reason
    if isinstance(error, TimeoutError):
        return "no answer"
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or "no answer"
