"""A simulated table and its two photographs, drawn once for all tests of calibration."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from calibration.layout import Layout, read_layout
from calibration.photo import Image
from vision.simulated import SimulatedTable, print_deck, set_table

GAME = Path(__file__).parents[2] / "scorer/games/clans_and_glory"


@dataclass(frozen=True)
class Shot:
    """A table photographed empty and with a card face down in every slot but the missing."""

    table: SimulatedTable
    layout: Layout
    empty: Image
    backs: Image


def shoot(seed: int, layout: Layout, row: float = 0.0, missing: tuple[str, ...] = ()) -> Shot:
    table = set_table(seed, layout, print_deck(seed), "gentle", (1440, 810), row)
    return Shot(
        table, layout, table.photo({}, 1).image, table.backs_photo(2, missing=missing).image
    )


@pytest.fixture(scope="session")
def two() -> Layout:
    return read_layout(GAME / "layout-2.json")


@pytest.fixture(scope="session")
def three() -> Layout:
    return read_layout(GAME / "layout-3.json")


@pytest.fixture(scope="session")
def shot(two: Layout) -> Shot:
    return shoot(1001, two)
