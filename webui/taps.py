"""Taps: what people do on the page, read from JSON and turned into changes of the game."""

from typing import Any

from flask import request

from scorer.cards import read_card
from scorer.errors import BadInput
from scorer.events import (
    Accept,
    AcceptDifference,
    Answer,
    ChangeTurn,
    LayTurn,
    PutShield,
    RemoveTurn,
    SetSetting,
)
from scorer.game import Player, Setting, Turn
from scorer.games import find_game
from scorer.record import MOST_TURNS, read_setting, read_turn, setting_to_json
from scorer.strict import Json, parse_json
from webui.errors import Refusal
from webui.kept import HOST, Change, KeptGame
from webui.notes import Seats, Standings
from webui.roles import Role, own_device, own_role
from webui.session import Tap

TAP = ("tap", "game", "number")
LONGEST_NAME = 24
MOST_EVENTS = 1_000_000


def read_body(*required: str, optional: tuple[str, ...] = ()) -> Json:
    """This request's JSON object with these keys, or BadInput."""
    if not request.is_json:
        raise BadInput("body: expected JSON with Content-Type application/json")
    body = parse_json(request.get_data(), "body")
    body.check_object(required, optional)
    return body


def read_tap(*keys: str, optional: tuple[str, ...] = ()) -> tuple[Tap, Json]:
    """This request's tap and its body, which has these keys beside the tap's own."""
    body = read_body(*TAP, *keys, optional=optional)
    tap = Tap(
        id=body.at("tap").text(most=40),
        game=body.at("game").whole(1, MOST_EVENTS),
        number=body.at("number").whole(0, MOST_EVENTS),
    )
    return tap, body


def who(kept: KeptGame) -> str:
    """How the journal names this visitor: their seat if they have one."""
    seat = kept.notes.seat_of(own_device())
    return HOST if seat is None else f"seat {seat}"


def check_seated(kept: KeptGame) -> None:
    """Who only watches changes nothing."""
    if own_role() < Role.HOST and kept.notes.seat_of(own_device()) is None:
        raise Refusal(403, "no-seat")


def check_own_seat(kept: KeptGame, player: int) -> None:
    """People tap for themselves; the host for anybody."""
    if own_role() < Role.HOST and kept.notes.seat_of(own_device()) != player:
        raise Refusal(403, "not-your-seat")


def lay_card(kept: KeptGame, body: Json) -> list[Change]:
    """A player's card in a slot; before play begins it is a start card."""
    slot, card = body.at("slot").text(), read_card(body.at("card"))
    if kept.live.phase == "set-up":
        check_seated(kept)
        return [Answer(slot, card)]
    setting = kept.live.timeline.setting
    player = body.at("player").whole(0, len(setting.players) - 1, "a player's number")
    check_own_seat(kept, player)
    turn = find_game(setting.game).lay(player, slot, card)
    return [LayTurn(kept.live.timeline.turns, turn)]


def put_shield(kept: KeptGame, body: Json) -> list[Change]:
    """A player's shield on a tile, for one turn; null: their latest."""
    players = len(kept.live.timeline.setting.players)
    player = body.at("player").whole(0, players - 1, "a player's number")
    check_own_seat(kept, player)
    tile = body.at("tile").whole(1, 1_000, "a tile's number")
    turn = None if body.at("turn").value is None else _turn_number(body)
    return [PutShield(player, tile, turn)]


def correct_slot(kept: KeptGame, body: Json) -> list[Change]:
    """What really lies in a slot; null: nothing."""
    check_seated(kept)
    card = None if body.at("card").value is None else read_card(body.at("card"))
    return [Answer(body.at("slot").text(), card)]


def accept_finding(kept: KeptGame, body: Json) -> list[Change]:
    """The table leaves a finding as it is; a difference is named by its slot."""
    check_seated(kept)
    code = body.at("code").text()
    if body.at("slot").value is not None:
        return [AcceptDifference(code, body.at("slot").text())]
    return [Accept(None if body.at("turn").value is None else _turn_number(body), code)]


def change_turn(kept: KeptGame, body: Json) -> list[Change]:
    """An earlier turn was another one."""
    check_seated(kept)
    return [ChangeTurn(_turn_number(body), _read_turn(kept, body))]


def insert_turn(kept: KeptGame, body: Json) -> list[Change]:
    """A turn that was forgotten."""
    check_seated(kept)
    return [LayTurn(_turn_number(body), _read_turn(kept, body))]


def remove_turn(kept: KeptGame, body: Json) -> list[Change]:
    """A turn that never happened."""
    check_seated(kept)
    return [RemoveTurn(_turn_number(body))]


def take_seat(kept: KeptGame, body: Json) -> list[Change]:
    """Sit down with a name and a shield colour; the seat after the last one is a new one."""
    setting = kept.live.timeline.setting
    players = list(setting.players)
    devices = _devices(kept)
    seat = body.at("seat").whole(0, len(players), "a seat's number")
    player = Player(body.at("name").text(most=LONGEST_NAME).strip(), body.at("shields").text())
    own = kept.notes.seat_of(own_device())
    if seat == len(players):
        players.append(player)
        devices.append(None)
    if devices[seat] not in (None, own_device()):
        raise Refusal(409, "seat-taken")
    players[seat] = player
    if own is not None:
        devices[own] = None
    devices[seat] = own_device()
    return _setting_change(setting, players, devices)


def leave_seat(kept: KeptGame, body: Json) -> list[Change]:
    """Make a seat free: one's own, or any as the host."""
    devices = _devices(kept)
    seat = body.at("seat").whole(0, len(devices) - 1, "a seat's number")
    check_own_seat(kept, seat)
    devices[seat] = None
    return [Seats(tuple(devices))]


def arrange(kept: KeptGame, body: Json) -> list[Change]:
    """All seats in their order and the rulings; `was` is the seat a player had before."""
    before = kept.live.timeline.setting
    seats = body.at("players").items(most=20, least=1)
    for seat in seats:
        seat.check_object(("name", "shields", "was"))
    old = _devices(kept)
    devices = [
        None if seat.at("was").value is None else old[seat.at("was").whole(0, len(old) - 1)]
        for seat in seats
    ]
    players = [
        Player(seat.at("name").text(most=LONGEST_NAME).strip(), seat.at("shields").text())
        for seat in seats
    ]
    body.at("rulings").check_object((), tuple(before.rulings))
    rulings = {**before.rulings, **body.value["rulings"]}
    return _setting_change(Setting(before.game, before.players, rulings), players, devices)


def hide_standings(kept: KeptGame, body: Json) -> list[Change]:
    """Hide the points until the end, or show them again."""
    return [Standings(body.at("hidden").flag())]


def play_again(kept: KeptGame, body: Json) -> tuple[SetSetting, list[Change]]:
    """The same people at the same table, perhaps with seats moved on by one."""
    setting = kept.live.timeline.setting
    by = 1 if body.at("move_on").flag() else 0
    players = setting.players[by:] + setting.players[:by]
    devices = _devices(kept)
    moved = Setting(setting.game, players, setting.rulings)
    notes: list[Change] = [Seats(tuple(devices[by:] + devices[:by]))]
    if kept.notes.standings_hidden:
        notes.append(Standings(True))
    return SetSetting(moved), notes


def _devices(kept: KeptGame) -> list[str | None]:
    seats = len(kept.live.timeline.setting.players)
    known = list(kept.notes.devices[:seats])
    return known + [None] * (seats - len(known))


def _setting_change(
    before: Setting, players: list[Player], devices: list[str | None]
) -> list[Change]:
    """Read back strictly, so that two equal shield colours are refused."""
    data = setting_to_json(Setting(before.game, tuple(players), before.rulings))
    return [SetSetting(read_setting(Json(data, "body"))), Seats(tuple(devices))]


def _turn_number(body: Json) -> int:
    return body.at("turn").whole(0, MOST_TURNS, "a turn's number")


def _read_turn(kept: KeptGame, body: Json) -> Turn:
    data: dict[str, Any] = {key: body.value[key] for key in ("player", "slot", "card")}
    if body.value["shields"]:
        data["shield"] = body.value["shields"]
    return read_turn(Json(data, "body"), kept.live.timeline.setting)
