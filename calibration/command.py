"""`cairn calibrate`: files in, a table file, a picture and an answer for machines out."""

from pathlib import Path
from typing import Any

import cv2

from calibration.calibrate import calibrate, calibrate_from_corners
from calibration.corners import parse_corners
from calibration.errors import BadInput
from calibration.layout import Layout
from calibration.photo import Image, load_photo
from calibration.table import save_table


def run_calibrate(
    layout: Layout, empty: Path, backs: Path | None, corners: str | None, swap: bool, out: Path
) -> dict[str, Any]:
    """Calibrate from files, write the table and the picture, and say what was found."""
    if (backs is None) == (corners is None):
        raise BadInput("give one of --backs (a photograph) and --corners (four points)")
    photo = load_photo(empty)
    if backs is not None:
        result = calibrate(photo, load_photo(backs), layout, swap)
    else:
        result = calibrate_from_corners(photo, parse_corners(corners or ""), layout, swap)
    table = result.table
    save_table(table, out)
    return {
        "table": str(out),
        "picture": str(write_picture(result.picture, out)),
        "layout": layout.name,
        "slots": len(layout.slots),
        "found": len(table.found),
        "inferred": [] if backs is None else [s for s in layout.slots if s not in table.found],
        "occupied": [slot for slot in layout.slots if slot in table.occupied],
        "markers": sorted(table.markers),
        "problems": result.problems,
    }


def write_picture(picture: Image, out: Path) -> Path:
    """Write the picture that belongs to a table file, and say where."""
    path = out.with_name(out.name + ".png")
    try:
        data = cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 3])[1]
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise BadInput(f"{path}: cannot be written ({error.strerror}); choose another") from error
    return path
