"""Records: a whole game as data, read strictly and written back."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from scorer.cards import read_card
from scorer.game import Player, Setting, Turn
from scorer.games import find_game, game_names
from scorer.strict import Json, read_json_file

VERSION = 1
MOST_TURNS = 10_000
MOST_START_CARDS = 1_000


@dataclass(frozen=True)
class Record:
    """One game: who plays what by which rulings, the start cards, and every turn."""

    setting: Setting
    start: Mapping[str, str]
    turns: tuple[Turn, ...]


def read_record_file(path: Path) -> Record:
    """The record of a file, or BadInput with the place that is wrong."""
    return read_record(read_json_file(path))


def read_record(data: Json) -> Record:
    """Check parsed JSON and make a Record of it."""
    data.check_object(("game", "players", "start", "turns"), ("version", "rulings"))
    if "version" in data.value:
        data.at("version").whole(1, VERSION, "a version this program reads,")
    setting = read_setting(data)
    return Record(
        setting=setting,
        start=read_start(data.at("start")),
        turns=tuple(read_turn(turn, setting) for turn in data.at("turns").items(MOST_TURNS)),
    )


def read_setting(data: Json) -> Setting:
    """The game, players and rulings of a record or of a journal's first event."""
    name = data.at("game").value
    if not isinstance(name, str) or name not in game_names():
        raise data.at("game").refusal(" or ".join(f'"{known}"' for known in game_names()))
    game = find_game(name)
    seats = data.at("players").items(least=game.players[0], most=game.players[-1])
    players = tuple(_read_player(seat) for seat in seats)
    for number, (seat, player) in enumerate(zip(seats, players, strict=True)):
        if player.shields in [other.shields for other in players[:number]]:
            raise seat.at("shields").refusal("a colour of this player's own")
    rulings = dict(game.rulings)
    if "rulings" in data.value:
        data.at("rulings").check_object((), tuple(game.rulings))
        rulings |= {name: data.at("rulings").at(name).flag() for name in data.value["rulings"]}
    return Setting(name, players, MappingProxyType(rulings))


def read_start(data: Json) -> Mapping[str, str]:
    """The start cards: slot names (known or not) and what lies there."""
    cards = {slot: read_card(card) for slot, card in data.entries(MOST_START_CARDS)}
    return MappingProxyType(cards)


def read_turn(data: Json, setting: Setting) -> Turn:
    """One turn, as the setting's game writes it."""
    turn: Turn = find_game(setting.game).read_turn(data, setting)
    return turn


def turn_to_json(turn: Turn, setting: Setting) -> dict[str, Any]:
    """What read_turn reads back."""
    return find_game(setting.game).turn_to_json(turn)


def setting_to_json(setting: Setting) -> dict[str, Any]:
    """What read_setting reads back."""
    return {
        "game": setting.game,
        "players": [{"name": p.name, "shields": p.shields} for p in setting.players],
        "rulings": dict(setting.rulings),
    }


def record_to_json(record: Record) -> dict[str, Any]:
    """What read_record reads back."""
    return {
        "version": VERSION,
        **setting_to_json(record.setting),
        "start": dict(record.start),
        "turns": [turn_to_json(turn, record.setting) for turn in record.turns],
    }


def format_record(record: Record) -> str:
    """A record as people read it: one line a turn."""
    data = record_to_json(record)
    turns = ",\n".join(f"  {json.dumps(turn, ensure_ascii=False)}" for turn in data.pop("turns"))
    head = ",\n".join(
        f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in data.items()
    )
    return f'{{\n{head},\n "turns": [\n{turns}\n ]\n}}\n'


def _read_player(data: Json) -> Player:
    data.check_object(("name", "shields"))
    return Player(data.at("name").text(), data.at("shields").text())
