"""Where the tiles of one table truly lie: never quite as the layout says, never quite in line."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from calibration.layout import Layout, SlotShape
from vision.simulated.scene import Points


@dataclass(frozen=True)
class Tiles:
    """`slots` as they lie on the table, and the corners (4, 2) of every loose panel."""

    slots: Mapping[str, SlotShape]
    panels: Mapping[str, Points]


def lay_tiles(layout: Layout, rng: np.random.Generator) -> Tiles:
    """Tiles of another print than the layout's (pitch and gap differ), each shifted and turned."""
    wide, high = rng.uniform(0.99, 1.12), rng.uniform(0.97, 1.2)
    slots = {
        name: replace(shape, x=shape.x * wide, y=shape.y * high)
        for name, shape in layout.slots.items()
    }
    groups = layout.tiles or {"all": tuple(slots)}
    margin = (rng.uniform(0.5, 1.5), rng.uniform(1.0, 12.0))
    panels: dict[str, Points] = {}
    for tile, names in groups.items():
        corners = np.concatenate([slots[name].corners() for name in names])
        low, high_corner = corners.min(0) - margin, corners.max(0) + margin
        middle = (low + high_corner) / 2
        shift = np.clip(rng.normal(0, 1.0, 2), -2.5, 2.5)
        turn = float(np.clip(rng.normal(0, 0.6), -1.5, 1.5))
        spin = _spin(turn)
        box = np.array(
            [low, (high_corner[0], low[1]), high_corner, (low[0], high_corner[1])], np.float64
        )
        panels[tile] = np.asarray((box - middle) @ spin + middle + shift, np.float32)
        for name in names:
            at = (np.array([slots[name].x, slots[name].y]) - middle) @ spin + middle + shift
            slots[name] = replace(
                slots[name], x=float(at[0]), y=float(at[1]), turn=slots[name].turn + turn
            )
    return Tiles(slots, panels)


def _spin(degrees: float) -> Points:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[c, s], [-s, c]], np.float32)
