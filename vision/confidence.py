"""How sure a reading is: the chance that it is right, as measured on simulated tables."""

import json
from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from calibration.warp import Floats
from vision.assign import Indices

# Of a thousand readings at the bar, five may be wrong.
SURE = 0.985
_FITTED = json.loads(files("vision").joinpath("confidence.json").read_text("utf-8"))


@dataclass(frozen=True)
class Evidence:
    """What speaks for and against each of n slots.

    `score`: (n, m) log likelihood of each card, the back last if it is known. `best`: (n,) the
    card chosen, `margin`: (n,) how far it is ahead of what else is possible. `alike`, `explained`:
    (n,) how well it fits. `bare`: (n,) how well the empty slot fits. `sides`: (n,) how clear the
    sides of something rectangular are.
    """

    score: Floats
    best: Indices
    margin: Floats
    alike: Floats
    explained: Floats
    bare: Floats
    sides: Floats


def card_features(evidence: Evidence) -> Floats:
    """(n, 6) numbers that tell whether the chosen card is right."""
    margin = np.log1p(np.maximum(evidence.margin, 0.0))
    doubt = -np.log(np.maximum(1.02 - evidence.alike, 0.02))
    short = -np.log(np.maximum(1.02 - evidence.explained, 0.02))
    bare = evidence.bare
    return np.stack([margin, doubt, short, margin * doubt, bare, np.ones_like(bare)], axis=1)


def empty_features(evidence: Evidence) -> Floats:
    """(n, 5) numbers that tell whether the slot is empty."""
    bare = -np.log(np.maximum(1.02 - evidence.bare, 0.02))
    alike = -np.log(np.maximum(1.02 - evidence.alike, 0.02))
    sides = np.sqrt(np.maximum(evidence.sides, 0.0))
    return np.stack([bare, alike, sides, evidence.explained, np.ones_like(bare)], axis=1)


def chance(features: Floats, fitted: str) -> Floats:
    """(n,) the chance that goes with (n, k) features."""
    away = features @ np.array(_FITTED[fitted])
    return np.asarray(1 / (1 + np.exp(-np.clip(away, -30, 30))), np.float32)


def ahead(score: Floats, best: Indices) -> Floats:
    """(n,) how far the best card is ahead of the second."""
    rest = score.copy()
    rows = np.arange(len(score))
    rest[rows, best] = -np.inf
    return np.asarray(score[rows, best] - rest.max(axis=1), np.float32)
