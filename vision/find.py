"""Find cards of a taught deck lying anywhere in a picture, with no table to go by."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from calibration.deck import Deck
from calibration.layout import Points
from calibration.photo import Image
from calibration.quads import find_quads
from calibration.warp import Floats, Halves, corners_of, frames_of, take
from vision.confidence import SURE, Evidence, ahead, chance, features
from vision.guess import Guess, Guesser

_WIDE = 64  # pixels of card width that cards are compared with
_SQUARE = 1.2  # decks less long than this may lie either way in their outline
_LEAST_ALIKE = 0.55  # below this it is no card of this deck
_ASPECT_OFF = 1.35  # outlines much longer or shorter than the deck's cards are none


@dataclass(frozen=True)
class Found:
    """One card: `corners` (4, 2) float32 in the picture, clockwise from the card's top left."""

    card: str
    corners: Points
    confidence: float
    sure: bool

    def to_json(self) -> dict[str, Any]:
        """As `cairn find` prints it."""
        return {
            "card": self.card,
            "corners": np.round(self.corners.astype(float), 1).tolist(),
            "confidence": round(self.confidence, 4),
            "sure": self.sure,
        }


class Finder:
    """Made once for a deck; finds its cards in picture after picture."""

    def __init__(self, deck: Deck) -> None:
        h, w = deck.crops.shape[1:3]
        self.aspect = h / w
        self.guesser = Guesser(deck, (_WIDE, round(_WIDE * h / w / 2) * 2))
        self.bright = float(np.quantile(deck.crops.mean(axis=3), 0.9))

    def find(self, image: Image) -> list[Found]:
        """All cards of the deck that lie in the picture, the surest first."""
        quads = [q for quad in find_quads(image) if (q := self._upright(quad)) is not None]
        if not quads:
            return []
        width = float(np.median([np.linalg.norm(q[1] - q[0]) for q in quads]))
        shrink = min(1.0, 1.4 * _WIDE / width)
        small = np.asarray(
            cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8
        )
        size = self.guesser.size
        frames = frames_of([q * shrink for q in quads], size)
        guess = self._guess(small, frames)
        return self._named(guess, corners_of(guess.frames, size) / shrink)

    def _upright(self, quad: Points) -> Points | None:
        """The outline with a short side first, or None if it has not the shape of a card."""
        sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
        across, along = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
        if across > along:
            quad, across, along = np.roll(quad, -1, axis=0), along, across
        longer = max(self.aspect, 1 / self.aspect)
        if not longer / _ASPECT_OFF < along / across < longer * _ASPECT_OFF:
            return None
        return np.roll(quad, -1, axis=0) if self.aspect < 1 else quad

    def _guess(self, image: Image, frames: Floats) -> Guess:
        """First in the light each card seems to lie in, then in the light of all together."""
        picture = Halves(image)
        seen = take(image, frames, self.guesser.size).mean(axis=3)
        gains = np.quantile(seen.reshape(len(seen), -1), 0.9, axis=1) / self.bright
        gains = np.repeat(np.clip(gains, 0.15, 3.0)[:, None], 3, axis=1).astype(np.float32)
        others = frames[:, None]
        if max(self.aspect, 1 / self.aspect) < _SQUARE:
            quarter = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]], np.float32)
            others = (frames @ quarter)[:, None]
        every = np.ones(len(frames), bool)
        guess = self.guesser.guess(picture, frames, others, gains, every)
        known = guess.alike > 0.8
        if not known.any():
            return guess
        light = guess.light[:, :3]
        bright = np.median((gains * light.mean(axis=1, keepdims=True))[known, 0])
        gains = np.full_like(gains, np.clip(bright, 0.15, 3.0))
        return self.guesser.guess(picture, frames, others, gains, every)

    def _named(self, guess: Guess, corners: Floats) -> list[Found]:
        best = guess.score.argmax(axis=1)
        none = np.zeros(len(best), np.float32)
        evidence = Evidence(
            score=guess.score,
            best=best,
            margin=ahead(guess.score, best),
            alike=guess.alike,
            explained=guess.explained,
            bare=none,
            shaded=none + 0.3,
            sides=none + 0.3,
            # What lies under a loose card nobody knows.
            apart=guess.alike,
        )
        chances = chance(features(evidence), "card")
        found = [
            Found(self.guesser.cards[k], corners[i], float(chances[i]), bool(chances[i] >= SURE))
            for i, k in enumerate(best)
            if guess.alike[i] >= _LEAST_ALIKE
        ]
        return sorted(found, key=lambda card: -card.confidence)


def find_cards(image: Image, deck: Deck) -> Sequence[Found]:
    """All cards of the deck that lie in the picture, the surest first."""
    return Finder(deck).find(image)
