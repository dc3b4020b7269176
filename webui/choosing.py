"""Choose the camera of an evening: the one that was named, a webcam, or the simulated table."""

from pathlib import Path

from vision.cameras import list_cameras
from webui.session import Session
from webui.simulated import SimulatedCamera
from webui.watching import open_camera


def choose_camera(
    session: Session, camera: str | None, table: Path | None, deck: Path | None
) -> str:
    """Let a camera watch the session's table; what to say about that."""
    if camera == "none":
        return "No camera: everything works by tapping."
    found = list_cameras() if camera is None else []
    if camera == "simulated" or (camera is None and not found):
        session.camera = simulated = SimulatedCamera(session, seed=1, speed=1.0)
        simulated.start()
        words = "The simulated table plays by itself" + ("." if camera else ": no webcam is here.")
        if table is not None or deck is not None:
            words += " It brings its own cards: --table and --deck are for a camera, not used now."
        return words
    open_camera(session, camera or found[0].text, table, deck)
    words = f"Camera: {camera or found[0].name}."
    if table is None or deck is None:
        words += " It only shows pictures: give --table and --deck (see cairn calibrate --help)."
    return words
