"""Short ways to write a game down in a test."""

from scorer.game import Player, Setting
from scorer.games.clans_and_glory.rules import RULINGS
from scorer.games.clans_and_glory.turns import HERE, ClansTurn
from scorer.record import Record
from scorer.timeline import Timeline, judge

NAMES = (("Ann", "red"), ("Ben", "blue"), ("Cat", "green"), ("Dan", "yellow"))

START = {
    2: "1N2 red-5, 1S2 blue-3, 2N2 green-4, 2S2 white-6, "
    "3N2 yellow-3, 3S2 purple-4, 4N2 orange-5, 4S2 red-6",
    3: "1N2 red-5, 2N2 green-4, 3N2 yellow-3, 4N2 orange-5, 5N2 blue-7",
    4: "1N2 red-5, 2N2 green-4, 3N2 yellow-3, 4N2 orange-5, 5N2 blue-7, 6N2 white-8",
}


def setting(players: int = 2, **rulings: bool) -> Setting:
    """Ann, Ben, Cat and Dan; rulings are written with underscores."""
    changed = {name.replace("_", "-"): value for name, value in rulings.items()}
    seats = tuple(Player(*seat) for seat in NAMES[:players])
    return Setting("clans-and-glory", seats, {**RULINGS, **changed})


def turn(words: str) -> ClansTurn:
    """`0 1N1 red-3 *` is player 0 with a shield on the card's tile; `*3` is one on tile 3."""
    player, slot, card, *shields = words.split()
    tiles = tuple(int(shield[1:]) if shield[1:] else HERE for shield in shields)
    return ClansTurn(int(player), slot, card, tiles)


def cards(words: str) -> dict[str, str]:
    """`1N2 red-5, 1S2 blue-3` as slots and their cards."""
    pairs = (pair.split() for pair in words.split(",") if pair.strip())
    return {slot: card for slot, card in pairs}  # noqa: C416 (dict() would lose the types)


def game(*turns: str, start: str | None = None, players: int = 2, **rulings: bool) -> Timeline:
    """A judged game; without `start` the start cards of START."""
    laid = cards(START[players] if start is None else start)
    return judge(Record(setting(players, **rulings), laid, tuple(turn(words) for words in turns)))


def codes(timeline: Timeline, of: int | None) -> list[str]:
    """The codes of a turn's findings, or of the start cards' (None), in alphabetical order."""
    return sorted(finding.code for finding in timeline.findings(of))
