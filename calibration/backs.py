"""Slots from two photographs: the tiles empty, then a card face down in every slot."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.change import Change, compare
from calibration.flat import Reals, View, view_from_affine
from calibration.layout import Layout
from calibration.measure import measure_cards
from calibration.model import Model, common_width, fit_model
from calibration.photo import Image
from calibration.placing import Placing, place
from calibration.rectangles import Frame, make_frame

WORK, ROUGH = 2000, 960


@dataclass(frozen=True)
class Understood:
    """The table understood from two photographs; all in pixels of the given photographs."""

    outlines: dict[str, Reals]
    cards: dict[str, Reals]
    model: Model
    placing: Placing


def understand(empty: Image, backs: Image, layout: Layout) -> Understood | None:
    """Find the cards that were laid, name their slots and learn where the slots are."""
    scale = min(1.0, WORK / max(empty.shape[:2]))
    change = compare(_resized(empty, scale), _resized(backs, scale))
    frame = make_frame(_shrunk(change), layout)
    if frame is None:
        return None
    placing = _upright(place(frame, layout), frame)
    found = _found(placing, layout)
    shrink = min(1.0, ROUGH / max(change.after.shape[:2]))
    view = _rough_view(frame, placing, layout, shrink, change)
    cards = _rough_cards(view, placing, layout, found, frame, shrink)
    model = fit_model(layout, view, cards, exact=0.4)
    for resize, reach in ((True, 0.2), (True, 0.1), (False, 0.06)):
        cards = _measured(change, model, cards, reach, resize)
        model = fit_model(layout, model.view, cards)
    return Understood(
        {slot: (model.outline(slot) + 0.5) / scale - 0.5 for slot in layout.slots},
        {slot: (corners + 0.5) / scale - 0.5 for slot, corners in cards.items()},
        model,
        placing,
    )


def _measured(
    change: Change, model: Model, cards: dict[str, Reals], reach: float, resize: bool
) -> dict[str, Reals]:
    """Exact corners, the size measured for upright and lying cards apart.

    Seen from the side they differ, and the model learns from the difference how the camera looks.
    """
    width = float(np.median([_width(corners) for corners in cards.values()]))
    exact = {}
    for turn in sorted({model.layout.slots[slot].turn % 180 for slot in cards}):
        slots = [slot for slot in cards if model.layout.slots[slot].turn % 180 == turn]
        quads = np.stack([_on_model(model, cards[slot], slot) for slot in slots])
        measured = measure_cards(
            change, quads.astype(np.float32), max(2.0, reach * width), resize
        )
        exact.update(zip(slots, measured.quads.astype(float), strict=True))
    return {slot: exact[slot] for slot in cards}


def _resized(photo: Image, scale: float) -> Image:
    if scale == 1.0:
        return photo
    size = (round(photo.shape[1] * scale), round(photo.shape[0] * scale))
    return np.asarray(cv2.resize(photo, size, interpolation=cv2.INTER_AREA), np.uint8)


def _shrunk(change: Change) -> Change:
    height, width = change.changed.shape
    scale = min(1.0, ROUGH / max(width, height))
    size = (round(width * scale), round(height * scale))
    before, after, changed = (
        np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.float32)
        for picture in (change.before, change.after, change.changed)
    )
    return Change(before, after, changed)


def _upright(placings: list[Placing], frame: Frame) -> Placing:
    """Of placings that fit alike the one whose first tile is on the left, or at the top.

    A row within 15 degrees of upright counts from the top; its N side is then on the right.
    """

    def away(placing: Placing) -> float:
        along = np.array([(1, 0), (0, 1), (-1, 0), (0, -1)][placing.quarter % 4], float)
        x, y = np.linalg.solve(frame.to_frame[:, :2].astype(float), along)
        angle = float(np.degrees(np.arctan2(y, x)))
        return abs(angle) + (60 if -105 < angle < -75 else 0)

    return min(placings, key=away)


def _found(placing: Placing, layout: Layout) -> list[str]:
    """Slots in which a card was seen; of two that claim one card the likelier has it."""
    usual = float(np.median(sorted(placing.fits.values())[-max(1, len(placing.fits) // 2) :]))
    unit = min(min(s.w, s.h) for s in layout.slots.values()) * min(placing.scales)
    found: list[str] = []
    for slot in sorted(placing.fits, key=lambda slot: -placing.claims[slot]):
        if placing.fits[slot] < 0.55 * usual:
            continue
        apart = [np.linalg.norm(placing.centres[slot] - placing.centres[s]) for s in found]
        if min(apart, default=unit) > 0.5 * unit:
            found.append(slot)
    return [slot for slot in layout.slots if slot in found]


def _rough_view(
    frame: Frame, placing: Placing, layout: Layout, shrink: float, change: Change
) -> View:
    """From pictures of the change to the flat table, by the frame and the placing alone."""
    c, s = [(1, 0), (0, 1), (-1, 0), (0, -1)][placing.quarter % 4]
    back = np.array([[c, s], [-s, c]], float) @ np.diag(1 / np.array(placing.scales))
    back /= common_width(layout)
    middle = np.mean(list(placing.centres.values()), axis=0)
    affine = np.empty((2, 3))
    affine[:, :2] = back @ frame.to_frame[:, :2] * shrink
    affine[:, 2] = back @ (frame.to_frame[:, 2] - middle)
    height, width = change.changed.shape
    return view_from_affine(affine, (width, height))


def _rough_cards(
    view: View, placing: Placing, layout: Layout, found: list[str], frame: Frame, shrink: float
) -> dict[str, Reals]:
    """(4, 2) picture corners of the found cards, as exact as the frame's pixels."""
    inverse = np.linalg.inv(frame.to_frame[:, :2].astype(float))
    unit = common_width(layout)
    cards = {}
    for slot in found:
        shape = layout.slots[slot]
        at = inverse @ (placing.centres[slot] - frame.to_frame[:, 2]) / shrink
        turn = np.radians(shape.turn + placing.turns[slot])
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
