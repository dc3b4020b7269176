"""Seats for nobody in particular, until people take them."""

from scorer.game import Player, Setting
from scorer.games import find_game, game_names
from webui.languages import word

SHIELD_COLOURS = ("red", "blue", "green", "yellow")


def first_setting(language: str, players: int | None = None) -> Setting:
    """The first game's table for so many players, or for as few as can play."""
    game = find_game(game_names()[0])
    seats = tuple(
        Player(word("seat.name", language, number=number + 1), SHIELD_COLOURS[number])
        for number in range(players or game.players[0])
    )
    return Setting(game.name, seats, game.rulings)
