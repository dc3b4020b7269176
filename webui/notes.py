"""Notes: what the page keeps beside a game's own events; they stand in the same journal."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from scorer.strict import Json

KINDS = ("seats", "standings", "imported")
LONGEST_DEVICE = 40


@dataclass(frozen=True)
class Seats:
    """Which browser sits in which seat, None for nobody's."""

    devices: tuple[str | None, ...]


@dataclass(frozen=True)
class Standings:
    """Whether the points are hidden until the end."""

    hidden: bool


@dataclass(frozen=True)
class Imported:
    """This game was played elsewhere and read from a record."""


Note = Seats | Standings | Imported


@dataclass(frozen=True)
class Notes:
    """All notes of a game so far."""

    devices: tuple[str | None, ...] = ()
    standings_hidden: bool = False
    imported: bool = False

    def seat_of(self, device: str) -> int | None:
        """The seat in which this browser sits."""
        return self.devices.index(device) if device in self.devices else None

    def with_note(self, note: Note) -> "Notes":
        """The notes after one more."""
        match note:
            case Seats():
                return replace(self, devices=note.devices)
            case Standings():
                return replace(self, standings_hidden=note.hidden)
            case Imported():
                return replace(self, imported=True)


def note_to_json(note: Note) -> dict[str, Any]:
    """What read_note reads back."""
    match note:
        case Seats():
            return {"event": "seats", "devices": list(note.devices)}
        case Standings():
            return {"event": "standings", "hidden": note.hidden}
        case Imported():
            return {"event": "imported"}


def is_note(data: Mapping[str, Any]) -> bool:
    """Whether this line of a journal is the page's and not the game's."""
    return data.get("event") in KINDS


def read_note(data: Json) -> Note:
    """A note from its JSON."""
    match data.value["event"]:
        case "seats":
            data.check_object(("event", "devices"))
            return Seats(tuple(_device(item) for item in data.at("devices").items(most=100)))
        case "standings":
            data.check_object(("event", "hidden"))
            return Standings(data.at("hidden").flag())
    data.check_object(("event",))
    return Imported()


def _device(data: Json) -> str | None:
    return None if data.value is None else data.text(most=LONGEST_DEVICE)
