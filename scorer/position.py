"""Positions: one moment of a table as one line of text, for tests, logs and bug reports.

    clans-and-glory 2 1N2=red-5,2N1=face-down 1=01,3=1 0

The game, how many play, what lies in which slot, the stacks (tile = players, oldest first), and
who is next (`over` when nobody is); `-` stands for nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from scorer.cards import FACE_DOWN, parse_card
from scorer.errors import BadInput
from scorer.game import Setting, State
from scorer.games import find_game, game_names

NOTHING = "-"
OVER = "over"
EXPECTED = 'expected "GAME PLAYERS SLOT=CARD,... TILE=PLAYERS,... NEXT"'


@dataclass(frozen=True)
class Position:
    """What lies on a table, however it came about."""

    game: str
    players: int
    cards: Mapping[str, str]
    stacks: Mapping[int, tuple[int, ...]]
    next_player: int | None


def position_of(state: State, setting: Setting) -> Position:
    """The position of a game's state; stacks without a shield are left out."""
    stacks = {tile: stack for tile, stack in state.stacks.items() if stack}
    return Position(
        game=setting.game,
        players=len(setting.players),
        cards=state.cards,
        stacks=MappingProxyType(stacks),
        next_player=state.next_player,
    )


def format_position(position: Position) -> str:
    """The one-line text form."""
    cards = ",".join(f"{slot}={card}" for slot, card in position.cards.items())
    stacks = ",".join(
        f"{tile}={''.join(str(player) for player in stack)}"
        for tile, stack in position.stacks.items()
    )
    following = OVER if position.next_player is None else str(position.next_player)
    return " ".join(
        (
            position.game,
            str(position.players),
            cards or NOTHING,
            stacks or NOTHING,
            following,
        )
    )


def parse_position(line: str) -> Position:
    """Read the one-line text form, or BadInput with the part that is wrong."""
    parts = line.split()
    if len(parts) != 5:
        raise BadInput(f"position: {EXPECTED}, got {len(parts)} parts instead of 5")
    game, players, cards, stacks, following = parts
    if game not in game_names():
        raise BadInput(f"position: {game}: no such game; expected {' or '.join(game_names())}")
    allowed = find_game(game).players
    if not (players.isascii() and players.isdigit() and int(players) in allowed):
        raise BadInput(f"position: {players}: expected {allowed[0]} to {allowed[-1]} players")
    count = int(players)
    seats = [str(seat) for seat in range(count)]
    if following != OVER and following not in seats:
        raise BadInput(f"position: {following}: expected who is next, 0 to {count - 1} or {OVER}")
    return Position(
        game,
        count,
        MappingProxyType({slot: _card(card) for slot, card in _pairs(cards)}),
        MappingProxyType({_tile(tile): _stack(stack, seats) for tile, stack in _pairs(stacks)}),
        None if following == OVER else int(following),
    )


def _pairs(part: str) -> list[tuple[str, str]]:
    if part == NOTHING:
        return []
    pairs = [pair.partition("=") for pair in part.split(",")]
    names = [name for name, _, _ in pairs]
    for name, equals, value in pairs:
        if not (name and equals and value):
            raise BadInput(f"position: {name}{equals}{value}: expected NAME=VALUE; {EXPECTED}")
        if names.count(name) > 1:
            raise BadInput(f"position: {name} stands twice; name each slot and tile once")
    return [(name, value) for name, _, value in pairs]


def _card(name: str) -> str:
    if name != FACE_DOWN and parse_card(name) is None:
        raise BadInput(f"position: {name}: expected colour-rank or {FACE_DOWN}")
    return name


def _tile(number: str) -> int:
    if not (number.isascii() and number.isdigit() and len(number) < 4):
        raise BadInput(f"position: {number}: expected a tile's number")
    return int(number)


def _stack(players: str, seats: list[str]) -> tuple[int, ...]:
    if any(player not in seats for player in players):
        raise BadInput(f"position: {players}: expected a stack of players, such as 010")
    return tuple(int(player) for player in players)
