"""What a game is to everything outside it: a setting, turns, and rules that judge them."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from scorer.cards import Deck
from scorer.findings import Finding
from scorer.layout import Layout
from scorer.strict import Json


@dataclass(frozen=True)
class Player:
    """Who sits where: a name and the colour of their shields."""

    name: str
    shields: str


@dataclass(frozen=True)
class Setting:
    """What is agreed before the first card: the game, who plays (the first starts), the rulings."""

    game: str
    players: tuple[Player, ...]
    rulings: Mapping[str, bool]


@dataclass(frozen=True)
class Turn:
    """A player laid a card (or `face-down`) in a slot; each game adds what else a turn has."""

    player: int
    slot: str
    card: str


@dataclass(frozen=True)
class State:
    """What lies on the table and whose turn it is; each game adds what it counts.

    `cards` are in the order they were laid; `stacks` hold players' marks by tile, oldest first.
    """

    cards: Mapping[str, str]
    stacks: Mapping[int, tuple[int, ...]]
    next_player: int | None


S = TypeVar("S", bound=State)
T = TypeVar("T", bound=Turn)


@dataclass(frozen=True)
class Award:
    """The cards that one mark takes."""

    player: int
    rank: int
    cards: tuple[str, ...]
    points: int


@dataclass(frozen=True)
class TileScore:
    """One tile's story: its stack, what each mark takes in turn, what nobody takes."""

    tile: int
    shields: tuple[int, ...]
    awards: tuple[Award, ...]
    unclaimed: tuple[str, ...]


@dataclass(frozen=True)
class PlayerScore:
    """A player's sum and place; equal places share."""

    player: int
    points: int
    cards: int
    place: int


@dataclass(frozen=True)
class Score:
    """Who has what, and why, tile by tile."""

    final: bool
    players: tuple[PlayerScore, ...]
    tiles: tuple[TileScore, ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """All players in the first place."""
        return tuple(p.player for p in self.players if p.place == 1)


@dataclass(frozen=True)
class Left:
    """What a player still has in hand and in front of them."""

    cards: int
    shields: int


Verdict = Literal["proven", "possible", "impossible"]


@dataclass(frozen=True)
class Claim:
    """What can be said of "I cannot place a card": of `unseen` cards `fitting` fit somewhere.

    Proven: none of them fits. Impossible: the hand is larger than the number that do not fit.
    Possible: the cards that lie open cannot tell.
    """

    verdict: Verdict
    unseen: int
    fitting: tuple[str, ...]


class Rules(ABC, Generic[S, T]):
    """The rules of one game for one setting. Pure: states in, states and findings out."""

    setting: Setting
    layout: Layout
    deck: Deck
    start_cards: int
    placements: int

    @abstractmethod
    def begin(self, start: Mapping[str, str]) -> tuple[S, tuple[Finding, ...]]:
        """The state after set-up, and what is wrong with the start cards."""

    @abstractmethod
    def play(self, state: S, turn: T) -> tuple[S, tuple[Finding, ...]]:
        """The state after a turn, and all that is wrong with the turn."""

    @abstractmethod
    def score(self, state: S) -> Score:
        """The score if the game ended now."""

    @abstractmethod
    def left(self, state: S) -> tuple[Left, ...]:
        """What each player has left; nobody has less than nothing."""

    @abstractmethod
    def slots_for(self, state: S, card: str) -> tuple[str, ...]:
        """The slots that take this card face up."""

    @abstractmethod
    def judge_claim(self, state: S, player: int) -> Claim:
        """What the open cards say of a player's "I cannot place a card"."""

    def unseen_cards(self, state: S) -> tuple[str, ...]:
        """Cards of this game that lie nowhere face up."""
        seen = set(state.cards.values())
        return tuple(card for card in self.deck.cards() if card not in seen)

    @abstractmethod
    def cards_for(self, state: S, slot: str) -> tuple[str, ...]:
        """The unseen cards that this slot takes face up."""


class Game(ABC, Generic[S, T]):
    """One game: its name, how many can play, its rulings with their defaults, its turns."""

    name: str
    players: range
    rulings: Mapping[str, bool]

    @abstractmethod
    def rules(self, setting: Setting) -> Rules[S, T]:
        """The rules for this number of players and these rulings."""

    @abstractmethod
    def lay(self, player: int, slot: str, card: str) -> T:
        """A turn of one card and nothing else."""

    @abstractmethod
    def put_shield(self, turn: T, tile: int) -> T:
        """The turn with one more shield, on that tile."""

    @abstractmethod
    def read_turn(self, data: Json, setting: Setting) -> T:
        """A turn from a record, or BadInput."""

    @abstractmethod
    def turn_to_json(self, turn: T) -> dict[str, Any]:
        """What read_turn reads back."""
