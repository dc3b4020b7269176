"""Which of many overlapping quadrilaterals are cards: cards in one picture are of one size.

A lone card is found by its outline. Cards that touch make one large outline; how many cards it
holds is told by the size of the others, or by what can be seen inside it.
"""

from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from calibration.edges import capped, line_scores, look_across_sides, snap_quads
from calibration.layout import Points
from calibration.photo import Image

Floats = npt.NDArray[np.float32]

FAINT = 0.3  # an outline much fainter than what it holds is none
SAME = 0.14  # how far sizes of cards in one picture differ, as a part
SHARED = 0.3
MOST_ABREAST = 5
RIM = 0.25


def choose_cards(image: Image, quads: Floats, score: Floats) -> list[Points]:
    """Cards among (n, 4, 2) outlines with (n,) edge strengths, clearest first."""
    sizes = np.log(_sizes(quads))
    area = np.array([cv2.contourArea(quad) for quad in quads])
    outer = _outermost(quads, score, area)
    size = _common_size(quads, score, sizes, area, outer)
    alike = np.abs(sizes - size).max(axis=1) < SAME
    chosen = _without_overlap(quads, [i for i in np.argsort(-score) if alike[i] and score[i] > 0])
    cards = [quads[i] for i in chosen]
    strengths = [float(score[i]) for i in chosen]
    for i in outer:
        if alike[i] or _taken(quads[i], cards) > 0.8:
            continue
        parts = _parts(quads[i], np.exp(size))
        if parts is None:
            if _taken(quads[i], cards) < SHARED:
                cards.append(quads[i])
                strengths.append(float(score[i]))
            continue
        reach = 0.06 * float(np.exp(size[0]))
        exact, strength = snap_quads(image, parts, max(2.0, reach))
        for part, rough, edge in zip(exact, parts, strength, strict=True):
            card = part if _shared(part, rough) > 0.85 else rough
            if _taken(card, cards) < SHARED:
                cards.append(card)
                strengths.append(float(edge.mean()))
    order = np.argsort(-np.array(strengths), kind="stable")
    return list(_to_the_rim(image, np.stack([cards[i] for i in order])))


def _to_the_rim(image: Image, cards: Floats) -> Floats:
    """Grow all (n, 4, 2) cards alike if a fainter edge runs all round outside: a printed border."""
    short = _sizes(cards)[:, 0]
    outward = np.linspace(0, 0.14, 29)
    profiles = []
    for card, width in zip(cards, short, strict=True):
        reach = max(4.0, 0.16 * float(width))
        sides = look_across_sides(image, card[None], reach)
        score, _ = line_scores(capped(sides.steepness()), sides)
        middle = score.shape[2] // 2
        best = score[0, :, middle - 2 : middle + 3].max(axis=1)
        at = [np.interp(outward * width, sides.across, side) for side in best]
        third = np.sort(np.stack(at), axis=0)[1]  # one side may touch another card
        profiles.append(third / max(1e-3, float(third[:4].max())))
    profile = np.median(np.stack(profiles), axis=0)
    beside = np.pad(profile, 1)
    top = (profile > beside[:-2]) & (profile >= beside[2:]) & (outward > 0.02)
    # An edge stands out from the grain of the table.
    top &= profile > max(RIM, 1.7 * float(np.median(profile[outward > 0.03])))
    if not top.any():
        return cards
    grown = outward[int(np.flatnonzero(top)[-1])] * short
    sides = np.linalg.norm(np.roll(cards, -1, axis=1) - cards, axis=2)
    wide, high = (sides[:, 0] + sides[:, 2]) / 2, (sides[:, 1] + sides[:, 3]) / 2
    across = (cards[:, 1] + cards[:, 2] - cards[:, 0] - cards[:, 3]) / 2
    down = (cards[:, 2] + cards[:, 3] - cards[:, 0] - cards[:, 1]) / 2
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    moved = np.asarray(
        cards
        + signs[None, :, :1] * (across * (grown / wide)[:, None])[:, None]
        + signs[None, :, 1:] * (down * (grown / high)[:, None])[:, None],
        np.float32,
    )
    exact, _ = snap_quads(image, moved, max(2.0, 0.03 * float(short.min())))
    close = [_shared(one, other) > 0.9 for one, other in zip(exact, moved, strict=True)]
    return np.where(np.array(close)[:, None, None], exact, moved).astype(np.float32)


def _sizes(quads: Floats) -> Floats:
    """(n, 2) short and long side."""
    sides = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
    pairs = np.stack([sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3]], axis=1) / 2
    return np.asarray(np.sort(pairs, axis=1), np.float32)


def _outermost(quads: Floats, score: Floats, area: Floats) -> list[int]:
    """Of quads that overlap the largest whose sides are about as strong as any other's."""
    kept: list[int] = []
    floor = 0.5 * FAINT * float(score.max())
    for i in sorted(np.flatnonzero(score > floor).tolist(), key=lambda i: -area[i]):
        if any(_shared(quads[i], quads[k]) > SHARED for k in kept):
            continue
        stronger = np.flatnonzero(score > score[i] / FAINT)
        if not any(_shared(quads[i], quads[k]) > SHARED for k in stronger):
            kept.append(i)
    return kept


def _common_size(
    quads: Floats, score: Floats, sizes: Floats, area: Floats, outer: list[int]
) -> Floats:
    """(2,) logarithms of the short and long side that most separate outlines have."""
    usable = np.flatnonzero(score > 0.5 * FAINT * float(score.max()))
    tried: list[Floats] = []
    best, most = sizes[outer[0]], 0.0
    for i in [*outer, *usable[np.argsort(-area[usable])].tolist()]:
        if any(np.abs(sizes[i] - other).max() < SAME / 2 for other in tried):
            continue
        tried.append(sizes[i])
        alike = usable[np.abs(sizes[usable] - sizes[i]).max(axis=1) < SAME]
        apart = _without_overlap(quads, alike[np.argsort(-score[alike])].tolist())
        # Printed frames are as many as the cards they lie in, but smaller.
        count = len(apart) * float(area[i]) ** 0.3
        if count > most * 1.02:
            most, best = count, np.median(sizes[apart], axis=0)
    return np.asarray(best, np.float32)


def _without_overlap(quads: Floats, order: list[int]) -> list[int]:
    kept: list[int] = []
    for i in order:
        if all(_shared(quads[i], quads[k]) < SHARED for k in kept):
            kept.append(i)
    return kept


def _parts(quad: Points, size: Floats) -> Floats | None:
    """(n, 4, 2) cards of a size laid side by side in a larger outline, if they fill it."""
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    wide, high = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    best, fault = None, SAME
    for (across, down), turned in product(
        product(range(1, MOST_ABREAST + 1), repeat=2), (False, True)
    ):
        short, long = size[::-1] if turned else size
        wrong = max(abs(np.log(wide / (across * short))), abs(np.log(high / (down * long))))
        if across * down > 1 and wrong < fault:
            best, fault = (across, down), wrong
    if best is None:
        return None
    across, down = best
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    corners = []
    for row, column in product(range(down), range(across)):
        corners.append((unit + np.array([column, row])) / (across, down))
    matrix = cv2.getPerspectiveTransform(unit, np.asarray(quad, np.float32))
    flat = np.array(corners, np.float32).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(flat, matrix).reshape(-1, 4, 2), np.float32)


def _taken(quad: Points, cards: list[Points]) -> float:
    """The part of a quad that chosen cards cover."""
    area = max(1.0, float(cv2.contourArea(quad)))
    return sum(float(cv2.intersectConvexConvex(quad, card)[0]) for card in cards) / area


def _shared(one: Points, other: Points) -> float:
    """The shared part of the smaller one."""
    low = np.maximum(one.min(axis=0), other.min(axis=0))
    high = np.minimum(one.max(axis=0), other.max(axis=0))
    if (low >= high).any():
        return 0.0
    area, _ = cv2.intersectConvexConvex(one, other)
    return float(area) / max(1.0, min(cv2.contourArea(one), cv2.contourArea(other)))
