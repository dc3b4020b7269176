"""What each slot would be if it held a card: found, aligned and scored against the whole deck."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.align import align, make_templates
from calibration.bare import correlation
from calibration.common import find_common
from calibration.deck import Deck
from calibration.looks import looks_of
from calibration.photo import Image
from calibration.score import Fit, Scorer, Spread
from calibration.warp import Bools, Crops, Floats, Halves, Indices, brightest, shrink, turned
from vision.coarse import Coarse
from vision.colours import even_colours

_ALIGN = 32  # pixels of card width that are enough to align by
_TELLING = 0.45  # of the pixels are aligned by
_ROUNDS = 2
_TIE = 0.15  # of correlation within which both ways up are tried
_DOUBTFUL = 0.93  # part of a card explained below which other places are tried
_ASIDE = 4  # cards that may explain a pixel before it counts as covered by something else
_BURNT = 250
_BY_TABLE = Spread(0.3, 0.08, 20.0)
_BY_CARD = Spread(0.15, 0.04, 15.0)
_TOGETHER = Spread(0.2, 0.05, 25.0)


@dataclass(frozen=True)
class Guess:
    """For n slots and m cards of the deck, a last one being the back if that is known.

    `score`: (n, m) log likelihood. `light`: (n, 4) the best card's gains and offset. `frames`:
    (n, 3, 3) of the cards, upright. `patches`: (n, h, w, 3) what lies there, in the deck's
    light. `explained`: (n,) the part of it that the best card accounts for; `alike`: (n,) its
    correlation with the best card.
    """

    score: Floats
    light: Floats
    frames: Floats
    patches: Floats
    explained: Floats
    alike: Floats


@dataclass(frozen=True)
class Try:
    """Cards tried at frames (t, 3, 3) of slots (t,).

    `score`: (t, m), in `light` (t, m, 4); `explained`: (t,) the part that the best accounts for.
    """

    slot: Indices
    frames: Floats
    score: Floats
    light: Floats
    explained: Floats


class Guesser:
    """Made once for a deck and the even `size` (w, h) of cards; a `back` joins as a last card."""

    def __init__(self, deck: Deck, size: tuple[int, int], back: Image | None = None) -> None:
        looks = looks_of(deck, size)
        self.size = size
        self.cards = looks.cards
        self.faces = looks.pictures
        self.common = find_common(looks.cards, looks.pictures)
        pictures = list(looks.pictures)
        if back is not None:
            pictures.append(cv2.resize(back, size, interpolation=cv2.INTER_AREA).astype(np.float32))
        self.pictures = np.array(pictures)
        self.coarse = Coarse(self.pictures)
        self.scorer = Scorer(looks.pictures)
        self.back_scorer = None if back is None else Scorer(np.array(pictures[-1:]))
        self.half = (size[0] // 2, size[1] // 2)
        self.double = np.diag([2.0, 2.0, 1.0]).astype(np.float32)
        halves = [cv2.resize(p, self.half, interpolation=cv2.INTER_AREA) for p in pictures]
        self.halves = np.array(halves)
        faces = len(self.cards)
        self.quick = Scorer(self.halves[:faces])
        self.quick_back = None if back is None else Scorer(self.halves[faces:])
        self.slopes = np.array([_slope(p) for p in self.halves])
        small = (_ALIGN, round(_ALIGN * size[1] / size[0]))
        self.zoom = np.diag([size[0] / small[0], size[1] / small[1], 1.0]).astype(np.float32)
        thumbs = [cv2.resize(p, small, interpolation=cv2.INTER_AREA) for p in pictures]
        self.templates = make_templates(np.array(thumbs), _TELLING)

    def guess(
        self, picture: Halves, frames: Floats, others: Floats, gains: Floats, worth: Bools
    ) -> Guess:
        """Guess at (n, 3, 3) frames, or at `others` (n, k, 3, 3) where nothing fits there.

        `gains` (n, 3) is the light that the table says lies there; `worth` (n,) tells which
        slots are worth looking at again.
        """
        n = len(frames)
        light = np.c_[gains, np.zeros(n)].astype(np.float32)
        tried = self._try(picture, frames, light, np.arange(n))
        doubtful = np.flatnonzero((tried.explained < _DOUBTFUL) & worth)
        if len(doubtful) and others.shape[1]:
            again = np.repeat(doubtful, others.shape[1])
            second = self._try(picture, others[doubtful].reshape(-1, 3, 3), light, again)
            tried = _joined(tried, second)
        kept = _best_way(tried.slot, tried.score.max(axis=1), n)
        way = self._align(picture, tried.frames[kept], tried.score[kept].argmax(axis=1))
        patches = picture.take(way, self.size)
        mask = self._mask(patches, tried.score[kept], tried.light[kept])
        fit, evened = self._together(patches, mask, gains)
        best = fit.score.argmax(axis=1)
        light = fit.light[np.arange(n), best]
        half = shrink(evened, 2)
        explained = self._explained(half, best, light)
        wanted = self.halves[best] * light[:, None, None, :3]
        weight = shrink(mask, 2).reshape(n, -1)
        alike = correlation(half.reshape(n, -1, 3), wanted.reshape(n, -1, 3), weight)
        return Guess(fit.score, light, way, evened, explained, alike)

    def _try(self, picture: Halves, frames: Floats, light: Floats, slot: Indices) -> Try:
        """Both ways up at each frame, aligned to the likeliest card and scored."""
        light = light[slot]
        upright, over = self.coarse.match(picture, frames, 1 / light[:, :3])
        up, down = upright[1].max(axis=1), over[1].max(axis=1)
        first, second = np.flatnonzero(up > down - _TIE), np.flatnonzero(down > up - _TIE)
        which = np.concatenate([upright[1][first].argmax(1), over[1][second].argmax(1)])
        way = np.concatenate([upright[0][first], turned(over[0][second])])
        both = np.concatenate([first, second])
        way = self._align(picture, way, which)
        half = picture.take(way @ self.double, self.half)
        fit = self._by_table(half, light[both])
        best = _best_way(both, fit.score.max(axis=1), len(frames))
        score = fit.score[best]
        top = score.argmax(axis=1)
        explained = self._explained(half[best].astype(np.float32), top, fit.light[best, top])
        return Try(slot, way[best], score, fit.light[best], explained)

    def _align(self, picture: Halves, frames: Floats, which: Indices) -> Floats:
        """The frames (n, 3, 3), fitted onto cards `which` (n,)."""
        zoomed = frames @ self.zoom
        image, smaller = picture.fitting(zoomed)
        fitted = align(image, smaller @ zoomed, self.templates, which, _ROUNDS)
        return np.linalg.inv(smaller) @ fitted @ np.linalg.inv(self.zoom)

    def _by_table(self, half: Crops, light: Floats) -> Fit:
        """Score faces and back at half size, in the light that the table says."""
        patches, mask = half.astype(np.float32), (brightest(half) < _BURNT).astype(np.float32)
        fit = self.quick.fit(patches, mask, light, _BY_TABLE)
        if self.quick_back is None:
            return fit
        return _beside(fit, self.quick_back.fit(patches, mask, light, _BY_TABLE))

    def _together(self, crops: Crops, mask: Floats, gains: Floats) -> tuple[Fit, Floats]:
        """Score in the light of each card's shared part or of the table, then of all together.

        Returns patches in the deck's light, too.
        """
        n = len(crops)
        patches = crops.astype(np.float32)
        none = np.tile(np.array([1, 1, 1, 0], np.float32), (n, 1))
        lit, spread = _lit(patches, gains), _BY_TABLE
        back = None if self.back_scorer is None else self.back_scorer.fit(lit, mask, none, spread)
        by_table = lit
        if self.common is not None:
            lit, spread = _lit(patches, self.common.gains(patches, mask)), _BY_CARD
        half, half_mask = shrink(lit, 2), shrink(mask, 2)
        fit = self.quick.fit(half, half_mask, none, spread)
        change, shift = even_colours(half, self.halves[fit.score.argmax(1)], half_mask, fit.score)
        evened = _evened(lit, change, shift)
        fit = self.scorer.fit(evened, mask, none, _TOGETHER)
        if back is None:
            return fit, evened
        down = back.score[:, 0] > fit.score.max(axis=1)
        evened[down] = by_table[down]
        return _beside(fit, back), evened

    def _mask(self, patches: Crops, score: Floats, light: Floats) -> Floats:
        """(n, h, w): 0 where glare or something lying over the card hides every likely card.

        `light` (n, m, 4) is that of each card.
        """
        half = shrink(patches, 2)
        seen = half.astype(np.float32)
        rows = np.arange(len(patches))
        likely = np.argsort(-score, axis=1)[:, :_ASIDE]
        least = np.full(half.shape[:3], np.inf, np.float32)
        for k in range(likely.shape[1]):
            away = self._away(seen, likely[:, k], light[rows, likely[:, k]])
            np.minimum(least, away, out=least)
        bound = _bound(least, self.slopes[likely[:, 0]])
        small = 1 / (1 + (least / bound) ** 4)
        h, w = patches.shape[1:3]
        full = np.stack([cv2.resize(s, (w, h)) for s in small])
        return full * (brightest(patches) < _BURNT)

    def _explained(self, half: Floats, which: Indices, light: Floats) -> Floats:
        """(n,) the part of patches at half size that cards account for in that light."""
        away = self._away(half, which, light)
        return np.asarray((away < _bound(away, self.slopes[which])).mean(axis=(1, 2)), np.float32)

    def _away(self, half: Floats, which: Indices, light: Floats) -> Floats:
        """(n, h, w) grey levels between patches at half size and cards in that light."""
        away = half - self.halves[which] * light[:, None, None, :3]
        away -= light[:, None, None, 3:]
        np.abs(away, out=away)
        return brightest(away)


def _lit(patches: Floats, gains: Floats) -> Floats:
    """Patches (n, h, w, 3) with their light, gains (n, 3), taken off."""
    n, h, w = patches.shape[:3]
    # Whole rows at a time: numpy is slow where the last axis has but three numbers.
    rows = patches.reshape(n, h, -1) * np.tile(1 / gains, w)[:, None].astype(np.float32)
    return np.asarray(rows.reshape(patches.shape))


def _evened(patches: Floats, change: Floats, shift: Floats) -> Floats:
    """(patches - shift) @ change, for patches (n, h, w, 3)."""
    matrix = np.column_stack([change.T, -shift @ change])
    out = cv2.transform(patches.reshape(-1, 1, 3), matrix)
    return np.asarray(out.reshape(patches.shape), np.float32)


def _slope(picture: Floats) -> Floats:
    dx, dy = cv2.Scharr(picture, cv2.CV_32F, 1, 0), cv2.Scharr(picture, cv2.CV_32F, 0, 1)
    return np.asarray((np.abs(dx) + np.abs(dy)).max(axis=2) / 32, np.float32)


def _bound(away: Floats, slopes: Floats) -> Floats:
    """Grey levels within which a pixel counts as explained, given how far all are off."""
    rest = np.median(away[:, ::2, ::2], axis=(1, 2))
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
        np.concatenate([one.light, other.light]),
        np.concatenate([one.explained, other.explained]),
    )


def _best_way(slot: Indices, score: Floats, n: int) -> Indices:
    """For each slot the try with the best score."""
    order = np.lexsort((score, slot))
    last = np.searchsorted(slot[order], np.arange(n), side="right") - 1
    return np.asarray(order[last], np.intp)
