"""Whole games, tapped as people tap them."""

from scorer.games.clans_and_glory.players import play_game
from scorer.games.clans_and_glory.turns import ClansTurn
from scorer.record import Record
from tests.scorer.tables import setting
from tests.webui.conftest import Browser


def lay_start(browser: Browser, record: Record) -> None:
    """All start cards, slot by slot."""
    for slot, card in record.start.items():
        answer = browser.tap("lay", slot=slot, card=card, player=0)
        assert answer.status_code == 200, answer.json


def tap_game(host: Browser, seed: int = 1, turns: int | None = None, mistakes: float = 0) -> Record:
    """The host taps a game of two for everybody."""
    record = play_game(setting(2), seed, mistakes)
    lay_start(host, record)
    for number, turn in enumerate(record.turns[:turns]):
        assert isinstance(turn, ClansTurn)
        answer = host.tap("lay", slot=turn.slot, card=turn.card, player=turn.player)
        assert answer.status_code == 200, answer.json
        if turn.shields:
            tile = answer.json["last"]["tile"]
            answer = host.tap("shield", player=turn.player, tile=tile, turn=number)
            assert answer.status_code == 200, answer.json
    return record
