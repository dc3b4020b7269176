"""`cairn bench watch`: whole games, an idle evening, cost and memory, on the simulated table."""

import resource
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import Any

import cv2
import numpy as np

from calibration.layout import Layout
from vision.changes import Change
from vision.measure.watching import watch_film
from vision.simulated.evening import RANKS, set_evening
from vision.simulated.film import FilmFrame, film_game
from vision.simulated.moves import Hover, Lay, Move, Wait
from vision.watch import Watcher

AN_HOUR = 54_000  # frames at 15 a second
_LOOP = 300
_SETTLED = 15  # frames after which the cards that lie there have been read

Say = Callable[[str], None]


@dataclass(frozen=True)
class Play:
    """A game to be played and watched; `hear` and `done` follow it, `outcome` then judges it."""

    layout: Layout
    grade: str
    seed: int
    moves: Sequence[Move]
    hear: Callable[[Change], None]
    done: Callable[[Move], None]
    outcome: Callable[[], Mapping[str, Any]]
    ranks: tuple[str, ...] = RANKS


@dataclass
class _Sum:
    """The games of one light added up."""

    games: list[dict[str, Any]] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)
    late: list[int] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Counts, and every single thing that went wrong."""
        turns = sum(game["turns"] for game in self.games)
        right = sum(game["turns_right"] for game in self.games)
        wrong = {
            key: [f"seed {g['seed']}: {words}" for g in self.games for words in g[key]]
            for key in ("invented", "missed", "asked")
        }
        return {
            "games": len(self.games),
            "turns": turns,
            "turns_right": right,
            "turns_right_percent": round(100 * right / max(1, turns), 2),
            "games_right": sum(bool(game["all_right"]) for game in self.games),
            "findings_right": sum(bool(game["findings_right"]) for game in self.games),
            "changes_right": sum(game["right"] for game in self.games),
            **{key: len(items) for key, items in wrong.items()},
            "knocks_told": sum(game["knocks"][0] for game in self.games),
            "knocks": sum(game["knocks"][1] for game in self.games),
            "frames": sum(game["frames"] for game in self.games),
            "frames_late_median": float(np.median(self.late)) if self.late else None,
            "frames_late_99_percent": float(np.percentile(self.late, 99)) if self.late else None,
            "frames_late_most": max(self.late, default=None),
            "cost_of_an_idle_frame": round(float(np.median(self.costs)), 3) if self.costs else None,
            "wrong": wrong,
        }


def bench_games(plays: Iterable[Play], say: Say) -> dict[str, Any]:
    """Every game watched from its first frame to its last, added up by light."""
    sums: dict[str, _Sum] = {}
    for play in plays:
        evening = set_evening(play.layout, play.seed, play.grade, play.ranks)
        tally = watch_film(
            film_game(evening.simulated, play.moves, play.seed).frames(),
            Watcher(evening.table, evening.deck),
            play.hear,
            play.done,
        )
        total = sums.setdefault(play.grade, _Sum())
        game = {"seed": play.seed, **tally.to_json(), **play.outcome()}
        total.games.append(game)
        total.costs += tally.costs
        total.late += tally.late
        say(f"{play.grade}, {len(play.layout.slots)} slots: {game}")
    return {grade: total.to_json() for grade, total in sums.items()}


def bench_idle(layout: Layout, grade: str, seed: int, frames: int, say: Say) -> dict[str, Any]:
    """A table at which nobody plays: light drifts, lamps are switched, hands touch nothing."""
    evening = set_evening(layout, seed, grade)
    rng = np.random.default_rng([seed, 14])
    cards = [str(card) for card in rng.permutation(evening.deck.cards)]
    slots = [str(slot) for slot in rng.permutation(list(layout.slots))]
    lying = dict(zip(slots[: len(slots) // 2], cards, strict=False))
    idle: list[Move] = []
    while len(idle) < frames / 60:
        idle.append(Wait(float(rng.uniform(0.5, 6))))
        seat = int(rng.integers(4))
        idle.append(Hover(seat, str(rng.choice(slots)), float(rng.uniform(0.1, 2.2))))
    moves = [Wait(1.0), *idle]
    film = film_game(evening.simulated, moves, seed, lying, switches=2 + frames // 3000)
    watcher = Watcher(evening.table, evening.deck)
    told: list[str] = []
    seen = 0
    for frame in film.frames():
        changes = watcher.see(_decoded(frame))
        if frame.number > _SETTLED:
            told += [f"frame {frame.number}: {change}" for change in changes]
            seen += 1
        if frame.number % 500 == 0:
            say(f"idle, {grade}: frame {frame.number}, {len(told)} changes")
        if seen >= frames:
            break
    right = {slot: reading.card for slot, reading in watcher.readings.items() if reading.card}
    return {
        "frames": seen,
        "changes": len(told),
        "what": told[:20],
        "cards_right": sum(right.get(slot) == card for slot, card in lying.items()),
        "cards": len(lying),
    }


def bench_cost(layout: Layout, seed: int, frames: int, say: Say) -> dict[str, Any]:
    """Processor time of a busy stream, and memory after an hour of frames."""
    evening = set_evening(layout, seed, "ordinary")
    rng = np.random.default_rng([seed, 15])
    cards = [str(card) for card in rng.permutation(evening.deck.cards)]
    moves: list[Move] = []
    for slot, card in zip(layout.slots, cards, strict=False):
        moves += [Lay(int(rng.integers(4)), slot, card), Wait(1.0)]
    film = film_game(evening.simulated, moves, seed)
    loop = [frame for frame, _ in zip(film.frames(), range(_LOOP), strict=False)]
    watcher = Watcher(evening.table, evening.deck)
    start = process_time()
    for frame in loop:
        watcher.see(_decoded(frame))
    busy = (process_time() - start) / len(loop)
    say(f"cost: {1000 * busy:.1f} ms of processor time a frame; now an hour of frames")
    images = [_decoded(frame) for frame in loop[::3]]
    sizes = []
    for number in range(frames):
        watcher.see(images[number % len(images)])
        if number in (frames // 10, frames - 1):
            sizes.append(_megabytes())
    return {
        "processor_ms_a_frame": round(1000 * busy, 2),
        "cores_at_30_a_second": round(30 * busy, 3),
        "frames": frames,
        "megabytes_after_a_tenth": sizes[0],
        "megabytes_after_all": sizes[-1],
    }


def _decoded(frame: FilmFrame) -> Any:
    return cv2.imdecode(np.frombuffer(frame.jpeg, np.uint8), cv2.IMREAD_COLOR)


def _megabytes() -> float:
    """What the process holds now; where that is not told, the most it ever held."""
    status = Path("/proc/self/statm")
    if status.exists():
        pages = int(status.read_text("ascii").split()[1])
        return round(pages * resource.getpagesize() / 2**20, 1)
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)
