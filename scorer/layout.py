"""Layouts as a graph: which slots lie on which tile, next to each other, opposite each other."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True)
class Layout:
    """The slots of one kind of table.

    `ring` is all slots once round the table; each one's neighbours stand before and after it.
    `centres` are in the unit of the layout, x to the right, y towards the near side; `sizes` are
    (width, height) of a slot before it is turned.
    """

    slots: tuple[str, ...]
    tiles: Mapping[int, tuple[str, ...]]
    tile_of: Mapping[str, int]
    ring: tuple[str, ...]
    opposite: Mapping[str, str]
    suggested_start: tuple[str, ...]
    centres: Mapping[str, tuple[float, float]]
    sizes: Mapping[str, tuple[float, float]]
    turned: frozenset[str]

    def neighbours(self, slot: str, *, across_tiles: bool) -> tuple[str, ...]:
        """The slots before and after this one, perhaps only those on its own tile."""
        at = self.ring.index(slot)
        both = (self.ring[at - 1], self.ring[(at + 1) % len(self.ring)])
        return tuple(s for s in both if across_tiles or self.tile_of[s] == self.tile_of[slot])

    def side_of(self, slot: str, neighbour: str) -> str:
        """Where a neighbour lies, as the camera sees it; a turned slot has a far and a near one."""
        (x, y), (other_x, other_y) = self.centres[slot], self.centres[neighbour]
        if slot in self.turned:
            return "far" if other_y < y else "near"
        return "left" if other_x < x else "right"


def layout_from_data(data: Mapping[str, Any]) -> Layout:
    """The graph of a game's own layout file."""
    tiles = {int(tile): tuple(slots) for tile, slots in data["tiles"].items()}
    return Layout(
        slots=tuple(data["slots"]),
        tiles=MappingProxyType(tiles),
        tile_of=MappingProxyType({s: tile for tile, slots in tiles.items() for s in slots}),
        ring=tuple(data["ring"]),
        opposite=MappingProxyType(dict(_both_ways(data["opposites"]))),
        suggested_start=tuple(data["start"]),
        centres=MappingProxyType({s: (at["x"], at["y"]) for s, at in data["slots"].items()}),
        sizes=MappingProxyType({s: (at["w"], at["h"]) for s, at in data["slots"].items()}),
        turned=frozenset(s for s, at in data["slots"].items() if at["turn"] % 180),
    )


def _both_ways(pairs: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    for one, other in pairs:
        yield one, other
        yield other, one
