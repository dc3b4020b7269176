"""`cairn bench watch`: whole games, an idle evening, cost and memory, on the simulated table."""

import resource
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import Any

import cv2
import numpy as np

from calibration.errors import BadInput
from calibration.layout import Layout
from vision.measure.watching import Hear, watch_film
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
    hear: Hear
    done: Callable[[Move], None]
    outcome: Callable[[], Mapping[str, Any]]
    ranks: tuple[str, ...] = RANKS


@dataclass
class _Sum:
    """The games of one light added up."""

    games: list[dict[str, Any]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
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
            "tables_refused": self.refused,
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
    """Every game watched from its first frame to its last, added up by light.

    A table whose photographs are refused is not played on: people would take better ones.
    """
    sums: dict[str, _Sum] = {}
    for play in plays:
        total = sums.setdefault(play.grade, _Sum())
        try:
            evening = set_evening(play.layout, play.seed, play.grade, play.ranks)
        except BadInput as refused:
            total.refused.append(f"seed {play.seed}: {refused}")
            say(f"{play.grade}, seed {play.seed}: not played, {refused}")
            continue
        tally = watch_film(
            film_game(evening.simulated, play.moves, play.seed).frames(),
            Watcher(evening.table, evening.deck),
            play.hear,
            play.done,
        )
        game = {"seed": play.seed, **tally.to_json(), **play.outcome()}
        total.games.append(game)
        total.costs += tally.costs
        total.late += tally.late
        say(_line(play, game))
    return {grade: total.to_json() for grade, total in sums.items()}


def bench_idle(layout: Layout, grade: str, seed: int, frames: int, say: Say) -> dict[str, Any]:
    """A table at which nobody plays: light drifts, lamps are switched, hands touch nothing."""
    try:
        evening = set_evening(layout, seed, grade)
    except BadInput as refused:
        say(f"idle, {grade}, seed {seed}: {refused}")
        return bench_idle(layout, grade, seed + 1, frames, say)
    rng = np.random.default_rng([seed, 14])
    cards = [str(card) for card in rng.permutation(evening.deck.cards)]
    slots = [str(slot) for slot in rng.permutation(list(layout.slots))]
    lying = dict(zip(slots[: len(slots) // 2], cards, strict=False))
    idle: list[Move] = []
    while len(idle) < frames / 25:
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
    readings = {slot: watcher.readings.get(slot) for slot in lying}
    wrong = [slot for slot, r in readings.items() if r and r.sure and r.card != lying[slot]]
    return {
        "seed": seed,
        "frames": seen,
        "changes": len(told),
        "what": told[:20],
        "cards": len(lying),
        "cards_asked": sum(r is None or not r.sure for r in readings.values()),
        "cards_wrong": [f"{slot}: {lying[slot]}" for slot in wrong],
    }


def bench_cost(layout: Layout, seed: int, frames: int, say: Say) -> dict[str, Any]:
    """Processor time of a stream of 1080p, and memory after an hour of frames.

    Frames are decoded and seen as from a camera. `cores_at_30_a_second` is how many cores would
    be busy with them; `idle` frames are those in which nothing stirs, `moving` all others.
    """
    evening = set_evening(layout, seed, "ordinary")
    rng = np.random.default_rng([seed, 15])
    cards = [str(card) for card in rng.permutation(evening.deck.cards)]
    moves: list[Move] = []
    for slot, card in zip(layout.slots, cards, strict=False):
        moves += [Lay(int(rng.integers(4)), slot, card), Wait(1.0)]
    film = film_game(evening.simulated, moves, seed)
    there = [frame for frame, _ in zip(film.frames(), range(_LOOP), strict=False)]
    loop = [*there, *reversed(there)]  # backwards, cards are taken up again
    watcher = Watcher(evening.table, evening.deck)
    times: dict[str, list[float]] = {"idle": [], "moving": []}
    sizes = [_megabytes()]
    for number in range(frames):
        frame = loop[number % len(loop)]
        calm, start = not watcher.busy, process_time()
        watcher.see(_decoded(frame))
        spent = process_time() - start
        times["idle" if calm and not watcher.busy else "moving"].append(spent)
        if (number + 1) % max(1, frames // 10) == 0:
            sizes.append(_megabytes())
            say(f"cost: {number + 1} of {frames} frames, {sizes[-1]} MB")
    total = sum(sum(some) for some in times.values())
    return {
        "frames": frames,
        "processor_ms_a_frame": {kind: _ms(some) for kind, some in times.items()},
        "cores_at_30_a_second": {
            "all": round(30 * total / frames, 3),
            **{kind: round(30 * float(np.mean(some)), 3) for kind, some in times.items() if some},
        },
        "megabytes_at_start": sizes[0],
        "megabytes_every_tenth": sizes[1:],
    }


def _line(play: Play, game: Mapping[str, Any]) -> str:
    """One game in one line, so that a long run can be followed and stopped."""
    wrong = {key: game[key] for key in ("invented", "missed") if game[key]}
    late = f"late {game['late_median']:.0f}, most {game['late_most']}"
    return (
        f"{play.grade}, seed {play.seed}, {len(play.layout.slots)} slots: "
        f"{game['turns_right']} of {game['turns']} turns right, "
        f"findings {'right' if game['findings_right'] else 'WRONG'}, asked {len(game['asked'])}, "
        f"knocks {game['knocks'][0]} of {game['knocks'][1]}, {late}, "
        f"idle frame {game['cost']} times its decoding{f', {wrong}' if wrong else ''}"
    )


def _ms(seconds: Sequence[float]) -> dict[str, float]:
    if not seconds:
        return {}
    mean, high = float(np.mean(seconds)), float(np.percentile(seconds, 99))
    return {
        "frames": len(seconds),
        "mean": round(1e3 * mean, 2),
        "99_percent": round(1e3 * high, 2),
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
