"""Cards that differ from what is under them by less than the noise of the camera."""

import numpy as np
import pytest

from calibration.lines import between_lines
from calibration.slopes import Floats

CARD = (50, 76)


def _noise(rng: np.random.Generator) -> Floats:
    return np.asarray(rng.normal(90, 6, (540, 960, 3)), np.float32)


def _cards(step: float) -> tuple[Floats, Floats]:
    """What cards add to a picture, and 1 where they lie: two rows of twelve."""
    added, lies = np.zeros((540, 960, 3), np.float32), np.zeros((540, 960), np.float32)
    for top in (150, 290):
        for number in range(12):
            left = 120 + 58 * number
            part = np.s_[top : top + CARD[1], left : left + CARD[0]]
            added[part] = (step, -step, step)
            lies[part] = 1
    return added, lies


def _glare() -> Floats:
    y, x = np.mgrid[:540, :960]
    spot = 60 * np.exp(-(((x - 300) / 60) ** 2 + ((y - 430) / 40) ** 2))
    return np.asarray(spot[..., None] * np.ones(3), np.float32)


@pytest.mark.parametrize("step", [4.0, 20.0])
def test_faint_cards_are_found_and_glare_is_not(step: float) -> None:
    rng = np.random.default_rng(1)
    added, lies = _cards(step)
    inside = between_lines(_noise(rng), _noise(rng) + added + _glare(), 24)
    assert inside[lies > 0].mean() > 0.9
    assert inside[:130].mean() < 0.02
    assert inside[380:].mean() < 0.02
    assert inside[235:280, 180:760].mean() < 0.3, "the room between the rows"


def test_nothing_lies_in_noise() -> None:
    rng = np.random.default_rng(2)
    assert between_lines(_noise(rng), _noise(rng), 24).mean() < 0.05
