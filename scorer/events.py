"""Events: all that can happen to a game, as data. A game is the list of its events."""

from collections.abc import Mapping
from dataclasses import dataclass

from scorer.game import Setting, Turn


@dataclass(frozen=True)
class SetSetting:
    """Who plays what, by which rulings. The first event of a game; later it corrects."""

    setting: Setting


@dataclass(frozen=True)
class SetStart:
    """All start cards at once."""

    cards: Mapping[str, str]


@dataclass(frozen=True)
class LayTurn:
    """A turn becomes turn number `at`: the next one, or a forgotten one further back."""

    at: int
    turn: Turn


@dataclass(frozen=True)
class ChangeTurn:
    """Turn `at` was another than recorded."""

    at: int
    turn: Turn


@dataclass(frozen=True)
class RemoveTurn:
    """Turn `at` never happened."""

    at: int


@dataclass(frozen=True)
class Accept:
    """The table leaves a finding as it is; `at` is its turn, None for the start cards."""

    at: int | None
    code: str


@dataclass(frozen=True)
class Undo:
    """Take the last event back."""


@dataclass(frozen=True)
class Redo:
    """Do again what was taken back last."""


@dataclass(frozen=True)
class See:
    """The camera saw a slot settle: `empty`, `card`, `face-down` or `covered`."""

    slot: str
    state: str
    card: str | None
    sure: bool
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answer:
    """A person says what lies in a slot; None: nothing does."""

    slot: str
    card: str | None


@dataclass(frozen=True)
class PutShield:
    """A player tapped a shield onto a tile, for their latest turn or for an earlier one."""

    player: int
    tile: int
    turn: int | None = None


@dataclass(frozen=True)
class BeginPlay:
    """All start cards lie there, whatever their number: the next card is a turn."""


@dataclass(frozen=True)
class AcceptDifference:
    """The table leaves a moved, missing or changed card as it is."""

    code: str
    slot: str


RecordEvent = SetSetting | SetStart | LayTurn | ChangeTurn | RemoveTurn | Accept | Undo | Redo
TableEvent = See | Answer | PutShield | BeginPlay | AcceptDifference
Event = RecordEvent | TableEvent
