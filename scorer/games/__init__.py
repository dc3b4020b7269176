"""The games Cairn can judge: one module each, with data files beside it."""

from functools import cache
from importlib import import_module
from typing import Any

from scorer.game import Game, Rules, Setting

MODULES = {"clans-and-glory": "scorer.games.clans_and_glory"}


def game_names() -> tuple[str, ...]:
    """The names a record may give."""
    return tuple(MODULES)


@cache
def find_game(name: str) -> Game[Any, Any]:
    """The game of that name, loaded when it is first asked for."""
    game: Game[Any, Any] = import_module(MODULES[name]).GAME
    return game


def rules_of(setting: Setting) -> Rules[Any, Any]:
    """The rules that a setting asks for."""
    return find_game(setting.game).rules(setting)
