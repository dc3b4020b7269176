"""What was said of a slot or a card, held against the truth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from calibration.layout import Points
from vision.reading import Reading
from vision.simulated import Photo

if TYPE_CHECKING:
    from vision.find import Found

NO_CARD = "no card"
# A hand over less than this of a card hides nothing that matters.
HIDDEN_A_LITTLE = 0.02


@dataclass(frozen=True)
class Verdict:
    """One slot of one board: what was said and whether it is so."""

    place: str
    truth: str
    said: str
    right: bool
    sure: bool
    confidence: float


@dataclass(frozen=True)
class Trial:
    """All that one table gave. Times in seconds; `failure` says why it could not be read."""

    seed: int
    grade: str
    style: str
    slots: int
    boards: tuple[tuple[Verdict, ...], ...] = ()
    failure: str | None = None
    slots_off: float = 0.0
    found: tuple[Verdict, ...] = ()
    calibrate_s: float = 0.0
    teach_s: float = 0.0
    read_s: tuple[float, ...] = ()
    decode_s: tuple[float, ...] = ()


def judge(
    readings: Mapping[str, Reading], cards: Mapping[str, str], photo: Photo, place: str
) -> tuple[Verdict, ...]:
    """A verdict for every slot.

    A slot under a hand is right when it is said to be covered, or when what is there was seen
    all the same; one that a hand barely touches likewise.
    """
    verdicts = []
    for slot, reading in readings.items():
        truth = cards.get(slot, "empty")
        said = reading.card if reading.card is not None else reading.state
        touched = photo.hidden[slot] > HIDDEN_A_LITTLE
        right = said == truth or (touched and said == "covered")
        verdicts.append(
            Verdict(
                f"{place} {slot}",
                "covered" if slot in photo.covered else truth,
                str(said),
                right,
                reading.sure,
                reading.confidence,
            )
        )
    return tuple(verdicts)


def judge_found(
    found: "Sequence[Found]", cards: Sequence[tuple[str, Points | None]], place: str
) -> tuple[Verdict, ...]:
    """A verdict for every card that lies there, and one for each thing that is no card.

    A card comes with its corners (4, 2), or None where nobody knows its place in the picture.
    """
    rest = list(found)
    verdicts = []
    for name, corners in cards:
        near = [f for f in rest if corners is None or _is_at(f, corners)]
        best = max(near, key=lambda f: f.confidence, default=None)
        if best is None:
            verdicts.append(Verdict(place, name, "not found", False, False, 0.0))
            continue
        rest = [f for f in rest if f is not best]
        right = best.card == name
        verdicts.append(Verdict(place, name, best.card, right, best.sure, best.confidence))
    verdicts += [Verdict(place, NO_CARD, f.card, False, f.sure, f.confidence) for f in rest]
    return tuple(verdicts)


def _is_at(found: "Found", corners: Points) -> bool:
    reach = float(np.linalg.norm(corners[1] - corners[0])) / 2
    return bool(np.linalg.norm(found.corners.mean(0) - corners.mean(0)) < reach)
