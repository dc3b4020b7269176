"""Cards: `colour-rank` names of any words, and the decks they come from."""

from dataclasses import dataclass
from functools import lru_cache

from scorer.strict import Json

FACE_DOWN = "face-down"
LONGEST_NAME = 40


@dataclass(frozen=True, order=True)
class Card:
    """One card by its two properties. Its name is `colour-rank`."""

    colour: str
    rank: str

    def __str__(self) -> str:
        return f"{self.colour}-{self.rank}"

    def matches(self, other: "Card") -> bool:
        """Whether the two share their colour or their rank."""
        return self.colour == other.colour or self.rank == other.rank


@lru_cache(maxsize=4096)
def parse_card(name: str) -> Card | None:
    """The card of a name, or None if the name is none (`face-down` is none)."""
    colour, dash, rank = name.rpartition("-")
    words = bool(dash and colour and rank) and not any(c.isspace() or c in ",=" for c in name)
    if not words or len(name) > LONGEST_NAME or name == FACE_DOWN or not name.isprintable():
        return None
    return Card(colour, rank)


def read_card(value: Json) -> str:
    """A card's name or `face-down`, checked."""
    name = value.value
    if not isinstance(name, str) or (name != FACE_DOWN and parse_card(name) is None):
        raise value.refusal('"colour-rank" or "face-down"')
    return name


def rank_value(rank: str) -> int | None:
    """What a rank counts, or None for a rank that is no plain number."""
    if rank.isascii() and rank.isdigit() and (rank == "0" or rank[0] != "0"):
        return int(rank)
    return None


@dataclass(frozen=True)
class Colour:
    """A deck's colour: how it looks, its symbol, and its word in each language."""

    name: str
    swatch: str
    symbol: str
    words: dict[str, str]


@dataclass(frozen=True)
class Deck:
    """Every colour in every rank, each card once."""

    colours: tuple[Colour, ...]
    ranks: tuple[str, ...]

    def cards(self) -> tuple[str, ...]:
        """All names, colour by colour."""
        return tuple(f"{colour.name}-{rank}" for colour in self.colours for rank in self.ranks)

    def without_ranks(self, ranks: frozenset[str]) -> "Deck":
        """The deck that is left when these ranks are taken out."""
        return Deck(self.colours, tuple(rank for rank in self.ranks if rank not in ranks))
