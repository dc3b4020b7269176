"""A simulated evening put together: simulated players decide, hands act it out before a camera."""

from collections.abc import Mapping
from dataclasses import dataclass

from scorer.game import Setting
from scorer.games.clans_and_glory.players import (
    plain_turns,
    play_demo,
    play_game,
    seat_players,
    slip_up,
)
from scorer.record import Record
from scorer.referee import Referee
from vision.bench_watch import Play
from vision.changes import Change
from vision.simulated.evening import Evening, set_evening
from vision.simulated.film import Film, film_game
from vision.simulated.moves import Move, PutShield
from vision.simulated.script import Played, write_script
from webui.layouts import layout_for
from webui.watching import sightings


@dataclass(frozen=True)
class Rehearsal:
    """A set table, and the film of a whole game on it."""

    evening: Evening
    film: Film


def rehearse(setting: Setting, seed: int, light: str = "ordinary") -> Rehearsal:
    """A legal game with one card laid wrong at first, one face down, and one knock."""
    record = play_demo(setting, seed)
    evening = set_evening(layout_for(len(setting.players)), seed, light)
    moves = write_script(record.start, _turns(record), seed, slips=slip_up(record, seed))
    return Rehearsal(evening, film_game(evening.simulated, moves, seed))


def play_to_watch(players: int, light: str, seed: int) -> Play:
    """A simulated game with all its mishaps, and a referee who knows how it was played."""
    record = play_game(seat_players(players), seed, mistakes=0.05)
    referee = Referee(record)

    def hear(change: Change, lying: Mapping[str, str]) -> None:
        for event in sightings([change]):
            referee.see(event, lying)
        referee.settle_taps()

    def done(move: Move) -> None:
        if isinstance(move, PutShield):
            referee.tap(move.seat, move.slot)

    slips = slip_up(record, seed)
    script = write_script(record.start, _turns(record), seed, slips=slips, pause=0.5)
    ranks = tuple(str(rank) for rank in range(3, 5 + players))
    return Play(layout_for(players), light, seed, script, hear, done, referee.figures, ranks)


def _turns(record: Record) -> list[Played]:
    return [Played(*turn) for turn in plain_turns(record)]
