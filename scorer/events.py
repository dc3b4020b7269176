"""Events: all that can happen to a game, as data. A game is the list of its events."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scorer.game import Setting, Turn
from scorer.record import (
    MOST_TURNS,
    read_setting,
    read_start,
    read_turn,
    setting_to_json,
    turn_to_json,
)
from scorer.strict import Json


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


Event = SetSetting | SetStart | LayTurn | ChangeTurn | RemoveTurn | Accept | Undo | Redo


def event_to_json(event: Event, setting: Setting) -> dict[str, Any]:
    """What read_event reads back; turns are written as the setting's game writes them."""
    match event:
        case SetSetting():
            return {"event": "setting", **setting_to_json(event.setting)}
        case SetStart():
            return {"event": "start", "start": dict(event.cards)}
        case LayTurn():
            return {"event": "lay", "at": event.at, "turn": turn_to_json(event.turn, setting)}
        case ChangeTurn():
            return {"event": "change", "at": event.at, "turn": turn_to_json(event.turn, setting)}
        case RemoveTurn():
            return {"event": "remove", "at": event.at}
        case Accept():
            return {"event": "accept", "at": event.at, "code": event.code}
        case Undo():
            return {"event": "undo"}
        case Redo():
            return {"event": "redo"}


def read_event(data: Json, setting: Setting | None) -> Event:
    """An event from its JSON; only the first, a setting, is read without a setting."""
    kind = data.value.get("event") if isinstance(data.value, dict) else None
    if kind == "setting":
        data.check_object(("event", "game", "players"), ("rulings",))
        return SetSetting(read_setting(data))
    if setting is None:
        raise data.refusal('a first event {"event": "setting", ...}')
    match kind:
        case "start":
            data.check_object(("event", "start"))
            return SetStart(read_start(data.at("start")))
        case "lay" | "change":
            data.check_object(("event", "at", "turn"))
            make = LayTurn if kind == "lay" else ChangeTurn
            return make(_turn_number(data), read_turn(data.at("turn"), setting))
        case "remove":
            data.check_object(("event", "at"))
            return RemoveTurn(_turn_number(data))
        case "accept":
            data.check_object(("event", "at", "code"))
            at = None if data.at("at").value is None else _turn_number(data)
            return Accept(at, data.at("code").text())
        case "undo":
            data.check_object(("event",))
            return Undo()
        case "redo":
            data.check_object(("event",))
            return Redo()
    raise data.refusal("an event: setting, start, lay, change, remove, accept, undo or redo")


def _turn_number(data: Json) -> int:
    return data.at("at").whole(0, MOST_TURNS, "a turn's number")
