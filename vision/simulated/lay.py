"""Sloppy hands: how people really lay cards, reach over them and leave things about."""

import math
from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from calibration.layout import SlotShape
from vision.simulated.palette import Ink, hsv_ink
from vision.simulated.scene import Hand, LyingCard, Points, Thing
from vision.simulated.things import HEIGHT, SIZE

MOST_ASKEW = 10.0
MOST_OFF = 1 / 6
MOST_OVERLAP = 0.03
_ABOUT = ("cup", "bowl", "phone", "die", "pen", "paper", "pile", "pile", "shield", "disc")
PLAYER_INKS: tuple[Ink, ...] = ((40, 40, 190), (170, 80, 30), (50, 140, 50), (40, 190, 230))


def lay_cards(
    slots: Mapping[str, SlotShape],
    cards: Mapping[str, str],
    rng: np.random.Generator,
    sloppiness: float,
    gloss: float,
) -> tuple[LyingCard, ...]:
    """A pose for every card, in the order given; cards may touch but hardly cover one another."""
    lying: list[LyingCard] = []
    for slot, name in cards.items():
        shape = slots[slot]
        off = np.clip(rng.normal(0, 0.07, 2), -MOST_OFF, MOST_OFF) * sloppiness
        askew = float(np.clip(rng.normal(0, 4.5), -MOST_ASKEW, MOST_ASKEW)) * sloppiness
        shine = gloss * rng.uniform(0.4, 1.0)
        upside_down = bool(rng.random() < 0.5)
        near = [other for other in lying if _near(shape, other)]
        for _ in range(12):
            card = _pose(shape, name, off, askew, upside_down, shine)
            if all(overlap(card, other) <= MOST_OVERLAP for other in near):
                break
            off, askew = off * 0.75, askew * 0.75
        lying.append(card)
    return tuple(lying)


def overlap(card: LyingCard, other: LyingCard) -> float:
    """The part of a card that lies over or under another."""
    area, _ = cv2.intersectConvexConvex(card.corners(), other.corners())
    return float(area) / (card.w * card.h)


def reach(shape: SlotShape, middle: tuple[float, float], rng: np.random.Generator) -> Hand:
    """A hand over a slot, its arm mostly coming from the slot's own side of the table."""
    from_near = shape.y >= middle[1] if rng.random() < 0.8 else shape.y < middle[1]
    direction = (90.0 if from_near else 270.0) + float(np.clip(rng.normal(0, 22), -55, 55))
    length = rng.uniform(150, 190) * shape.h / 68
    beyond = rng.uniform(0.25, 0.5) * length
    c, s = math.cos(math.radians(direction)), math.sin(math.radians(direction))
    tone, red = rng.uniform(0.08, 0.55), rng.uniform(0.45, 0.65)
    sleeve = rng.uniform(0.02, 0.7, 3)
    return Hand(
        shape.x - beyond * c,
        shape.y - beyond * s,
        direction,
        length,
        skin=(tone * red * 0.75, tone * red, tone),
        sleeve=(float(sleeve[0]), float(sleeve[1]), float(sleeve[2])),
        cuff=float(rng.choice([0.0, 0.1, 0.3, 0.8])),
        seed=int(rng.integers(2**31)),
    )


def leave_about(view: Points, tiles: Points, rng: np.random.Generator) -> tuple[Thing, ...]:
    """Things beside the tiles; `view` and `tiles` are outlines (n, 2) on the table."""
    kinds = [str(kind) for kind in rng.choice(_ABOUT, int(rng.integers(0, 9)))]
    if rng.random() < 0.3:
        kinds.append("marker")
    things: list[Thing] = []
    for kind in kinds:
        size = SIZE.get(kind, 68.0) * rng.uniform(0.9, 1.1)
        low, high = view.min(0), view.max(0)
        for _ in range(30):
            x, y = (float(v) for v in rng.uniform(low, high))
            clear = -cv2.pointPolygonTest(tiles, (x, y), True) > size * 0.72
            apart = all(math.hypot(x - t.x, y - t.y) > (size + t.size) * 0.72 for t in things)
            if clear and apart:
                ink = hsv_ink(rng.uniform(0, 360), rng.uniform(0, 0.9), rng.uniform(0.15, 0.95))
                turn = rng.uniform(0, 360)
                things.append(Thing(kind, x, y, size, turn, ink, HEIGHT.get(kind, 1.5)))
                break
    return tuple(things)


def put_shields(
    panels: Sequence[Points],
    slots: Mapping[str, SlotShape],
    lying: Sequence[LyingCard],
    rng: np.random.Generator,
) -> tuple[Thing, ...]:
    """Some players' shields on the tiles, clear of all slots and cards."""
    taken = [shape.corners() for shape in slots.values()] + [card.corners() for card in lying]
    kind = str(rng.choice(["shield", "disc"]))
    shields = []
    for panel in panels:
        for _ in range(int(rng.integers(0, 3))):
            part = rng.uniform(0.1, 0.9, 2)
            top = panel[0] + (panel[1] - panel[0]) * part[0]
            low = panel[3] + (panel[2] - panel[3]) * part[0]
            x, y = (float(v) for v in top + (low - top) * part[1])
            size = SIZE[kind]
            if all(cv2.pointPolygonTest(t, (x, y), True) < -size * 0.6 for t in taken):
                ink = PLAYER_INKS[int(rng.integers(len(PLAYER_INKS)))]
                shields.append(Thing(kind, x, y, size, float(rng.uniform(0, 360)), ink, 3.0))
    return tuple(shields)


def _pose(
    shape: SlotShape,
    name: str,
    off: np.ndarray[tuple[int], np.dtype[np.float64]],
    askew: float,
    upside_down: bool,
    gloss: float,
) -> LyingCard:
    c, s = math.cos(math.radians(shape.turn)), math.sin(math.radians(shape.turn))
    dx, dy = float(off[0]) * shape.w, float(off[1]) * shape.h
    x, y = shape.x + dx * c - dy * s, shape.y + dx * s + dy * c
    turn = shape.turn + askew
    return LyingCard(name, x, y, shape.w, shape.h, turn, upside_down, gloss)


def _near(shape: SlotShape, other: LyingCard) -> bool:
    reach_of = (math.hypot(shape.w, shape.h) + math.hypot(other.w, other.h)) / 2
    return math.hypot(shape.x - other.x, shape.y - other.y) < reach_of + shape.w / 2
