"""Watching: a thread in which a camera's frames become changes of the game."""

import logging
import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from scorer.errors import BadInput
from scorer.events import See
from webui.camera import CameraState
from webui.session import Session

WAIT_SECONDS = 0.5
log = logging.getLogger("cairn")


class Frame(Protocol):
    """A picture, and the bytes it came as if those were JPEG."""

    @property
    def number(self) -> int: ...

    @property
    def image(self) -> Any: ...

    @property
    def jpeg(self) -> bytes | None: ...


class Source(Protocol):
    """A camera that never makes anybody wait for ever."""

    @property
    def state(self) -> str: ...

    def newest(self, after: int, timeout: float) -> Frame | None: ...

    def preview(self) -> Frame: ...

    def close(self) -> None: ...


class Reading(Protocol):
    """What lies in a slot."""

    @property
    def state(self) -> str: ...

    @property
    def card(self) -> str | None: ...

    @property
    def sure(self) -> bool: ...

    @property
    def also(self) -> tuple[str, ...]: ...


class Change(Protocol):
    """Something that has settled on the table."""

    def readings(self) -> Sequence[tuple[str, Reading]]: ...


class Watcher(Protocol):
    """What makes changes of frames."""

    def see(self, image: Any) -> Sequence[Change]: ...

    def crop(self, slot: str) -> Any: ...


class Watching:
    """A camera that tells a session what it sees, until it is closed."""

    def __init__(
        self,
        session: Session,
        source: Source,
        watcher: Watcher,
        to_jpeg: Callable[[Any], bytes],
    ) -> None:
        self._session = session
        self._source = source
        self._watcher = watcher
        self._to_jpeg = to_jpeg
        self._looking = threading.Lock()
        self._seen_any = False
        self._closed = False
        self._thread = threading.Thread(target=self._watch, name="watching", daemon=True)
        self._thread.start()

    @property
    def state(self) -> CameraState:
        """A film that is over is no more use than a camera that is lost."""
        return "live" if self._source.state == "live" else "lost"

    def latest_jpeg(self) -> bytes:
        """The newest picture, or one that says that the camera is lost."""
        frame = self._source.preview()
        return frame.jpeg or self._to_jpeg(frame.image)

    def crop_jpeg(self, slot: str) -> bytes | None:
        """One slot of the newest picture."""
        if not self._seen_any:
            return None
        with self._looking:
            try:
                crop = self._watcher.crop(slot)
            except KeyError:
                return None
        return self._to_jpeg(crop)

    def close(self) -> None:
        """Stop watching and let the camera go."""
        self._closed = True
        self._source.close()
        self._thread.join()

    def _watch(self) -> None:
        number, state = 0, self.state
        while not self._closed:
            frame = self._source.newest(number, WAIT_SECONDS)
            if frame is not None:
                number = frame.number
                self._look(frame)
            if self.state != state:
                state = self.state
                self._session.tell()

    def _look(self, frame: Frame) -> None:
        """One bad frame, or a slot that this game does not have, must not end the watching."""
        try:
            with self._looking:
                changes = self._watcher.see(frame.image)
                self._seen_any = True
            for change in changes:
                seen = [See(s, r.state, r.card, r.sure, r.also) for s, r in change.readings()]
                if seen and not self._closed:
                    self._session.see(seen)
        except BadInput as error:
            log.warning("%s", error)
        except Exception:
            log.exception("frame %s could not be looked at", frame.number)
