"""Hold what a Watcher says of a film against the truth, and against the clock."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import cv2
import numpy as np

from calibration.photo import Image
from vision.changes import Change
from vision.reading import Reading
from vision.simulated.film import FilmFrame
from vision.simulated.moves import Knock, Move
from vision.watch import Watcher

Hear = Callable[[Change, Mapping[str, str]], None]

_CLEAR = 8  # frames for which a slot must be clear before not seeing it counts as missed


@dataclass
class Tally:
    """What was right and wrong in one film.

    `right`: changes told as they were. `invented`: sure changes that never happened or were
    another, and cards asked for where none lies. `missed`: what lay clear for a while and was
    never told. `asked`: changes told as not sure. `knocks`: camera-moved against how often the
    camera really moved. `late`: frames from the last one in which a hand was over the slot.
    `costs`: decoding and seeing a frame in which nothing stirred, against decoding it alone.
    """

    frames: int = 0
    right: int = 0
    invented: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    covered: int = 0
    knocks: tuple[int, int] = (0, 0)
    late: list[int] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)
    see_ms: list[float] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The figures as `cairn bench watch` adds them up."""
        return {
            "frames": self.frames,
            "right": self.right,
            "invented": self.invented,
            "missed": self.missed,
            "asked": self.asked,
            "covered": self.covered,
            "knocks": list(self.knocks),
            "late_most": max(self.late, default=0),
            "late_median": float(np.median(self.late)) if self.late else 0.0,
            "cost": round(float(np.median(self.costs)), 3) if self.costs else None,
            "see_ms_mean": round(float(np.mean(self.see_ms)), 2) if self.see_ms else None,
        }


class Judge:
    """Follows the truth frame by frame."""

    def __init__(self) -> None:
        self.tally = Tally()
        self._believed: dict[str, str] = {}
        self._truth: dict[str, str] = {}
        self._clear: dict[str, int] = {}
        self._touched: dict[str, int] = {}

    def truth(self, frame: FilmFrame) -> None:
        """What really lies there in the frame that is seen next."""
        for slot in {*self._truth, *frame.cards}:
            if self._truth.get(slot) != frame.cards.get(slot):
                if self._clear.get(slot, 0) >= _CLEAR:
                    self._miss(slot, frame.number)
                self._clear[slot] = 0
            self._clear[slot] = 0 if slot in frame.touched else self._clear.get(slot, 0) + 1
        self._truth = dict(frame.cards)
        for slot in frame.touched:
            self._touched[slot] = frame.number
        knocks = sum(isinstance(move, Knock) for move in frame.done)
        self.tally.knocks = (self.tally.knocks[0], self.tally.knocks[1] + knocks)
        self.tally.frames += 1

    def told(self, number: int, change: Change) -> None:
        """What the Watcher said with a frame."""
        tally = self.tally
        if change.kind == "camera-moved":
            tally.knocks = (tally.knocks[0] + 1, tally.knocks[1])
        tally.covered += change.kind == "covered"
        touched = [self._touched.get(slot, number) for slot, _ in change.readings()]
        for slot, reading in change.readings():
            if reading.state != "covered":
                self._compare(slot, reading, number, number - max(touched))

    def end(self) -> Tally:
        """All is over: what is still believed wrongly was missed."""
        for slot in {*self._truth, *self._believed}:
            self._miss(slot, self.tally.frames)
        return self.tally

    def _compare(self, slot: str, reading: Reading, number: int, late: int) -> None:
        content = reading.card if reading.state == "card" else None
        content = "face-down" if reading.state == "face-down" else content
        truth = self._truth.get(slot)
        words = f"frame {number} {slot}: {content}, truth {truth}"
        if not reading.sure and content is not None and truth is None:
            self.tally.invented.append(words)
            content = None
        elif not reading.sure and content is not None:
            self.tally.asked.append(words)
            # Whoever is asked knows what lies there.
            content = truth
        elif content == self._believed.get(slot):
            return
        elif content != truth:
            self.tally.invented.append(words)
        else:
            self.tally.right += 1
            self.tally.late.append(late)
        self._believed.pop(slot, None)
        if content is not None:
            self._believed[slot] = content

    def _miss(self, slot: str, number: int) -> None:
        if self._believed.get(slot) != self._truth.get(slot):
            words = f"{slot}: {self._truth.get(slot)}, believed {self._believed.get(slot)}"
            self.tally.missed.append(f"frame {number} {words}")


def watch_film(
    frames: Iterable[FilmFrame],
    watcher: Watcher,
    hear: Hear = lambda change, lying: None,
    done: Callable[[Move], None] = lambda move: None,
) -> Tally:
    """Let a Watcher see every frame; `hear` and `done` hear of changes and of finished moves.

    With a change comes what really lies in the slots, for whoever is asked.
    """
    judge = Judge()
    number = 0
    lying: Mapping[str, str] = {}
    for frame in frames:
        number, lying = frame.number, frame.cards
        judge.truth(frame)
        start = perf_counter()
        image = _decode(frame.jpeg)
        decoded = perf_counter()
        calm = not watcher.busy
        changes = watcher.see(image)
        seen = perf_counter()
        judge.tally.see_ms.append(1000 * (seen - decoded))
        if calm and not watcher.busy:
            judge.tally.costs.append((seen - start) / (decoded - start))
        for change in changes:
            judge.told(number, change)
            hear(change, lying)
        for move in frame.done:
            done(move)
    for change in watcher.finish():
        judge.told(number, change)
        hear(change, lying)
    return judge.end()


def _decode(jpeg: bytes) -> Image:
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    return np.asarray(image, np.uint8)
