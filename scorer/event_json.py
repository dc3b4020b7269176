"""Events as JSON, as the journal keeps them: written, and read strictly."""

from collections.abc import Callable, Mapping
from typing import Any

from scorer.cards import read_card
from scorer.events import (
    Accept,
    AcceptDifference,
    Answer,
    BeginPlay,
    ChangeTurn,
    Event,
    LayTurn,
    PutShield,
    Redo,
    RemoveTurn,
    See,
    SetSetting,
    SetStart,
    Undo,
)
from scorer.game import Setting
from scorer.record import (
    MOST_TURNS,
    read_setting,
    read_start,
    read_turn,
    setting_to_json,
    turn_to_json,
)
from scorer.strict import Json

MOST_ALTERNATIVES = 100
MOST_TILES = 1_000
SEEN_STATES = ("empty", "card", "face-down", "covered")


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
        case See():
            return {
                "event": "see",
                "slot": event.slot,
                "state": event.state,
                "card": event.card,
                "sure": event.sure,
                "also": list(event.also),
            }
        case Answer():
            return {"event": "answer", "slot": event.slot, "card": event.card}
        case PutShield():
            return {
                "event": "shield",
                "player": event.player,
                "tile": event.tile,
                "turn": event.turn,
            }
        case BeginPlay():
            return {"event": "begin"}
        case AcceptDifference():
            return {"event": "accept-difference", "code": event.code, "slot": event.slot}


def read_event(data: Json, setting: Setting | None) -> Event:
    """An event from its JSON; only the first, a setting, is read without a setting."""
    kind = str(data.value.get("event")) if isinstance(data.value, dict) else ""
    if kind == "setting":
        data.check_object(("event", "game", "players"), ("rulings",))
        return SetSetting(read_setting(data))
    if setting is None:
        raise data.refusal('a first event {"event": "setting", ...}')
    if kind not in READERS:
        raise data.refusal(f"an event of one of the kinds {', '.join(['setting', *READERS])}")
    return READERS[kind](data, setting)


def _read_start(data: Json, _: Setting) -> SetStart:
    data.check_object(("event", "start"))
    return SetStart(read_start(data.at("start")))


def _read_lay(data: Json, setting: Setting) -> LayTurn:
    data.check_object(("event", "at", "turn"))
    return LayTurn(_turn_number(data.at("at")), read_turn(data.at("turn"), setting))


def _read_change(data: Json, setting: Setting) -> ChangeTurn:
    data.check_object(("event", "at", "turn"))
    return ChangeTurn(_turn_number(data.at("at")), read_turn(data.at("turn"), setting))


def _read_remove(data: Json, _: Setting) -> RemoveTurn:
    data.check_object(("event", "at"))
    return RemoveTurn(_turn_number(data.at("at")))


def _read_accept(data: Json, _: Setting) -> Accept:
    data.check_object(("event", "at", "code"))
    return Accept(_turn_number_or_none(data.at("at")), data.at("code").text())


def _read_undo(data: Json, _: Setting) -> Undo:
    data.check_object(("event",))
    return Undo()


def _read_redo(data: Json, _: Setting) -> Redo:
    data.check_object(("event",))
    return Redo()


def _read_see(data: Json, _: Setting) -> See:
    data.check_object(("event", "slot", "state", "card", "sure", "also"))
    if data.at("state").value not in SEEN_STATES:
        raise data.at("state").refusal(" or ".join(SEEN_STATES))
    return See(
        slot=data.at("slot").text(),
        state=data.at("state").value,
        card=_card_or_none(data.at("card")),
        sure=data.at("sure").flag(),
        also=tuple(read_card(card) for card in data.at("also").items(MOST_ALTERNATIVES)),
    )


def _read_answer(data: Json, _: Setting) -> Answer:
    data.check_object(("event", "slot", "card"))
    return Answer(data.at("slot").text(), _card_or_none(data.at("card")))


def _read_shield(data: Json, setting: Setting) -> PutShield:
    data.check_object(("event", "player", "tile", "turn"))
    return PutShield(
        player=data.at("player").whole(0, len(setting.players) - 1, "a player's number"),
        tile=data.at("tile").whole(1, MOST_TILES, "a tile's number"),
        turn=_turn_number_or_none(data.at("turn")),
    )


def _read_begin(data: Json, _: Setting) -> BeginPlay:
    data.check_object(("event",))
    return BeginPlay()


def _read_accept_difference(data: Json, _: Setting) -> AcceptDifference:
    data.check_object(("event", "code", "slot"))
    return AcceptDifference(data.at("code").text(), data.at("slot").text())


READERS: Mapping[str, Callable[[Json, Setting], Event]] = {
    "start": _read_start,
    "lay": _read_lay,
    "change": _read_change,
    "remove": _read_remove,
    "accept": _read_accept,
    "undo": _read_undo,
    "redo": _read_redo,
    "see": _read_see,
    "answer": _read_answer,
    "shield": _read_shield,
    "begin": _read_begin,
    "accept-difference": _read_accept_difference,
}


def _card_or_none(data: Json) -> str | None:
    return None if data.value is None else read_card(data)


def _turn_number_or_none(data: Json) -> int | None:
    return None if data.value is None else _turn_number(data)


def _turn_number(data: Json) -> int:
    return data.whole(0, MOST_TURNS, "a turn's number")
