"""What the session asks of a camera; it runs just as well without one."""

from typing import Literal, Protocol

CameraState = Literal["starting", "live", "lost", "astray", "ended", "other-table", "none"]


class Camera(Protocol):
    """Something that watches the table and gives the session what it settled on."""

    @property
    def slots(self) -> frozenset[str]:
        """The slots it watches; none if its table was never calibrated."""
        ...

    @property
    def state(self) -> CameraState:
        """Whether pictures arrive, and whether the table is where it was."""
        ...

    def latest_jpeg(self) -> bytes | None:
        """The table now; while the camera is lost, a picture that says so."""
        ...

    def crop_jpeg(self, slot: str) -> bytes | None:
        """One slot of the latest picture, None if there is none yet."""
        ...

    def close(self) -> None:
        """Let the camera go."""
        ...
