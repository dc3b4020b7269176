"""Which card belongs to which slot: lay the layout over the map of possible cards."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.frame import Floats, Frame, Heap
from calibration.layout import Layout, SlotShape
from calibration.rectangles import (
    Kind,
    agreement,
    extent,
    kind_in_frame,
    respond,
    size_cards,
    swollen,
)
from calibration.settling import Reals, settle
from calibration.turning import half_turned

STEP = 3  # frame pixels a step of the search
LOOSE = 0.25  # how far a card may lie from where the stretched layout says, in card widths
STRETCHES = tuple(float(s) for s in np.geomspace(0.78, 1.5, 14))
CROWDED = 0.85  # slots nearer than this part of a card would make cards overlap
ALIKE = 0.97
GAP = 0.25  # gaps between cards up to twice this do not count, in card widths
TRIES = 8


@dataclass(frozen=True)
class Placing:
    """The layout laid over a frame.

    `quarter`: quarter turns of the layout clockwise in the frame. `scales`: frame pixels a layout
    unit of a card's size, across and down. `centres`: slot -> (x, y) in the frame where its card
    is or would be. `fits`: slot -> how well a card fits there, 0 to 1. `turns`: slot -> degrees
    askew. `claims`: slot -> its fit, less the farther the card lies from where neighbours say.
    `score`: how well all of it fits. `rival`: the same for the best placing in which most slots
    lie elsewhere.
    """

    frame: Frame
    quarter: int
    scales: tuple[float, float]
    centres: dict[str, Reals]
    fits: dict[str, float]
    turns: dict[str, float]
    claims: dict[str, float]
    score: float
    rival: float


def place(heap: Heap, layout: Layout) -> list[Placing]:
    """The likeliest placings, best first: of the four quarter turns those that are as good."""
    found: list[Placing] = []
    sizes = size_cards(heap, layout)
    best = max(sized.score for _, sized in sizes)
    partner = half_turned(layout)
    for quarter, sized in sizes:
        if sized.score < 0.85 * best:
            continue
        frame, scales = sized.frame, (sized.across, sized.down)
        maps = _maps(frame, layout, scales, bool(quarter))
        found.append(_lay_over(frame, layout, scales, quarter, maps))
        if partner is None:
            found.append(_lay_over(frame, layout, scales, quarter + 2, maps))
        else:
            found.append(_renamed(found[-1], partner))
    found.sort(key=lambda placing: -placing.score)
    return [placing for placing in found if placing.score >= ALIKE * found[0].score]


def _renamed(placing: Placing, partner: dict[str, str]) -> Placing:
    """The same placing looked at from the other side."""
    return replace(
        placing,
        quarter=placing.quarter + 2,
        centres={slot: placing.centres[other] for slot, other in partner.items()},
        fits={slot: placing.fits[other] for slot, other in partner.items()},
        turns={slot: placing.turns[other] for slot, other in partner.items()},
        claims={slot: placing.claims[other] for slot, other in partner.items()},
    )


def _kind(slot: SlotShape) -> Kind:
    return (slot.w, slot.h, round(slot.turn % 180, 0))


def _maps(
    frame: Frame, layout: Layout, scales: tuple[float, float], quarter: bool
) -> dict[Kind, tuple[Floats, Floats]]:
    """For every kind of slot how well it fits where, and how askew.

    Whether cards are slimmer than in the layout or are seen from the side cannot be told from
    upright ones; so lying ones are tried both ways.
    """
    shapes = [_kind(slot) for slot in layout.slots.values()]
    common = max(set(shapes), key=shapes.count)
    ratio = scales[1] / scales[0]
    maps = {}
    for kind in set(shapes):
        tries = []
        for part in (0.0,) if kind[2] == common[2] else (0.0, 0.5, 1.0):
            # part 0: the ratio is the camera's; part 1: it is the cards'
            lying = kind_in_frame(kind, scales, quarter)
            slim = ratio ** (part if _lies(common, quarter) else -part)
            tries.append(respond(frame, (lying[0] / slim, lying[1] * slim, lying[2])))
        fits = np.stack([fit for fit, _ in tries])
        chosen = fits.argmax(axis=0)[None]
        turns = np.stack([turn for _, turn in tries])
        maps[kind] = (fits.max(axis=0), np.take_along_axis(turns, chosen, axis=0)[0])
    return maps


def _lies(kind: Kind, quarter: bool) -> bool:
    return round((kind[2] + 90 * quarter) / 90) % 2 == 1


def _lay_over(
    frame: Frame,
    layout: Layout,
    scales: tuple[float, float],
    turned: int,
    maps: dict[Kind, tuple[Floats, Floats]],
) -> Placing:
    """Stretch and move the layout over the maps, settle the best few tries, take the best."""
    names = list(layout.slots)
    kinds = [_kind(slot) for slot in layout.slots.values()]
    cards = [kind_in_frame(kind, scales, turned % 2 == 1) for kind in kinds]
    width = min(cards[0][:2])
    gap = round(GAP * width)
    swell, fat = swollen(frame.inside, gap), [(w + 2 * gap, h + 2 * gap, t) for w, h, t in cards]
    tries = [
        (score * agreement(swell, zip(points, fat, strict=True)) ** 2, points)
        for score, points in _tries(frame, layout, scales, turned, maps)
    ]
    tries.sort(key=lambda scored: -scored[0])
    distinct: list[Reals] = []
    for _, points in tries:
        if all(_apart(points, other) > 0.3 * width for other in distinct):
            distinct.append(points)
        if len(distinct) == TRIES:
            break
    settled = [settle(points, [maps[kind] for kind in kinds], width) for points in distinct]
    scores = []
    for done in settled:
        taken = [
            (centre, card)
            for centre, card, claim in zip(done.centres, fat, done.claims, strict=True)
            if claim > 0
        ]
        scores.append(float(done.claims.sum()) * agreement(swell, taken) ** 2)
    order = np.argsort(scores)[::-1]
    best = settled[order[0]]
    rivals = [
        scores[i] for i in order[1:] if _apart(settled[i].centres, best.centres) > 0.5 * width
    ]
    return Placing(
        frame,
        turned,
        scales,
        dict(zip(names, best.centres, strict=True)),
        dict(zip(names, best.fits.tolist(), strict=True)),
        dict(zip(names, best.turns.tolist(), strict=True)),
        dict(zip(names, best.claims.tolist(), strict=True)),
        scores[order[0]],
        max(rivals, default=0.0),
    )


def _tries(
    frame: Frame,
    layout: Layout,
    scales: tuple[float, float],
    turned: int,
    maps: dict[Kind, tuple[Floats, Floats]],
) -> Iterator[tuple[float, Reals]]:
    """Score and (n, 2) places of the layout at every stretch, at its best two positions."""
    flat = np.array([(s.x, s.y) for s in layout.slots.values()])
    flat = (flat - flat.mean(axis=0)) @ _quarter_turn(turned).T * scales
    kinds = [_kind(slot) for slot in layout.slots.values()]
    card = frame.unit * min(kinds[0][:2])
    reach = 2 * round(LOOSE * card) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
    height, width = frame.inside.shape
    room = (-(-height // STEP), -(-width // STEP))
    pad = [int(span) // STEP + 2 for span in np.abs(flat).max(axis=0) * max(STRETCHES)]
    loose = {
        kind: np.pad(cv2.dilate(fit, disc)[::STEP, ::STEP], ((pad[1],) * 2, (pad[0],) * 2))
        for kind, (fit, _) in maps.items()
    }
    around = int(0.7 * card) // STEP
    half = np.array([extent(kind_in_frame(k, scales, turned % 2 == 1)) for k in kinds]) / 2
    room_for = np.abs(flat[:, None] - flat[None]) / (half[:, None] + half[None])
    room_for += 9 * np.eye(len(flat))[..., None]
    for across in STRETCHES:
        for down in STRETCHES:
            if (room_for * (across, down)).max(axis=2).min() < CROWDED:
                continue
            points = flat * (across, down)
            total = np.zeros(room, np.float32)
            for (x, y), kind in zip(np.round(points / STEP).astype(int), kinds, strict=True):
                top, left = pad[1] + y, pad[0] + x
                total += loose[kind][top : top + room[0], left : left + room[1]]
            for _ in range(2):
                y, x = np.unravel_index(int(total.argmax()), room)
                yield float(total[y, x]), points + np.array([x, y]) * STEP
                total[max(0, y - around) : y + around + 1, max(0, x - around) : x + around + 1] = 0


def _apart(one: Reals, other: Reals) -> float:
    return float(np.median(np.linalg.norm(one - other, axis=1)))


def _quarter_turn(turned: int) -> Reals:
    c, s = [(1, 0), (0, 1), (-1, 0), (0, -1)][turned % 4]
    return np.array([[c, -s], [s, c]], float)
