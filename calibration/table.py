"""The Table: where every slot of this table lies in the picture, and how it looks when empty."""

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np

from calibration.errors import BadInput
from calibration.layout import Layout, Points, layout_from_json, layout_to_json
from calibration.photo import Image

KIND, VERSION = "cairn-table", 1

# A zip entry needs a date; a fixed one makes equal tables equal files.
_DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Table:
    """One calibrated set-up.

    `outlines`: slot -> (4, 2) float32 picture corners, clockwise, first the top left of the
    unturned layout rectangle. `empty`: (H, W, 3) uint8 BGR. `light`: slot -> (3,) float32, how
    bright the slot is lit in blue, green and red, the average slot being 1. `back`: (h, w, 3)
    uint8, a face-down card upright in the light of the average slot of `empty`; `back_spread`:
    (h, w) float32, how far single backs differ from it in grey levels. `found`: slots whose
    outline was seen, the others are inferred. `occupied`: slots where `empty` shows something
    lying. `markers`: ArUco id -> (4, 2) float32.
    """

    layout: Layout
    size: tuple[int, int]
    outlines: Mapping[str, Points]
    empty: Image
    light: Mapping[str, Points] = field(default_factory=dict)
    back: Image | None = None
    back_spread: Points | None = None
    found: frozenset[str] = frozenset()
    occupied: frozenset[str] = frozenset()
    markers: Mapping[int, Points] = field(default_factory=dict)


def save_table(table: Table, path: Path | str) -> None:
    """Write one file: a zip of table.json and pictures, so that it stays readable for years."""
    data = {
        "kind": KIND,
        "version": VERSION,
        "size": list(table.size),
        "layout": layout_to_json(table.layout),
        "outlines": {slot: _rounded(c, 3) for slot, c in table.outlines.items()},
        "light": {slot: _rounded(light, 4) for slot, light in table.light.items()},
        "found": sorted(table.found),
        "occupied": sorted(table.occupied),
        "markers": {str(id_): _rounded(c, 3) for id_, c in table.markers.items()},
    }
    quality = [
        *(cv2.IMWRITE_JPEG_QUALITY, 96),
        *(cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444),
    ]
    members = {
        "table.json": json.dumps(data, indent=1).encode(),
        "empty.jpg": _encoded(".jpg", table.empty, quality),
    }
    if table.back is not None:
        members["back.png"] = _encoded(".png", table.back)
    if table.back_spread is not None:
        spread = np.clip(np.round(table.back_spread), 0, 255).astype(np.uint8)
        members["back_spread.png"] = _encoded(".png", spread)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name, _DATE), content)
    try:
        Path(path).write_bytes(buffer.getvalue())
    except OSError as error:
        raise BadInput(f"{path}: cannot be written ({error.strerror}); choose another") from error


def load_table(path: Path | str) -> Table:
    """Read and check a table file; BadInput says what is wrong with it."""
    advice = "calibrate again with `cairn calibrate`"
    try:
        with zipfile.ZipFile(path) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}); give a table file") from error
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
        raise BadInput(f"{path}: is not a table file or is damaged; {advice}") from error
    try:
        data = json.loads(members["table.json"])
        kind, version = data["kind"], data["version"]
    except (KeyError, ValueError, TypeError) as error:
        raise BadInput(f"{path}: is not a table file; {advice}") from error
    if kind != KIND:
        raise BadInput(f"{path}: is not a table file; {advice}")
    if version != VERSION:
        raise BadInput(f"{path}: is a table of version {version}, expected {VERSION}; {advice}")
    layout = layout_from_json(data.get("layout"), f"{path}: layout")
    try:
        return _table(data, layout, members)
    except KeyError as error:
        raise BadInput(f"{path}: the table file is damaged (no {error} in it); {advice}") from error
    except (ValueError, TypeError, AttributeError, cv2.error) as error:
        raise BadInput(f"{path}: the table file is damaged ({error}); {advice}") from error


def _table(data: dict[str, Any], layout: Layout, members: Mapping[str, bytes]) -> Table:
    outlines = {slot: _points(c, (4, 2)) for slot, c in data["outlines"].items()}
    if outlines.keys() != layout.slots.keys():
        raise ValueError("outlines and layout name different slots")
    empty = _decoded(members["empty.jpg"], cv2.IMREAD_COLOR)
    size = (int(data["size"][0]), int(data["size"][1]))
    if empty.shape[:2] != size[::-1]:
        raise ValueError("the empty picture has another size")
    back = members.get("back.png")
    spread = members.get("back_spread.png")
    return Table(
        layout=layout,
        size=size,
        outlines=MappingProxyType({slot: outlines[slot] for slot in layout.slots}),
        empty=empty,
        light=MappingProxyType({s: _points(v, (3,)) for s, v in data["light"].items()}),
        back=None if back is None else _decoded(back, cv2.IMREAD_COLOR),
        back_spread=None
        if spread is None
        else _decoded(spread, cv2.IMREAD_GRAYSCALE).astype(np.float32),
        found=frozenset(map(str, data["found"])),
        occupied=frozenset(map(str, data["occupied"])),
        markers=MappingProxyType({int(i): _points(c, (4, 2)) for i, c in data["markers"].items()}),
    )


def _rounded(values: Points, digits: int) -> Any:
    return np.round(np.asarray(values, np.float64), digits).tolist()


def _points(values: Any, shape: tuple[int, ...]) -> Points:
    points = np.array(values, np.float32)
    if points.shape != shape or not np.isfinite(points).all():
        raise ValueError(f"expected numbers of shape {shape}")
    return points


def _encoded(kind: str, image: Image, options: list[int] | None = None) -> bytes:
    done, data = cv2.imencode(kind, image, options or [])
    if not done:
        raise ValueError(f"cannot encode {kind}")
    return data.tobytes()


def _decoded(data: bytes, flag: int) -> Image:
    image = cv2.imdecode(np.frombuffer(data, np.uint8), flag)
    if image is None:
        raise ValueError("a picture in it cannot be read")
    return np.ascontiguousarray(image, dtype=np.uint8)
