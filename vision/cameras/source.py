"""A Source: one thread reads the camera, whoever asks gets the newest frame, nobody ever hangs."""

import threading
import time
from collections.abc import Callable
from typing import Literal

from vision.cameras.frame import Ended, Frame, Gone, Grabber, Shot
from vision.cameras.lost import lost_picture

State = Literal["live", "lost", "ended"]

PATIENCE = 2.0  # seconds without a frame after which a camera counts as lost
RETRY = 0.5  # seconds between two tries to open it again
STUCK = 12.0  # seconds in one call after which its thread is given up and a new one starts
_IDLE = 0.03


class Source:
    """A camera of any kind. Opening, reading and closing happen in a thread of its own.

    `connect` opens the camera and may block or raise Gone; it is called again and again until
    it succeeds, and anew whenever the camera is lost.
    """

    def __init__(self, name: str, connect: Callable[[], Grabber]) -> None:
        self.name = name
        self._connect = connect
        self._changed = threading.Condition()
        self._shot: Shot | None = None
        self._frame: Frame | None = None
        self._number = 0
        self._words = ""
        self._trouble = "opening"
        self._ended = False
        self._closed = False
        self._came = self._beat = time.monotonic()
        self._turn = 0
        self._start()

    @property
    def state(self) -> State:
        """ "live", "lost" (it goes on by itself when the camera is back) or "ended"."""
        with self._changed:
            self._unstick()
            return self._state()

    def describe(self) -> str:
        """Name, resolution and rate in words, or what is wrong."""
        with self._changed:
            words = self._words if self._state() != "lost" else self._trouble
            return f"{self.name}: {words}" if words else self.name

    def newest(self, after: int, timeout: float) -> Frame | None:
        """The newest frame if its number is above `after`, else the next one within `timeout` s.

        Frames in between are skipped, so that a slow reader never falls behind.
        """
        until = time.monotonic() + timeout
        while True:
            with self._changed:
                self._unstick()
                while not self._fresh(after) and self._wait(until):
                    pass
                if not self._fresh(after):
                    return None
                shot, number, known = self._shot, self._number, self._frame
            if known is not None and known.number == number:
                return known
            frame = shot.frame(number) if shot is not None else None
            if frame is not None:
                with self._changed:
                    self._frame = frame
                return frame
            after = number

    def preview(self) -> Frame:
        """A frame to show: the newest, or while the camera is lost a picture that says so."""
        state, number = self.state, self._number
        if state != "lost":
            frame = self.newest(0, 0.0) or self._frame
            if frame is not None:
                return frame
        size = (1280, 720)
        if self._frame is not None:
            height, width = self._frame.image.shape[:2]
            size = (width, height)
        return Frame(number, "lost", lost_picture(f"No picture\n{self.describe()}", size))

    def close(self) -> None:
        """Let the camera go; returns at once even if its driver does not."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join(0.5)

    def _start(self) -> None:
        self._turn += 1
        self._beat = time.monotonic()
        self._thread = threading.Thread(
            target=self._run, args=(self._turn,), name=f"camera {self.name}", daemon=True
        )
        self._thread.start()

    def _state(self) -> State:
        if self._ended:
            return "ended"
        late = time.monotonic() - self._came > PATIENCE
        return "lost" if late or self._trouble else "live"

    def _fresh(self, after: int) -> bool:
        return self._number > after and self._shot is not None

    def _wait(self, until: float) -> bool:
        left = until - time.monotonic()
        if left <= 0 or self._closed:
            return False
        self._changed.wait(min(left, 1.0))
        return True

    def _unstick(self) -> None:
        # A driver that never returns cannot be stopped, only left behind.
        stuck = time.monotonic() - self._beat > STUCK
        if stuck and not (self._closed or self._ended):
            self._start()

    def _mine(self, turn: int) -> bool:
        with self._changed:
            self._beat = time.monotonic() if turn == self._turn else self._beat
            return turn == self._turn and not self._closed

    def _run(self, turn: int) -> None:
        while self._mine(turn):
            try:
                grabber = self._connect()
            except Gone as gone:
                self._lose(turn, str(gone))
                continue
            try:
                self._read(turn, grabber)
            except Gone as gone:
                self._lose(turn, str(gone))
            except Ended:
                self._end(turn)
                return
            finally:
                grabber.close()

    def _read(self, turn: int, grabber: Grabber) -> None:
        while self._mine(turn):
            shot = grabber.grab()
            with self._changed:
                if turn != self._turn:
                    return
                if shot is None:
                    self._ended, self._trouble = True, ""
                    self._changed.wait(_IDLE)
                    continue
                self._shot = shot
                self._number += 1
                self._words, self._trouble, self._ended = grabber.words(), "", False
                self._came = time.monotonic()
                self._changed.notify_all()

    def _lose(self, turn: int, trouble: str) -> None:
        with self._changed:
            if turn == self._turn:
                self._trouble = f"lost ({trouble}), trying again"
                self._changed.wait(RETRY)

    def _end(self, turn: int) -> None:
        with self._changed:
            if turn == self._turn:
                self._ended, self._trouble = True, ""
                self._changed.notify_all()
