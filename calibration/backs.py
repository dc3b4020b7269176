"""Slots from two photographs: the tiles empty, then a card face down in every slot."""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.change import Change, Comparison
from calibration.evidence import beyond, crowding, left_over, likeness
from calibration.flat import Reals, View, view_from_matrix
from calibration.frame import find_heap
from calibration.layout import Layout, Points
from calibration.measure import measure_cards
from calibration.model import Model, common_width, fit_model, turn_by
from calibration.photo import Image
from calibration.placing import Placing, place
from calibration.understood import Understood, doubt
from calibration.warp import frames_of, take

WORK, ROUGH = 2000, 960
CLEAR = 3.5  # how many times steeper than usual outlines are
MOST, SOME = 0.9, 0.75  # of the slots
ODD, AS_WELL = 0.6, 1.0  # trust in a card that lies oddly; how well it fits elsewhere
GOOD, BEST = 0.8, 0.84  # how much sense cards make, see Understood


def understand(empty: Image, backs: Image, layout: Layout) -> Understood | None:
    """Find the cards that were laid, name their slots and learn where the slots are.

    What changed is told by clear outlines; where that leaves many slots bare or in doubt, by
    straight lines, and if there is still doubt by colour alone; what makes most sense is taken.
    """
    scale = min(1.0, WORK / max(empty.shape[:2]))
    empty, backs = _resized(empty, scale), _resized(backs, scale)
    compared = Comparison(empty, backs)
    ways: tuple[Callable[[], Change], ...] = (
        lambda: compared.by_outlines(CLEAR),
        lambda: compared.by_lines(len(layout.slots)),
        compared.by_colour,
    )
    best: Understood | None = None
    for number, way in enumerate(ways):
        seen = _understand(way(), empty, scale, layout)
        if seen is not None and (best is None or _merit(seen, layout) > _merit(best, layout)):
            best = seen
        sure = best is not None and doubt(best, layout) is None
        if best is not None and sure and (number > 0 or _enough(best, layout)):
            break
    return best


def _enough(seen: Understood, layout: Layout) -> bool:
    """Whether so few slots are bare that cards are missing there rather than overlooked."""
    part = len(seen.cards) / len(layout.slots)
    return (seen.sense > GOOD and part >= MOST) or (seen.sense > BEST and part >= SOME)


def _merit(seen: Understood, layout: Layout) -> tuple[bool, float]:
    return doubt(seen, layout) is None, seen.sense * seen.likeness * len(seen.cards)


def _understand(change: Change, empty: Image, scale: float, layout: Layout) -> Understood | None:
    """Slots from what changed; all pictures shrunk by `scale`."""
    rough = _rough(change, layout)
    if rough is None or len(rough.found) < 4:
        return None
    view = _rough_view(rough, layout)
    cards = _rough_cards(view, rough, layout)
    model = fit_model(layout, view, cards, exact=0.4)
    for resize, reach in ((True, 0.3), (True, 0.15), (False, 0.06)):
        if not resize:
            cards = _reconsidered(rough.change, model, cards)
        cards = {**cards, **_measured(rough.change, model, cards, reach, resize)[0]}
        model = fit_model(layout, model.view, cards)
    outlines = {slot: model.outline(slot) for slot in layout.slots}
    return Understood(
        {slot: _enlarged(corners, scale) for slot, corners in outlines.items()},
        {slot: _enlarged(corners, scale) for slot, corners in cards.items()},
        _gains(empty, rough.change, outlines),
        beyond(rough.change, model, cards) + _several(left_over(rough.change, model, cards)),
        crowding(model),
        float(np.mean(list(model.trust.values()))),
        likeness(rough.change, list(cards.values())),
    )


def _several(cards: int) -> int:
    """A single card beside the row may have been put aside there; more belong to it."""
    return cards if cards > 1 else 0


@dataclass(frozen=True)
class _Rough:
    """The layout laid over a small picture; `shrink` leads from the change to that picture."""

    change: Change
    shrink: float
    placing: Placing
    found: list[str]


def _rough(change: Change, layout: Layout) -> _Rough | None:
    shrink = min(1.0, ROUGH / max(change.after.shape[:2]))
    heap = find_heap(_shrunk(change, shrink), layout)
    if heap is None:
        return None
    placing = _upright(place(heap, layout))
    return _Rough(change, shrink, placing, _found(placing, layout))


def _measured(
    change: Change, model: Model, cards: dict[str, Reals], reach: float, resize: bool
) -> tuple[dict[str, Reals], dict[str, float]]:
    """Exact corners, the size measured for upright and lying cards apart, and how clear they are.

    Seen from the side they differ, and the model learns from the difference how the camera looks.
    """
    width = float(np.median([_width(corners) for corners in cards.values()]))
    exact: dict[str, Reals] = {}
    clear: dict[str, float] = {}
    for turn in sorted({model.layout.slots[slot].turn % 180 for slot in cards}):
        slots = [slot for slot in cards if model.layout.slots[slot].turn % 180 == turn]
        quads = np.stack([_on_model(model, cards[slot], slot) for slot in slots])
        measured = measure_cards(
            change,
            quads.astype(np.float32),
            max(2.0, reach * width),
            _room(model, slots) if resize else None,
        )
        exact.update(zip(slots, measured.quads.astype(float), strict=True))
        clear.update(zip(slots, measured.edges.tolist(), strict=True))
    return exact, clear


def _reconsidered(change: Change, model: Model, cards: dict[str, Reals]) -> dict[str, Reals]:
    """The cards, those that lie oddly moved to where their slot is if they fit there as well."""
    odd = {slot: corners for slot, corners in cards.items() if model.trust[slot] < ODD}
    if not odd:
        return cards
    _, here = _measured(change, model, odd, 0.12, False)
    there, fits = _measured(change, model, {slot: model.outline(slot) for slot in odd}, 0.12, False)
    better = {slot: there[slot] for slot in odd if fits[slot] > AS_WELL * here[slot]}
    return {**cards, **better}


def _room(model: Model, slots: list[str]) -> tuple[float, float]:
    """How many times wider and higher cards, all turned alike, may be until neighbours touch."""
    places = np.stack([model.arrangement.centres[slot] for slot in slots])
    places = places @ turn_by(np.radians(model.layout.slots[slots[0]].turn))
    apart = np.abs(places[:, None] - places[None]) / (1.0, model.height)
    apart += 9 * np.eye(len(slots))[..., None]
    beside, above = (
        np.where(apart[..., 1 - axis] < 0.5, apart[..., axis], 9.0).min(axis=1) for axis in (0, 1)
    )
    return float(np.median(beside)), float(np.median(above))


def _enlarged(corners: Reals, scale: float) -> Points:
    return np.asarray((corners + 0.5) / scale - 0.5, np.float32)


def _gains(empty: Image, change: Change, outlines: dict[str, Reals]) -> dict[str, Points]:
    """How many times brighter the empty table was made to look at every slot."""
    size = (12, 18)
    frames = frames_of([np.asarray(c, np.float32) for c in outlines.values()], size)
    was = take(empty, frames, size).astype(np.float32).mean(axis=(1, 2))
    lit = take(np.round(change.before).astype(np.uint8), frames, size).mean(axis=(1, 2))
    gains = np.asarray((lit + 4) / (was + 4), np.float32)
    return dict(zip(outlines, gains, strict=True))


def _resized(photo: Image, scale: float) -> Image:
    if scale == 1.0:
        return photo
    size = (round(photo.shape[1] * scale), round(photo.shape[0] * scale))
    return np.asarray(cv2.resize(photo, size, interpolation=cv2.INTER_AREA), np.uint8)


def _shrunk(change: Change, scale: float) -> Change:
    height, width = change.changed.shape
    size = (round(width * scale), round(height * scale))
    return Change(
        *(
            np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.float32)
            for picture in (change.before, change.after, change.changed, change.differs)
        )
    )


def _upright(placings: list[Placing]) -> Placing:
    """Of placings that fit alike the one whose first tile is on the left, or at the top.

    A row within 15 degrees of upright counts from the top; its N side is then on the right.
    """

    def away(placing: Placing) -> float:
        along = np.array([(1, 0), (0, 1), (-1, 0), (0, -1)][placing.quarter % 4], float)
        middle = np.mean(list(placing.centres.values()), axis=0)
        ends = placing.frame.to_picture(np.stack([middle - along, middle + along]))
        x, y = ends[1] - ends[0]
        angle = float(np.degrees(np.arctan2(y, x)))
        return abs(angle) + (60 if -105 < angle < -75 else 0)

    return min(placings, key=away)


def _found(placing: Placing, layout: Layout) -> list[str]:
    """Slots in which a card was seen."""
    fits = sorted(placing.fits[slot] for slot in layout.slots if placing.claims[slot] > 0)
    usual = float(np.median(fits[len(fits) // 3 :])) if fits else 1.0
    return [
        slot
        for slot in layout.slots
        if placing.claims[slot] > 0 and placing.fits[slot] > 0.55 * usual
    ]


def _rough_view(rough: _Rough, layout: Layout) -> View:
    """From the pictures of the change to the flat table, by the frame and the placing alone."""
    placing = rough.placing
    c, s = [(1, 0), (0, 1), (-1, 0), (0, -1)][placing.quarter % 4]
    middle = np.mean(list(placing.centres.values()), axis=0)
    flat = np.eye(3)
    flat[:2, :2] = np.array([[c, s], [-s, c]], float) @ np.diag(1 / np.array(placing.scales))
    flat[:2, :2] /= common_width(layout)
    flat[:2, 2] = -flat[:2, :2] @ middle
    height, width = rough.change.changed.shape
    shrink = np.diag([rough.shrink, rough.shrink, 1.0])
    return view_from_matrix(flat @ placing.frame.to_frame @ shrink, (width, height))


def _rough_cards(view: View, rough: _Rough, layout: Layout) -> dict[str, Reals]:
    """(4, 2) picture corners of the found cards, as exact as the frame's pixels."""
    unit = common_width(layout)
    cards = {}
    for slot in rough.found:
        shape = layout.slots[slot]
        at = rough.placing.frame.to_picture(rough.placing.centres[slot]) / rough.shrink
        turn = np.radians(shape.turn + rough.placing.turns[slot])
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (shape.w / unit, shape.h / unit) / 2
        c, s = np.cos(turn), np.sin(turn)
        cards[slot] = view.to_picture(view.to_flat(at) + half @ np.array([[c, s], [-s, c]]))
    return cards


def _on_model(model: Model, corners: Reals, slot: str) -> Reals:
    """The nearest outline of a whole card on the flat table."""
    flat = model.view.to_flat(corners)
    centre = flat.mean(axis=0)
    turn = np.radians(model.layout.slots[slot].turn)
    shape = model.card(np.zeros(2), turn)
    apart = flat - centre
    cross = (shape[:, 0] * apart[:, 1] - shape[:, 1] * apart[:, 0]).sum()
    turn += float(np.arctan2(cross, (shape * apart).sum()))
    return model.view.to_picture(model.card(centre, turn))


def _width(corners: Reals) -> float:
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return float(min(sides[0] + sides[2], sides[1] + sides[3]) / 2)
