"""Layouts: where the slots lie on an ideal table, in one unit throughout, y down."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from calibration.errors import BadInput

Points = npt.NDArray[np.float32]

MOST_SLOTS = 1024


@dataclass(frozen=True)
class SlotShape:
    """A slot's rectangle: centre, size and turn in degrees clockwise."""

    x: float
    y: float
    w: float
    h: float
    turn: float = 0.0

    def corners(self) -> Points:
        """(4, 2) float32, clockwise from the top left of the unturned rectangle."""
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (self.w / 2, self.h / 2)
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        return np.asarray(half @ np.array([[c, s], [-s, c]]) + (self.x, self.y), np.float32)


@dataclass(frozen=True)
class Layout:
    """All slots of one kind of table. `tiles` names the slots that share a loose panel."""

    name: str
    size: tuple[float, float]
    slots: Mapping[str, SlotShape]
    tiles: Mapping[str, tuple[str, ...]]


def read_layout(path: Path) -> Layout:
    """The layout of a file, or BadInput with the place that is wrong."""
    try:
        data = json.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}); give a layout file") from error
    except ValueError as error:
        raise BadInput(f"{path}: is not JSON ({error}); give a layout file") from error
    return layout_from_json(data, str(path))


def layout_from_json(data: Any, source: str) -> Layout:
    """Check parsed JSON; keys beyond name, size, slots and tiles belong to a game."""
    if not isinstance(data, dict):
        raise BadInput(f"{source}: expected an object with name, size and slots")
    size = data.get("size")
    if not (isinstance(size, list) and len(size) == 2 and all(_positive(n) for n in size)):
        raise BadInput(f"{source}: size: expected [width, height], both above 0, got {size!r}")
    slots = data.get("slots")
    if not isinstance(slots, dict) or not 1 <= len(slots) <= MOST_SLOTS:
        raise BadInput(f"{source}: slots: expected an object of 1 to {MOST_SLOTS} slots")
    shapes = {name: _shape(shape, f"{source}: slots.{name}") for name, shape in slots.items()}
    tiles = _tiles(data.get("tiles", {}), shapes, source)
    return Layout(
        name=str(data.get("name", source)),
        size=(float(size[0]), float(size[1])),
        slots=MappingProxyType(shapes),
        tiles=MappingProxyType(tiles),
    )


def layout_to_json(layout: Layout) -> dict[str, Any]:
    """What layout_from_json reads back."""
    return {
        "name": layout.name,
        "size": list(layout.size),
        "slots": {
            name: {"x": s.x, "y": s.y, "w": s.w, "h": s.h, "turn": s.turn}
            for name, s in layout.slots.items()
        },
        "tiles": {tile: list(slots) for tile, slots in layout.tiles.items()},
    }


def _shape(data: Any, place: str) -> SlotShape:
    if not isinstance(data, dict):
        raise BadInput(f"{place}: expected an object with x, y, w and h, got {data!r}")
    for key in ("x", "y", "w", "h"):
        if not _number(data.get(key)):
            raise BadInput(f"{place}.{key}: expected a number, got {data.get(key)!r}")
    if not (_positive(data["w"]) and _positive(data["h"])):
        raise BadInput(f"{place}: w and h must be above 0")
    turn = data.get("turn", 0)
    if not _number(turn):
        raise BadInput(f"{place}.turn: expected degrees, got {turn!r}")
    x, y, w, h = (float(data[key]) for key in ("x", "y", "w", "h"))
    return SlotShape(x, y, w, h, float(turn))


def _tiles(data: Any, slots: Mapping[str, SlotShape], source: str) -> dict[str, tuple[str, ...]]:
    if not isinstance(data, dict):
        raise BadInput(f"{source}: tiles: expected an object of tile: [slots], got {data!r}")
    for tile, names in data.items():
        if not isinstance(names, list) or any(name not in slots for name in names):
            raise BadInput(f"{source}: tiles.{tile}: expected a list of this layout's slots")
    return {tile: tuple(names) for tile, names in data.items()}


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _positive(value: Any) -> bool:
    return _number(value) and value > 0
