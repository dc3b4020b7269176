"""Clans and Glory, for 2 to 4 players."""

from dataclasses import replace
from typing import Any

from scorer.game import Game, Setting
from scorer.games.clans_and_glory.rules import RULINGS, ClansRules, ClansState
from scorer.games.clans_and_glory.turns import ClansTurn, read_turn, turn_to_json
from scorer.strict import Json


class ClansAndGlory(Game[ClansState, ClansTurn]):
    """What the engine asks of a game; the rules are in `rules.py`."""

    name = "clans-and-glory"
    players = range(2, 5)
    rulings = RULINGS

    def rules(self, setting: Setting) -> ClansRules:
        return ClansRules(setting)

    def lay(self, player: int, slot: str, card: str) -> ClansTurn:
        return ClansTurn(player, slot, card)

    def put_shield(self, turn: ClansTurn, tile: int) -> ClansTurn:
        return replace(turn, shields=(*turn.shields, tile))

    def read_turn(self, data: Json, setting: Setting) -> ClansTurn:
        return read_turn(data, setting)

    def turn_to_json(self, turn: ClansTurn) -> dict[str, Any]:
        return turn_to_json(turn)


GAME = ClansAndGlory()
