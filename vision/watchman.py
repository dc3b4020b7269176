"""Watch a source in a thread of its own: tell what settles, keep pictures at hand."""

import logging
import threading
from collections.abc import Callable
from typing import Literal

import cv2
import numpy as np

from calibration.photo import Image
from calibration.table import Table
from vision.cameras import Frame, Source
from vision.changes import Change
from vision.watch import Watcher

State = Literal["live", "lost", "astray", "ended"]

_PATIENCE = 0.5  # seconds to wait for a frame before looking whether the camera is still there
_QUALITY = 80

log = logging.getLogger("cairn")


class Watchman:
    """`tell` hears of settled changes, `stir` of a camera that is lost or back; both in his thread.

    Without a watcher there are only pictures: a camera whose table was never calibrated. `slots`
    are those he watches. `renewed` gives the table when it has been calibrated anew.
    """

    def __init__(
        self,
        source: Source,
        watcher: Watcher | None,
        tell: Callable[[tuple[Change, ...]], None],
        stir: Callable[[], None],
        renewed: Callable[[], Table | None] = lambda: None,
    ) -> None:
        self.slots = frozenset[str]() if watcher is None else frozenset(watcher.slots)
        self._source = source
        self._watcher = watcher
        self._tell = tell
        self._stir = stir
        self._renewed = renewed
        self._looking = threading.Lock()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watchman", daemon=True)
        self._thread.start()

    @property
    def state(self) -> State:
        """Whether pictures arrive, and whether the table is where it was calibrated."""
        state = self._source.state
        astray = self._watcher is not None and self._watcher.astray
        return "astray" if state == "live" and astray else state

    def latest_jpeg(self) -> bytes:
        """The newest frame as JPEG; while the camera is lost, a picture that says so."""
        frame = self._source.preview()
        return frame.jpeg or _encode(frame.image)

    def crop_jpeg(self, slot: str) -> bytes | None:
        """A slot of the newest frame, upright, as JPEG."""
        if self._watcher is None or slot not in self.slots:
            return None
        with self._looking:
            return _encode(self._watcher.crop(slot))

    def close(self) -> None:
        """Stop watching and let the camera go."""
        self._closed.set()
        self._source.close()
        self._thread.join()

    def _watch(self) -> None:
        number, finished, before = 0, 0, self.state
        while not self._closed.is_set():
            frame = self._source.newest(number, _PATIENCE)
            if frame is not None:
                number = frame.number
                if self._watcher is not None:
                    self._look(self._watcher, frame)
            if self.state != before:
                before = self.state
                self._stir()
            if before == "ended" and frame is None and number > finished:
                # What the last frame shows must be told as well; a folder may still go on.
                finished = number
                if self._watcher is not None:
                    self._look(self._watcher, None)

    def _look(self, watcher: Watcher, frame: Frame | None) -> None:
        """Look at a frame, or make an end (None).

        One bad frame, or a game that does not want what is seen, must not end the watch.
        """
        try:
            with self._looking:
                table = self._renewed()
                if table is not None:
                    watcher.place(table)
                changes = watcher.finish() if frame is None else watcher.see(frame.image)
            if changes and not self._closed.is_set():
                self._tell(changes)
        except Exception:
            log.exception("frame %s could not be looked at", frame.name if frame else "after all")


def _encode(image: Image) -> bytes:
    _, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return np.asarray(jpeg).tobytes()
