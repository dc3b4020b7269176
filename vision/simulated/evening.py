"""A simulated evening, ready to be watched: a table calibrated and a deck taught by photographs."""

from dataclasses import dataclass
from typing import Any

from calibration.calibrate import calibrate
from calibration.deck import Deck
from calibration.layout import Layout
from calibration.photo import Image
from calibration.table import Table
from calibration.teach import teach
from vision.simulated.deck import print_deck
from vision.simulated.table import SimulatedTable, set_table

RANKS = ("3", "4", "5", "6", "7", "8")


@dataclass(frozen=True)
class Evening:
    """The simulated table, and what calibrating and teaching made of its photographs."""

    simulated: SimulatedTable
    table: Table
    deck: Deck


def set_evening(
    layout: Layout,
    seed: int,
    grade: str,
    ranks: tuple[str, ...] = RANKS,
    size: tuple[int, int] = (1920, 1080),
) -> Evening:
    """Set a table, photograph it empty, with backs and with every card, and learn from that."""
    printed = print_deck(seed, ranks=ranks)
    simulated = set_table(seed, layout, printed, grade, size)
    empty, backs = simulated.empty_photo(1).image, simulated.backs_photo(2).image
    table = calibrate(empty, backs, layout).table
    photos, entries = show_cards(simulated, list(printed.faces))
    return Evening(simulated, table, teach(photos, entries, table).deck)


def show_cards(
    simulated: SimulatedTable, cards: list[str]
) -> tuple[dict[str, Image], list[dict[str, Any]]]:
    """Photographs of every card once, slot after slot, and what teach.json says of them."""
    names = list(simulated.slots)
    photos: dict[str, Image] = {}
    entries: list[dict[str, Any]] = []
    for number, first in enumerate(range(0, len(cards), len(names))):
        laid = dict(zip(names, cards[first : first + len(names)], strict=False))
        file = f"teach_{number + 1}.jpg"
        photos[file] = simulated.photo(laid, 10 + number, sloppiness=0.6).image
        entries.append({"photo": file, "cards": laid})
    return photos, entries
