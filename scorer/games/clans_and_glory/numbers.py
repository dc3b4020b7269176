"""What the data files say for each number of players: layout, deck, hands, start cards."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from scorer.cards import Colour, Deck
from scorer.layout import Layout, layout_from_data


@dataclass(frozen=True)
class Numbers:
    """The set-up for one number of players (CG-3, CG-8 to CG-12)."""

    layout: Layout
    deck: Deck
    unseen: int
    start_cards_per_tile: int
    hands: tuple[int, ...]
    shields: int

    @property
    def start_cards(self) -> int:
        """How many cards lie face up before the first turn."""
        return self.start_cards_per_tile * len(self.layout.tiles)

    @property
    def placements(self) -> int:
        """How many turns a legal game has: the short hand plays last in every round (CG-19)."""
        return len(self.hands) * self.hands[-1]


@cache
def numbers_for(players: int) -> Numbers:
    """The numbers for 2, 3 or 4 players."""
    data = _read("numbers.json")
    own = data["players"][str(players)]
    return Numbers(
        layout=layout_from_data(_read(f"layout-{players}.json")),
        deck=whole_deck().without_ranks(frozenset(own["ranks_out"])),
        unseen=own["unseen"],
        start_cards_per_tile=own["start_cards_per_tile"],
        hands=tuple(own["hands"]),
        shields=data["shields"],
    )


@cache
def whole_deck() -> Deck:
    """All 42 cards (CG-1)."""
    data = _read("deck.json")
    return Deck(tuple(Colour(**colour) for colour in data["colours"]), tuple(data["ranks"]))


def _read(name: str) -> Any:
    return json.loads(files(__package__).joinpath(name).read_text("utf-8"))
