"""Card-like outlines: the outer edge, exact corners, any turn, touching ones told apart."""

import cv2
import numpy as np
import pytest

from calibration.layout import Points
from calibration.photo import Image
from calibration.quads import find_quads
from vision.simulated import print_deck, scatter_photo


def _ground(seed: int) -> Image:
    rng = np.random.default_rng(seed)
    coarse = rng.integers(60, 90, (18, 32, 3)).astype(np.uint8)
    ground = cv2.resize(coarse, (1280, 720), interpolation=cv2.INTER_CUBIC).astype(np.int16)
    noisy = np.clip(ground + rng.integers(-6, 7, ground.shape), 0, 255)
    return np.asarray(noisy, np.uint8)


def _draw(photo: Image, corners: Points, border: float = 8) -> None:
    """A card with a white border and a red ground, drawn to a sixteenth of a pixel."""
    middle = corners.mean(axis=0)
    across, down = (corners[1] - corners[0]) / 2, (corners[3] - corners[0]) / 2
    for less, colour in ((0.0, (235, 240, 240)), (border, (40, 40, 200))):
        x = across * (1 - less / np.linalg.norm(across))
        y = down * (1 - less / np.linalg.norm(down))
        signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        points = middle + signs[:, :1] * x + signs[:, 1:] * y
        cv2.fillConvexPoly(
            photo, np.round(points * 16).astype(np.int32), colour, cv2.LINE_AA, shift=4
        )


def _card(x: float, y: float, w: float, h: float, turn: float) -> Points:
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    half = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2
    return np.asarray(half @ np.array([[c, s], [-s, c]]) + (x, y), np.float32)


def _off(found: Points, truth: Points) -> float:
    """The farthest corner, whichever corner is the first."""
    return min(
        float(np.linalg.norm(np.roll(found, k, axis=0) - truth, axis=1).max()) for k in range(4)
    )


@pytest.mark.parametrize("turn", [0.0, 7.0, 45.0, 80.0, 133.0])
def test_one_card_at_any_turn(turn: float) -> None:
    photo, truth = _ground(1), _card(620, 350, 180, 280, turn)
    _draw(photo, truth)
    found = find_quads(photo)
    assert len(found) == 1
    assert _off(found[0], truth) < 1.5
    area = cv2.contourArea(found[0], True)
    assert area > 0, "clockwise in the picture"


def test_seen_from_the_side() -> None:
    photo = _ground(2)
    truth = np.array([[400, 200], [640, 220], [660, 560], [360, 540]], np.float32)
    cv2.fillConvexPoly(photo, truth.astype(np.int32), (40, 40, 200), cv2.LINE_AA)
    found = find_quads(photo)
    assert len(found) == 1
    assert _off(found[0], truth) < 1.5


def test_touching_cards_are_told_apart() -> None:
    photo = _ground(3)
    truth = [_card(200 + 101 * i, 300, 100, 155, 0) for i in range(3)]
    truth += [_card(800, 200, 100, 155, 30), _card(1000, 500, 100, 155, 110)]
    for corners in truth:
        _draw(photo, corners)
    found = find_quads(photo)
    assert len(found) == 5
    for corners in truth:
        assert min(_off(quad, corners) for quad in found) < 6


def test_nothing_to_find() -> None:
    assert find_quads(np.full((480, 640, 3), 120, np.uint8)) == []


def test_scattered_cards_of_a_printed_deck() -> None:
    deck = print_deck(1002)
    photo = scatter_photo(1002, deck, list(deck.faces)[:12], "gentle", card_width=75)
    found = find_quads(photo.image)
    near = [min(_off(quad, corners) for quad in found) for _, corners in photo.cards]
    assert sum(off < 5 for off in near) >= 11
