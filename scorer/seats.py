"""Seats and taps as a command line and a file give them."""

import json
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from scorer.errors import BadInput
from scorer.events import PutShield
from scorer.game import Setting
from scorer.record import read_setting
from scorer.strict import Json

MOST_TILES = 1_000


def read_seats(text: str, game: str) -> Setting:
    """The setting of "Ann:red,Ben:blue": names and colours of shields, who starts first."""
    players = []
    for seat in text.split(","):
        name, colon, shields = seat.strip().rpartition(":")
        if not colon:
            raise BadInput(f'seats: expected "Ann:red,Ben:blue", a colour for each; got {seat!r}')
        players.append({"name": name.strip(), "shields": shields.strip()})
    return read_setting(Json({"game": game, "players": players}, "seats"))


def read_taps(path: Path, players: int) -> Mapping[str, list[PutShield]]:
    """The taps of a taps.jsonl by the frame they follow; none if there is no such file."""
    taps: dict[str, list[PutShield]] = defaultdict(list)
    try:
        lines = path.read_text("utf-8").splitlines()
    except FileNotFoundError:
        return taps
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: cannot be read ({error}); give one JSON object a line") from error
    for number, line in enumerate(lines, 1):
        if line.strip():
            frame, shield = _read_tap(line, f"{path}: line {number}", players)
            taps[frame].append(shield)
    return taps


def _read_tap(line: str, source: str, players: int) -> tuple[str, PutShield]:
    try:
        data = Json(json.loads(line), source)
    except ValueError as error:
        raise BadInput(f"{source}: is not JSON; expected one tap a line") from error
    data.check_object(("after", "shield"))
    shield = data.at("shield")
    shield.check_object(("player", "tile"))
    player = shield.at("player").whole(0, players - 1, "a player's number")
    tile = shield.at("tile").whole(1, MOST_TILES, "a tile's number")
    return data.at("after").text(), PutShield(player, tile)
