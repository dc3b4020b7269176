"""What the session asks of a camera; it runs just as well without one."""

from typing import Literal, Protocol

CameraState = Literal["live", "lost", "none"]


class Camera(Protocol):
    """Something that watches the table and gives the session what it settled on."""

    @property
    def state(self) -> CameraState:
        """Whether pictures arrive."""
        ...

    def latest_jpeg(self) -> bytes:
        """The table now; while the camera is lost, a picture that says so."""
        ...

    def crop_jpeg(self, slot: str) -> bytes | None:
        """One slot of the latest picture, None if there is none yet."""
        ...
