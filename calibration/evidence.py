"""Signs that the slots are where they were put: cards look alike, none is left over."""

import cv2
import numpy as np

from calibration.change import Change, Mask
from calibration.edges import Floats
from calibration.flat import Reals
from calibration.model import Model
from calibration.slopes import new_edges
from calibration.warp import frames_of, take

SIZE = (32, 48)
MARGIN = 0.14  # how much around the card is looked at as well, in card widths
BESIDE = np.arange(0.8, 1.5, 0.1)  # where a card without a slot may lie, in card widths
OVERLAP = 0.15
ALIKE = 0.85  # the part of the usual likeness that such a card has
SHARP = 0.25  # the part of the usual edges that a card has at least


def likeness(change: Change, cards: list[Reals]) -> float:
    """-1 to 1, how well the new edges of one half of the cards match those of the other half.

    Single cards are noisy in bad light, their mean is not. Backs lie either way up, so each is
    counted both ways.
    """
    edges = _crops(change, cards)
    edges = edges / np.maximum(edges.mean(axis=(1, 2), keepdims=True), 1e-3)
    first, second = edges[::2].mean(axis=0), edges[1::2].mean(axis=0)
    return float(np.corrcoef(first.ravel(), second.ravel())[0, 1])


def left_over(change: Change, model: Model, cards: dict[str, Reals]) -> int:
    """How many cards lie beside the upright slots' cards without a slot: they look like the others.

    What all cards share is held against every place in the rows where a card would have room.
    """
    shapes = model.layout.slots
    upright = [slot for slot in cards if round(shapes[slot].turn / 90) % 2 == 0]
    if len(upright) < 4:
        return 0
    centres = model.arrangement.centres
    taken = np.stack(
        [centres[slot] for slot in shapes]
        + [model.view.to_flat(corners).mean(axis=0) for corners in cards.values()]
    )
    spots = [
        (slot, centres[slot] + np.array([along, across]))
        for slot in upright
        for along in (*-BESIDE, *BESIDE)
        for across in (-0.1, 0.0, 0.1)
    ]
    room = (1.0, model.height)
    spots = [
        (slot, spot)
        for slot, spot in spots
        if (np.abs(taken - spot) / room).max(axis=1).min() > 1 - OVERLAP
    ]
    if not spots:
        return 0
    turns = model.arrangement.turns
    quads = [model.view.to_picture(model.card(spot, turns[slot])) for slot, spot in spots]
    own = _centred(_crops(change, [cards[slot] for slot in upright]))
    shared = own.mean(axis=0)
    usual = float(np.median((own * shared).sum(axis=(1, 2))))
    alike = (_centred(_crops(change, quads)) * shared).sum(axis=(1, 2))
    found: list[Reals] = []
    for i in np.argsort(-alike):
        apart = [(np.abs(spots[i][1] - other) / room).max() for other in found]
        if alike[i] > ALIKE * usual and min(apart, default=1.0) > 1 - OVERLAP:
            found.append(spots[i][1])
    return len(found)


def _centred(crops: Floats) -> Floats:
    """(n, h, w) softened, of mean 0 and length 1 each, so that sums of products are likenesses."""
    soft = np.stack([cv2.GaussianBlur(crop, (0, 0), 2.0) for crop in crops])
    soft -= soft.mean(axis=(1, 2), keepdims=True)
    length = np.sqrt((soft**2).sum(axis=(1, 2), keepdims=True))
    return np.asarray(soft / np.maximum(length, 1e-3), np.float32)


def _crops(change: Change, cards: list[Reals]) -> Floats:
    """(n, h, w) new edges of each card and a little around it, seen both ways up."""
    frames = frames_of([_wider(np.asarray(corners, np.float32)) for corners in cards], SIZE)
    after, before = (
        take(picture, frames, SIZE).astype(np.float32) for picture in (change.after, change.before)
    )
    edges = np.stack([_edges(now, then) for now, then in zip(after, before, strict=True)])
    return np.asarray(edges + edges[:, ::-1, ::-1], np.float32)


def _edges(now: Floats, then: Floats) -> Floats:
    slopes = [
        np.concatenate(
            [cv2.Sobel(crop, cv2.CV_32F, 1, 0), cv2.Sobel(crop, cv2.CV_32F, 0, 1)], axis=2
        )
        for crop in (cv2.GaussianBlur(now, (0, 0), 1.0), cv2.GaussianBlur(then, (0, 0), 1.0))
    ]
    return new_edges(slopes[0], slopes[1])


def _wider(corners: Floats) -> Floats:
    across = (corners[1] + corners[2] - corners[0] - corners[3]) / 2
    down = (corners[2] + corners[3] - corners[0] - corners[1]) / 2
    by = MARGIN * min(float(np.linalg.norm(across)), float(np.linalg.norm(down)))
    right = across / np.linalg.norm(across) * by
    low = down / np.linalg.norm(down) * by
    return np.asarray(
        corners + np.stack([-right - low, right - low, right + low, low - right]), np.float32
    )


def beyond(change: Change, model: Model, cards: dict[str, Reals]) -> float:
    """How many cards' worth lies in the rows, or where they would go on, without a slot."""
    corridor = np.zeros(change.differs.shape, np.uint8)
    centres, turns = model.arrangement.centres, model.arrangement.turns
    for slot, shape in model.layout.slots.items():
        turn = np.radians(shape.turn) + turns[slot]
        for along in (-1.2, -0.6, 0.6, 1.2):
            there = model.card(centres[slot] + np.array([along, 0.0]), turn)
            _fill(corridor, model.view.to_picture(there), 1)
    outlines = [model.outline(slot) for slot in model.layout.slots]
    for corners in [*outlines, *cards.values()]:
        _fill(corridor, corners + 0.1 * (corners - corners.mean(axis=0)), 0)
    rest = corridor * np.asarray(change.differs > 0.5, np.uint8)
    sides = [_side(corners) for corners in outlines]
    width = float(np.median(sides))
    thick = max(3, round(0.25 * width))
    opened = cv2.morphologyEx(rest, cv2.MORPH_OPEN, np.ones((thick, thick), np.uint8))
    solid = np.asarray(opened, np.uint8)
    if solid.any():
        solid = _sharp(change, solid, corridor, list(cards.values()))
    return float(solid.sum()) / (width * width * model.height)


def _sharp(change: Change, solid: Mask, corridor: Mask, cards: list[Reals]) -> Mask:
    """The parts that hold about as many clear edges as cards do; glare and shadows have none."""
    # Half the size does, and spares memory.
    half = (solid.shape[1] // 2, solid.shape[0] // 2)
    now, then = (
        np.asarray(cv2.resize(picture, half, interpolation=cv2.INTER_AREA), np.float32)
        for picture in (change.after, change.before)
    )
    edges = np.asarray(cv2.resize(_edges(now, then), solid.shape[::-1]), np.float32)
    laid, rims = np.zeros_like(solid), np.zeros_like(solid)
    for corners in cards:
        _fill(laid, corners, 1)
        cv2.polylines(rims, [np.round(corners).astype(np.int32)], True, [1], 3)
    clear = edges > 0.8 * float(np.median(edges[rims > 0]))
    usual = float(clear[(laid | rims) > 0].mean())
    count, labels = cv2.connectedComponents(solid)
    kept = np.zeros_like(solid)
    for number in range(1, count):
        part = np.asarray(labels == number, np.uint8)
        around = (cv2.dilate(part, np.ones((7, 7), np.uint8)) > 0) & (corridor > 0)
        if float(clear[around].mean()) > SHARP * usual:
            kept |= part
    return kept


def _fill(picture: Mask, corners: Reals, value: int) -> None:
    cv2.fillConvexPoly(picture, np.round(corners).astype(np.int32), value)


def crowding(model: Model) -> float:
    """How near the nearest two slots are: 1 if cards there just touch, less if they overlap."""
    places = np.stack([model.arrangement.centres[slot] for slot in model.layout.slots])
    lying = np.array(
        [round(model.layout.slots[slot].turn / 90) % 2 == 1 for slot in model.layout.slots]
    )
    half = np.where(lying[:, None], [model.height, 1.0], [1.0, model.height]) / 2
    apart = np.abs(places[:, None] - places[None]) / (half[:, None] + half[None])
    nearest = apart.max(axis=2) + 9 * np.eye(len(places))
    return float(nearest.min())


def _side(corners: Reals) -> float:
    """The shorter side of a quadrilateral."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return float(min(sides[0] + sides[2], sides[1] + sides[3]) / 2)
