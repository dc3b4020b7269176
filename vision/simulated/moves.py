"""What people do at the simulated table, as a plain list handed in from outside."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Lay:
    """A hand brings a card (or "face-down") and leaves it in a slot."""

    seat: int
    slot: str
    card: str


@dataclass(frozen=True)
class Take:
    """A hand takes the card of a slot away."""

    seat: int
    slot: str


@dataclass(frozen=True)
class Carry:
    """A hand takes the card of one slot and leaves it in another."""

    seat: int
    slot: str
    to_slot: str


@dataclass(frozen=True)
class TurnOver:
    """A hand turns the card of a slot over, so that it then shows `card`."""

    seat: int
    slot: str
    card: str


@dataclass(frozen=True)
class PutShield:
    """A hand puts a shield on the tile of a slot."""

    seat: int
    slot: str


@dataclass(frozen=True)
class Hover:
    """A hand reaches over a slot, stays for some seconds and touches nothing."""

    seat: int
    slot: str
    seconds: float = 1.0


@dataclass(frozen=True)
class Knock:
    """The camera is knocked: the picture moves by pixels and turns by degrees, and stays so."""

    shift: tuple[float, float]
    turn: float = 0.0


@dataclass(frozen=True)
class Wait:
    """Nobody moves."""

    seconds: float


Move = Lay | Take | Carry | TurnOver | PutShield | Hover | Knock | Wait
