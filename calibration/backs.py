"""Slots from two photographs: the tiles empty, then a card face down in every slot."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.change import Change, compare
from calibration.flat import Reals, View, view_from_matrix
from calibration.frame import find_heap
from calibration.layout import Layout, Points
from calibration.measure import measure_cards
from calibration.model import Model, common_width, fit_model
from calibration.photo import Image
from calibration.placing import Placing, place
from calibration.warp import frames_of, take

WORK, ROUGH = 2000, 960
ENOUGH = 0.9


@dataclass(frozen=True)
class Understood:
    """The table understood from two photographs, in pixels of the given photographs.

    `outlines`: slot -> (4, 2) where cards belong. `cards`: slot -> (4, 2) where one was seen.
    `gains`: slot -> (3,) how many times brighter the second photograph is there. `beyond`: how
    many cards' worth lies in line with the slots without one. `crowding`: how near the nearest
    two slots are, 1 being cards that just touch. `share`: the part of all that was laid that the
    slots cover. `sense`: 0 to 1, how well the cards make sense together: people lay cards a
    little off, not half a card.
    """

    outlines: dict[str, Points]
    cards: dict[str, Points]
    gains: dict[str, Points]
    beyond: float
    crowding: float
    share: float
    sense: float


def understand(empty: Image, backs: Image, layout: Layout) -> Understood | None:
    """Find the cards that were laid, name their slots and learn where the slots are."""
    scale = min(1.0, WORK / max(empty.shape[:2]))
    empty, backs = _resized(empty, scale), _resized(backs, scale)
    rough = _rough(compare(empty, backs), layout)
    if rough is None or len(rough.found) < ENOUGH * len(layout.slots):
        other = _rough(compare(empty, backs, outlines=False), layout)
        if other is not None and (rough is None or other.weight() > rough.weight()):
            rough = other
    if rough is None or len(rough.found) < 4:
        return None
    view = _rough_view(rough, layout)
    cards = _rough_cards(view, rough, layout)
    model = fit_model(layout, view, cards, exact=0.4)
    for resize, reach in ((True, 0.2), (True, 0.1), (False, 0.06)):
        cards = _measured(rough.change, model, cards, reach, resize)
        model = fit_model(layout, model.view, cards)
    outlines = {slot: model.outline(slot) for slot in layout.slots}
    return Understood(
        {slot: _enlarged(corners, scale) for slot, corners in outlines.items()},
        {slot: _enlarged(corners, scale) for slot, corners in cards.items()},
        _gains(empty, rough.change, outlines),
        _beyond(rough.change, model, cards),
        _crowding(model),
        _share(rough.change, list(outlines.values())),
        float(np.mean(list(model.trust.values()))),
    )


@dataclass(frozen=True)
class _Rough:
    """The layout laid over a small picture; `shrink` leads from the change to that picture."""

    change: Change
    shrink: float
    placing: Placing
    found: list[str]

    def weight(self) -> float:
        return sum(self.placing.fits[slot] for slot in self.found)


def _rough(change: Change, layout: Layout) -> _Rough | None:
    shrink = min(1.0, ROUGH / max(change.after.shape[:2]))
    heap = find_heap(_shrunk(change, shrink), layout)
    if heap is None:
        return None
    placing = _upright(place(heap, layout))
    return _Rough(change, shrink, placing, _found(placing, layout))


def _measured(
    change: Change, model: Model, cards: dict[str, Reals], reach: float, resize: bool
) -> dict[str, Reals]:
    """Exact corners, the size measured for upright and lying cards apart.

    Seen from the side they differ, and the model learns from the difference how the camera looks.
    """
    width = float(np.median([_width(corners) for corners in cards.values()]))
    exact: dict[str, Reals] = {}
    for turn in sorted({model.layout.slots[slot].turn % 180 for slot in cards}):
        slots = [slot for slot in cards if model.layout.slots[slot].turn % 180 == turn]
        quads = np.stack([_on_model(model, cards[slot], slot) for slot in slots])
        measured = measure_cards(change, quads.astype(np.float32), max(2.0, reach * width), resize)
        exact.update(zip(slots, measured.quads.astype(float), strict=True))
    return {slot: exact[slot] for slot in cards}


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


def _beyond(change: Change, model: Model, cards: dict[str, Reals]) -> float:
    """How many cards' worth lies in the rows, or where they would go on, without a slot."""
    corridor = np.zeros(change.differs.shape, np.uint8)
    centres, turns = model.arrangement.centres, model.arrangement.turns
    for slot, shape in model.layout.slots.items():
        turn = np.radians(shape.turn) + turns[slot]
        for along in (-1.1, -0.55, 0.55, 1.1):
            there = model.card(centres[slot] + np.array([along, 0.0]), turn)
            _fill(corridor, model.view.to_picture(there), 1)
    outlines = [model.outline(slot) for slot in model.layout.slots]
    for corners in [*outlines, *cards.values()]:
        _fill(corridor, corners + 0.1 * (corners - corners.mean(axis=0)), 0)
    rest = corridor * np.asarray(change.differs > 0.5, np.uint8)
    width = float(np.median([_width(corners) for corners in outlines]))
    thick = max(3, round(0.25 * width))
    solid = cv2.morphologyEx(rest, cv2.MORPH_OPEN, np.ones((thick, thick), np.uint8))
    return float(solid.sum()) / (width * width * model.height)


def _share(change: Change, outlines: list[Reals]) -> float:
    """The part of all that changed anywhere which lies under slots."""
    laid = cv2.morphologyEx(
        np.asarray(change.differs > 0.5, np.uint8), cv2.MORPH_OPEN, np.ones((7, 7), np.uint8)
    )
    slots = np.zeros_like(laid, np.uint8)
    for corners in outlines:
        _fill(slots, corners + 0.1 * (corners - corners.mean(axis=0)), 1)
    return float((laid * slots).sum()) / max(1.0, float(laid.sum()))


def _fill(picture: npt.NDArray[np.uint8], corners: Reals, value: int) -> None:
    cv2.fillConvexPoly(picture, np.round(corners).astype(np.int32), value)


def _crowding(model: Model) -> float:
    """How near the nearest two slots are: 1 if cards there just touch, less if they overlap."""
    places = np.stack([model.arrangement.centres[slot] for slot in model.layout.slots])
    lying = np.array(
        [round(model.layout.slots[slot].turn / 90) % 2 == 1 for slot in model.layout.slots]
    )
    half = np.where(lying[:, None], [model.height, 1.0], [1.0, model.height]) / 2
    apart = np.abs(places[:, None] - places[None]) / (half[:, None] + half[None])
    nearest = apart.max(axis=2) + 9 * np.eye(len(places))
    return float(nearest.min())


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
