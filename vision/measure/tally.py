"""Many trials added up to the figures that people ask for."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from vision.measure.verdict import NO_CARD, Trial, Verdict

BINS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)
MOST_EXAMPLES = 12


def add_up(trials: Sequence[Trial]) -> dict[str, Any]:
    """One row of the table: shares in percent, times in seconds or as ratios.

    A table that could not be calibrated or taught counts all its boards as not right.
    """
    read = [trial for trial in trials if trial.failure is None]
    boards = [board for trial in read for board in trial.boards]
    slots = [verdict for board in boards for verdict in board]
    asked = len(boards) + sum(len(read[0].boards) if read else 1 for t in trials if t.failure)
    ratios = [r / d for t in read for r, d in zip(t.read_s, t.decode_s, strict=True)]
    return {
        "tables": len(trials),
        "failures": [f"{t.grade} {t.seed}: {t.failure}" for t in trials if t.failure],
        "slots": len(slots),
        "right": percent(sum(v.right for v in slots), len(slots)),
        "right_and_sure": percent(sum(v.right and v.sure for v in slots), len(slots)),
        "wrong_and_sure": percent(sum(v.sure and not v.right for v in slots), len(slots)),
        "unsure": percent(sum(not v.sure for v in slots), len(slots)),
        "boards": asked,
        "boards_right": percent(sum(all(v.right for v in board) for board in boards), asked),
        "by_state": _by_state(slots),
        "reliability": reliability(slots),
        "found": sum_found([v for t in read for v in t.found]),
        "slots_off": _round(np.median([t.slots_off for t in read]) if read else None),
        "read_to_decode": _round(np.median(ratios) if ratios else None),
        "read_ms": _round(np.median([s for t in read for s in t.read_s]) * 1e3 if read else None),
        "calibrate_s": _round(np.median([t.calibrate_s for t in read]) if read else None),
        "teach_s": _round(np.median([t.teach_s for t in read]) if read else None),
        "wrong": describe_wrong(slots),
    }


def reliability(slots: Iterable[Verdict]) -> list[dict[str, Any]]:
    """For readings of like confidence: how many, what they claimed, how many were right."""
    verdicts = list(slots)
    rows = []
    for low, high in pairwise(BINS):
        last = high == BINS[-1]
        held = [
            v for v in verdicts if low <= v.confidence < high or (last and v.confidence == high)
        ]
        if held:
            rows.append(
                {
                    "from": low,
                    "to": high,
                    "readings": len(held),
                    "claimed": _round(float(np.mean([v.confidence for v in held])) * 100),
                    "right": percent(sum(v.right for v in held), len(held)),
                }
            )
    return rows


def sum_found(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Shares of what was asked; seeing a card where there is none counts as wrong only if sure."""
    asked = [v for v in verdicts if v.truth != NO_CARD]
    return {
        "asked": len(asked),
        "right": percent(sum(v.right for v in asked), len(asked)),
        "wrong_and_sure": percent(sum(v.sure and not v.right for v in verdicts), len(asked)),
        "unsure": percent(sum(not v.sure for v in asked), len(asked)),
        "not_found": percent(sum(v.said == "not found" for v in asked), len(asked)),
        "wrong": describe_wrong(verdicts),
    }


def describe_wrong(verdicts: Iterable[Verdict]) -> list[str]:
    """The worst first, a line each, not too many."""
    wrong = sorted((v for v in verdicts if not v.right), key=lambda v: -v.confidence)
    return [
        f"{v.place}: {v.truth} read as {v.said} ({v.confidence:.3f}{', sure' if v.sure else ''})"
        for v in wrong[:MOST_EXAMPLES]
    ]


def percent(part: int, whole: int) -> float | None:
    """A share in percent to a thousandth, or None of nothing."""
    return round(100 * part / whole, 3) if whole else None


def _by_state(slots: Sequence[Verdict]) -> dict[str, Any]:
    kinds: dict[str, list[Verdict]] = {}
    for verdict in slots:
        kind = "card" if "-" in verdict.truth and verdict.truth != "face-down" else verdict.truth
        kinds.setdefault(kind, []).append(verdict)
    return {
        kind: {"slots": len(held), "right": percent(sum(v.right for v in held), len(held))}
        for kind, held in sorted(kinds.items())
    }


def _round(value: Any) -> float | None:
    return None if value is None else round(float(value), 3)
