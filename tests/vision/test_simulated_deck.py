"""Printed decks: every card of every style can be told from every other."""

import itertools

import cv2
import numpy as np
import pytest

from vision.simulated import print_deck
from vision.simulated.faces import STYLES
from vision.simulated.palette import LEAST_APART, contrast, mix_inks


def _seen(face: np.ndarray) -> np.ndarray:
    """The face as small as the camera sees it, slightly blurred."""
    return cv2.GaussianBlur(cv2.resize(face, (75, 115), interpolation=cv2.INTER_AREA), (0, 0), 1.0)


@pytest.mark.parametrize("style", STYLES)
def test_all_cards_of_a_style_differ_as_the_camera_sees_them(style: str) -> None:
    for seed in (1000, 1001):
        deck = print_deck(seed, style)
        seen = {name: _seen(face).astype(np.int16) for name, face in deck.faces.items()}
        for one, other in itertools.combinations(seen, 2):
            apart = np.abs(seen[one] - seen[other]).max(2)
            assert (apart > 30).sum() >= 25, f"{style} {seed}: {one} and {other} look the same"


def test_a_deck_is_colours_times_ranks_in_any_words() -> None:
    deck = print_deck(1002, colours=("red", "mauve"), ranks=("3", "12", "king"))
    assert sorted(deck.faces) == sorted(
        ["red-3", "red-12", "red-king", "mauve-3", "mauve-12", "mauve-king"]
    )


def test_the_same_seed_prints_the_same_deck_and_another_another() -> None:
    deck, again, other = print_deck(1003), print_deck(1003), print_deck(1004)
    assert all((deck.faces[name] == again.faces[name]).all() for name in deck.faces)
    assert (deck.back == again.back).all()
    assert np.abs(deck.back.astype(int) - other.back).mean() > 10


def test_seeds_bring_every_style() -> None:
    few = ("red",)
    assert {print_deck(seed, colours=few, ranks=few).style for seed in range(1000, 1080)} == set(
        STYLES
    )


def test_an_unknown_style_is_refused() -> None:
    with pytest.raises(ValueError, match="expected one of full-centre"):
        print_deck(1000, "braille")


def test_palettes_differ_and_are_sometimes_close() -> None:
    names = ("red", "orange", "yellow", "white")
    palettes = [mix_inks(names, np.random.default_rng(seed)) for seed in range(40)]
    nearest = [
        min(contrast(a, b) for a, b in itertools.combinations(inks.values(), 2))
        for inks in palettes
    ]
    assert min(nearest) >= LEAST_APART
    assert min(nearest) < LEAST_APART + 8
    assert max(nearest) > LEAST_APART + 20
