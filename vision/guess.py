"""What each slot would be if it held a card: found, aligned and scored against the whole deck."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.bare import correlation
from calibration.align import Indices, align, make_templates
from calibration.common import find_common
from calibration.deck import Deck
from calibration.looks import looks_of
from calibration.photo import Image
from calibration.score import Fit, Scorer, Spread
from calibration.warp import Floats, take, turned
from vision.coarse import Coarse
from vision.colours import even_colours

_ALIGN = 32  # pixels of card width that are enough to align by
_TIE = 0.1  # of correlation within which both ways up are tried
_DOUBTFUL = 0.93  # part of a card explained below which other places are tried
_ASIDE = 4  # cards that may explain a pixel before it counts as covered by something else
_BY_TABLE = Spread(0.3, 0.08, 20.0)
_BY_CARD = Spread(0.15, 0.04, 15.0)
_TOGETHER = Spread(0.2, 0.05, 25.0)


@dataclass(frozen=True)
class Guess:
    """For n slots and m cards of the deck, a last one being the back if that is known.

    `score`: (n, m) log likelihood. `light`: (n, m, 4) the gains and offset fitted. `frames`:
    (n, 3, 3) of the cards, upright. `patches`: (n, h, w, 3) what lies there, in the deck's light. `explained`:
    (n,) the part of the patch that the best card accounts for; `alike`: (n,) its correlation.
    """

    score: Floats
    light: Floats
    frames: Floats
    patches: Floats
    explained: Floats
    alike: Floats


@dataclass(frozen=True)
class Try:
    """Cards tried at frames (t, 3, 3) of slots (t,): scores (t, m), how much is explained (t,)."""

    slot: Indices
    frames: Floats
    score: Floats
    explained: Floats


class Guesser:
    """Made once for a deck and the `size` (w, h) of cards; `back` may join it as a last card."""

    def __init__(self, deck: Deck, size: tuple[int, int], back: Image | None = None) -> None:
        looks = looks_of(deck, size)
        self.size = size
        self.cards = looks.cards
        self.faces = looks.pictures
        self.common = find_common(looks.cards, looks.pictures)
        backs = [] if back is None else [cv2.resize(back, size, interpolation=cv2.INTER_AREA)]
        self.pictures = np.concatenate([looks.pictures, *(b[None].astype(np.float32) for b in backs)])
        self.coarse = Coarse(self.pictures)
        self.scorer = Scorer(looks.pictures)
        self.back_scorer = None if back is None else Scorer(self.pictures[-1:])
        small = (_ALIGN, round(_ALIGN * size[1] / size[0]))
        self.zoom = np.diag([size[0] / small[0], size[1] / small[1], 1.0]).astype(np.float32)
        thumbs = [cv2.resize(p, small, interpolation=cv2.INTER_AREA) for p in self.pictures]
        self.templates = make_templates(np.array(thumbs))
        slopes = [
            np.abs(cv2.Scharr(p, cv2.CV_32F, 1, 0) / 32).max(axis=2)
            + np.abs(cv2.Scharr(p, cv2.CV_32F, 0, 1) / 32).max(axis=2)
            for p in self.pictures[:, ::2, ::2]
        ]
        self.slopes = np.array(slopes)

    def guess(self, image: Image, frames: Floats, others: Floats, gains: Floats) -> Guess:
        """Guess at (n, 3, 3) frames, or at `others` (n, k, 3, 3) where nothing fits there.

        `gains` (n, 3) is the light that the table says lies there.
        """
        n = len(frames)
        light = np.c_[gains, np.zeros(n)].astype(np.float32)
        first = self._try(image, frames, light, np.arange(n))
        doubtful = np.flatnonzero(first.explained < _DOUBTFUL)
        if len(doubtful):
            again = np.repeat(doubtful, others.shape[1])
            second = self._try(image, others[doubtful].reshape(-1, 3, 3), light, again)
            first = _joined(first, second)
        kept = _best_way(first.slot, first.score.max(axis=1), n)
        way = self._align(image, first.frames[kept], first.score[kept].argmax(axis=1), 2)
        patches = take(image, way, self.size).astype(np.float32)
        mask = self._mask(patches, first.score[kept], light)
        fit, patches = self._together(patches, mask, gains)
        best = fit.score.argmax(axis=1)
        light = fit.light[np.arange(n), best]
        explained, _ = self._explained(patches, best, light)
        seen, wanted = patches[:, ::2, ::2], self.pictures[best][:, ::2, ::2] * light[:, None, None, :3]
        alike = correlation(
            seen.reshape(n, -1, 3), wanted.reshape(n, -1, 3), mask[:, ::2, ::2].reshape(n, -1)
        )
        return Guess(fit.score, fit.light, way, patches, explained, alike)

    def _try(self, image: Image, frames: Floats, light: Floats, slot: Indices) -> Try:
        """Both ways up at each frame, aligned to the likeliest card and scored."""
        light = light[slot]
        upright, over = self.coarse.match(image, frames, 1 / light[:, :3])
        up, down = upright[1].max(axis=1), over[1].max(axis=1)
        first, second = np.flatnonzero(up > down - _TIE), np.flatnonzero(down > up - _TIE)
        which = np.concatenate([upright[1][first].argmax(1), over[1][second].argmax(1)])
        way = np.concatenate([upright[0][first], turned(over[0][second])])
        both = np.concatenate([first, second])
        way = self._align(image, way, which, 3)
        patches = take(image, way, self.size).astype(np.float32)
        mask = (patches.max(axis=3) < 250).astype(np.float32)
        fit = self._by_table(patches, mask, light[both])
        best = _best_way(both, fit.score.max(axis=1), len(frames))
        score = fit.score[best]
        top = score.argmax(axis=1)
        explained, _ = self._explained(patches[best], top, fit.light[best, top])
        return Try(slot, way[best], score, explained)

    def _explained(self, patches: Floats, which: Indices, light: Floats) -> tuple[Floats, Floats]:
        away = self._away(patches, which, light)
        rest = np.median(away, axis=(1, 2))
        return (away < _bound(rest, self.slopes[which])).mean(axis=(1, 2)), rest

    def _align(self, image: Image, frames: Floats, which: Indices, rounds: int) -> Floats:
        zoomed = align(image, frames @ self.zoom, self.templates, which, rounds)
        return zoomed @ np.linalg.inv(self.zoom)

    def _by_table(self, patches: Floats, mask: Floats, light: Floats) -> Fit:
        """Score faces and back in the light that the table says."""
        fit = self.scorer.fit(patches, mask, light, _BY_TABLE)
        if self.back_scorer is None:
            return fit
        return _beside(fit, self.back_scorer.fit(patches, mask, light, _BY_TABLE))

    def _together(self, patches: Floats, mask: Floats, gains: Floats) -> tuple[Fit, Floats]:
        """Score in the light of each card's shared part or of the table, then of all together.

        Returns patches in the deck's light, too.
        """
        n = len(patches)
        none = np.tile(np.array([1, 1, 1, 0], np.float32), (n, 1))
        by_table = patches / gains[:, None, None]
        lit, spread = by_table, _BY_TABLE
        if self.common is not None:
            lit, spread = patches / self.common.gains(patches, mask)[:, None, None], _BY_CARD
        fit = self.scorer.fit(lit, mask, none, spread)
        evened = lit
        for _ in range(2):
            best = fit.score.argmax(axis=1)
            evened = even_colours(lit, self.faces[best], mask, _trust(fit.score))
            fit = self.scorer.fit(evened, mask, none, _TOGETHER)
        if self.back_scorer is None:
            return fit, evened
        back = self.back_scorer.fit(by_table, mask, none, _BY_TABLE)
        down = back.score[:, 0] > fit.score.max(axis=1)
        evened[down] = by_table[down]
        return _beside(fit, back), evened

    def _mask(self, patches: Floats, score: Floats, light: Floats) -> Floats:
        """(n, h, w): 0 where glare or something lying over the card hides every likely card."""
        n = len(patches)
        rows = np.arange(n)
        likely = np.argsort(-score, axis=1)[:, :_ASIDE]
        fit = self._by_table(patches, (patches.max(axis=3) < 250).astype(np.float32), light)
        least = np.full(patches[:, ::2, ::2, 0].shape, np.inf, np.float32)
        for k in range(likely.shape[1]):
            away = self._away(patches, likely[:, k], fit.light[rows, likely[:, k]])
            least = np.minimum(least, away)
        rest = np.median(least, axis=(1, 2))
        bound = _bound(rest, self.slopes[likely[:, 0]])
        small = 1 / (1 + (least / bound) ** 4)
        h, w = patches.shape[1:3]
        full = np.stack([cv2.resize(s, (w, h)) for s in small])
        return full * (patches.max(axis=3) < 250)

    def _away(self, patches: Floats, which: Indices, light: Floats) -> Floats:
        """(n, h, w) at half size: grey levels between patches and cards in that light."""
        seen = patches[:, ::2, ::2]
        wanted = self.pictures[which][:, ::2, ::2] * light[:, None, None, :3]
        return np.abs(seen - wanted - light[:, None, None, 3:]).max(axis=3)


def _trust(score: Floats) -> Floats:
    """(n,) 0 to 1: how far ahead of all others the best card is."""
    first, second = np.partition(score, -2, axis=1)[:, [-1, -2]].T
    return np.asarray(1 - np.exp(-(first - second) / 20.0), np.float32)


def _bound(rest: Floats, slopes: Floats) -> Floats:
    """Grey levels within which a pixel counts as explained."""
    return 12.0 + 2.5 * np.minimum(rest, 12.0)[:, None, None] + 0.5 * slopes


def _beside(faces: Fit, back: Fit) -> Fit:
    return Fit(
        np.concatenate([faces.score, back.score], axis=1),
        np.concatenate([faces.light, back.light], axis=1),
    )


def _joined(one: Try, other: Try) -> Try:
    return Try(
        np.concatenate([one.slot, other.slot]),
        np.concatenate([one.frames, other.frames]),
        np.concatenate([one.score, other.score]),
        np.concatenate([one.explained, other.explained]),
    )


def _best_way(slot: Indices, score: Floats, n: int) -> Indices:
    """For each slot the try with the best score."""
    order = np.lexsort((score, slot))
    last = np.searchsorted(slot[order], np.arange(n), side="right") - 1
    return order[last]
