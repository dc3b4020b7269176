"""How a card's back looks, and how brightly each slot is lit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.layout import Points
from calibration.photo import Image
from calibration.warp import frames_of, take

# Log tint by which a quarter of the cards may be off: backs measured up to 0.08, faces of several
# colours from 0.04 to 0.9.
_TINT = 0.11

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class BackLook:
    """`back`: (h, w, 3) uint8 in the average slot's light. `spread`: (h, w) float32, grey levels.

    `light`: slot -> (3,) float32, how many times brighter than average the slot is lit.
    """

    back: Image
    spread: Floats
    light: dict[str, Points]


def look_at_backs(
    backs: Image, gains: Mapping[str, Points], cards: Mapping[str, Points]
) -> BackLook:
    """Average the cards seen; all backs are alike, so what differs between slots is the light.

    `gains`: slot -> (3,) how many times brighter the photograph is there than the empty one.
    """
    slots = list(cards)
    corners = np.stack([cards[slot] for slot in slots])
    sides = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2).mean(axis=0)
    size = (max(8, round((sides[0] + sides[2]) / 2)), max(8, round((sides[1] + sides[3]) / 2)))
    crops = take(backs, frames_of(list(corners), size), size).astype(np.float32)
    crops /= np.stack([gains[slot] for slot in slots])[:, None, None]
    means = np.median(crops, axis=(1, 2)) + 1.0
    usual = np.median(means, axis=0)
    light = means / usual
    even = np.clip(crops / light[:, None, None], 0, 255)
    even = _all_one_way_up(even)
    back = np.median(even, axis=0)
    away = np.abs(even - back).mean(axis=3)
    return BackLook(
        np.round(back).astype(np.uint8),
        np.asarray(1.48 * np.median(away, axis=0), np.float32),
        {slot: np.asarray(lit, np.float32) for slot, lit in zip(slots, light, strict=True)},
    )


def look_alike(backs: Image, cards: Mapping[str, Points]) -> bool:
    """Whether the cards could all be backs: light differs from place to place, tint hardly."""
    size = (16, 24)
    crops = take(backs, frames_of(list(cards.values()), size), size)[:, 4:-4, 3:-3]
    bright = np.log(crops.mean(axis=(1, 2)) + 6.0)
    tint = bright - bright.mean(axis=1, keepdims=True)
    away = np.linalg.norm(tint - np.median(tint, axis=0), axis=1)
    return float(np.quantile(away, 0.75)) < _TINT


def neighbours_light(
    outlines: Mapping[str, Points], light: Mapping[str, Points]
) -> dict[str, Points]:
    """The light of every slot: its own where a card showed it, else that of the slots near it."""
    seen = list(light)
    places = np.stack([outlines[slot].mean(axis=0) for slot in seen])
    values = np.log(np.stack([light[slot] for slot in seen]))
    reach = 1.5 * float(np.median([_size(outlines[slot]) for slot in seen]))
    result = {}
    for slot, corners in outlines.items():
        if slot in light:
            result[slot] = light[slot]
            continue
        away = np.linalg.norm(places - corners.mean(axis=0), axis=1) / reach
        weight = np.exp(-(away**2) / 2) + 1e-9
        mean = (values * weight[:, None]).sum(axis=0) / weight.sum()
        result[slot] = np.exp(mean).astype(np.float32)
    return result


def slope_of_light(empty: Image, outlines: Mapping[str, Points]) -> dict[str, Points]:
    """The light of every slot without backs: one slope over the table, since slots look unlike."""
    slots: Sequence[str] = list(outlines)
    places = np.stack([outlines[slot].mean(axis=0) for slot in slots])
    places = (places - places.mean(axis=0)) / max(1.0, float(np.abs(places).max()))
    crops = take(empty, frames_of([outlines[slot] for slot in slots], (16, 24)), (16, 24))
    bright = np.log(np.median(crops.max(axis=3), axis=(1, 2)) + 8.0)
    terms = np.hstack([np.ones((len(slots), 1)), places])
    answer = np.array([np.median(bright), 0, 0])
    for _ in range(8):
        away = np.abs(bright - terms @ answer)
        weight = 1 / np.maximum(away, 0.03)
        square = (terms * weight[:, None]).T @ terms + np.diag([1e-6, 0.5, 0.5]) * len(slots)
        answer = np.linalg.solve(square, (terms * weight[:, None]).T @ bright)
    factor = np.exp(terms[:, 1:] @ answer[1:])
    return {
        slot: np.full(3, value, np.float32)
        for slot, value in zip(slots, factor / np.median(factor), strict=True)
    }


def _all_one_way_up(crops: Floats) -> Floats:
    """Turn round those that look more like the others upside down."""
    crops = crops.copy()
    for _ in range(3):
        mean = np.median(crops, axis=0)
        upside_down = crops[:, ::-1, ::-1]
        better = np.abs(upside_down - mean).mean(axis=(1, 2, 3)) < 0.98 * np.abs(crops - mean).mean(
            axis=(1, 2, 3)
        )
        if not better.any():
            break
        crops[better] = upside_down[better].copy()
    return crops


def _size(corners: Points) -> float:
    return float(np.linalg.norm(corners[2] - corners[0]))
