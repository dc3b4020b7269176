"""A turn of Clans and Glory: one card on one slot, and perhaps shields."""

from dataclasses import dataclass
from typing import Any

from scorer.cards import read_card
from scorer.game import Setting, Turn
from scorer.games.clans_and_glory.numbers import numbers_for
from scorer.strict import Json

HERE = 0
"""In `shields`: the tile where this turn's card went, whichever that is."""

MOST_SHIELDS = 100


@dataclass(frozen=True)
class ClansTurn(Turn):
    """`shields` are tile numbers, in the order the shields were put down."""

    shields: tuple[int, ...] = ()


def read_turn(data: Json, setting: Setting) -> ClansTurn:
    """A turn from a record."""
    data.check_object(("player", "slot", "card"), ("shield",))
    return ClansTurn(
        player=data.at("player").whole(0, len(setting.players) - 1, "a player's number"),
        slot=data.at("slot").text(least=0),
        card=read_card(data.at("card")),
        shields=_read_shields(data.at("shield"), setting) if "shield" in data.value else (),
    )


def turn_to_json(turn: ClansTurn) -> dict[str, Any]:
    """What read_turn reads back."""
    data: dict[str, Any] = {"player": turn.player, "slot": turn.slot, "card": turn.card}
    shields = [tile if tile != HERE else True for tile in turn.shields]
    if shields:
        data["shield"] = shields[0] if len(shields) == 1 else shields
    return data


def _read_shields(data: Json, setting: Setting) -> tuple[int, ...]:
    if data.value is False:
        return ()
    if isinstance(data.value, list):
        return tuple(_read_tile(item, setting) for item in data.items(MOST_SHIELDS))
    return (_read_tile(data, setting),)


def _read_tile(data: Json, setting: Setting) -> int:
    if data.value is True:
        return HERE
    tiles = numbers_for(len(setting.players)).layout.tiles
    return data.whole(1, len(tiles), "true or a tile's number")
