"""Set a simulated table and photograph it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import cv2
import numpy as np
import numpy.typing as npt

from calibration.layout import Layout, SlotShape
from vision.simulated.camera import project
from vision.simulated.deck import PrintedDeck
from vision.simulated.light import draw_light, draw_sensor
from vision.simulated.render import Drawn, Image, Stage, card_texture, knocked, render
from vision.simulated.scene import FACE_DOWN, Camera, Hand, LyingCard, Points, Scene
from vision.simulated.surface import paint_surface

GRADES = ("gentle", "ordinary", "hard")
COVERED_FROM = 0.15


@dataclass(frozen=True)
class Photo:
    """A photograph and the truth about it.

    `image` is (H, W, 3) uint8 BGR. `outlines` holds the picture corners (4, 2) of every laid card,
    clockwise from the top left of its slot's unturned rectangle. `hidden` is the part of each
    slot's card (or of the bare slot) under a hand; `covered` the slots where that is much.
    """

    image: Image
    outlines: Mapping[str, Points]
    hidden: Mapping[str, float]
    covered: frozenset[str]


@dataclass(frozen=True)
class SimulatedTable:
    """One table with its tiles, deck and camera; `slots` are where they truly lie."""

    seed: int
    layout: Layout
    grade: str
    slots: Mapping[str, SlotShape]
    camera: Camera
    stage: Stage
    gloss: float

    def outlines(self) -> dict[str, Points]:
        """Picture corners (4, 2) of every slot, clockwise from its unturned top left."""
        return {name: project(self.camera, slot.corners()) for name, slot in self.slots.items()}

    def photo(
        self,
        cards: Mapping[str, str],
        seed: int,
        hands: Sequence[str] = (),
        *,
        shift: tuple[float, float] = (0.0, 0.0),
        turn: float = 0.0,
        sloppiness: float = 1.0,
    ) -> Photo:
        """Lay the cards ("face-down" too), reach over the slots in `hands`, and photograph."""
        scene = self.scene(cards, seed, hands, sloppiness)
        scene = replace(scene, camera=knocked(self.camera, shift, turn))
        return self._truth(render(self.stage, scene), scene, tuple(cards))

    def scene(
        self, cards: Mapping[str, str], seed: int, hands: Sequence[str] = (), sloppiness: float = 1
    ) -> Scene:
        """What a photograph with this seed shows, before it is drawn."""
        rng = np.random.default_rng([self.seed, seed, 2])
        light = draw_light(self.grade, rng)
        sensor = draw_sensor(self.grade, rng)
        lying = tuple(
            _lay(self.slots[slot], card, rng, sloppiness, self.gloss)
            for slot, card in cards.items()
        )
        reaching = tuple(_reach(self.slots[slot], rng) for slot in hands)
        return Scene(self.camera, light, sensor, lying, reaching)

    def _truth(self, drawn: Drawn, scene: Scene, names: tuple[str, ...]) -> Photo:
        outlines = dict(zip(names, drawn.outlines, strict=True))
        hidden = {}
        for name, slot in self.slots.items():
            corners = outlines.get(name, project(scene.camera, slot.corners()))
            hidden[name] = _hidden_part(drawn.hidden, corners)
        covered = frozenset(name for name, part in hidden.items() if part >= COVERED_FROM)
        return Photo(drawn.image, MappingProxyType(outlines), MappingProxyType(hidden), covered)


def set_table(
    seed: int,
    layout: Layout,
    deck: PrintedDeck,
    grade: str,
    size: tuple[int, int] = (1920, 1080),
) -> SimulatedTable:
    """A table of this layout, its tiles and camera a little off as at home."""
    if grade not in GRADES:
        raise ValueError(f"grade {grade!r}: expected one of {', '.join(GRADES)}")
    rng = np.random.default_rng([seed, 3])
    slots = _shove_tiles(layout, rng)
    camera = _hang_camera(layout, size, rng)
    surface = paint_surface(layout, slots, camera, rng)
    shape = next(iter(slots.values()))
    w, h = shape.w * camera.scale * 1.25, shape.h * camera.scale * 1.25
    faces = {name: card_texture(face, w, h, deck.radius) for name, face in deck.faces.items()}
    faces[FACE_DOWN] = card_texture(deck.back, w, h, deck.radius)
    stage = Stage(surface, MappingProxyType(faces))
    return SimulatedTable(seed, layout, grade, MappingProxyType(slots), camera, stage, deck.gloss)


def _shove_tiles(layout: Layout, rng: np.random.Generator) -> dict[str, SlotShape]:
    slots = dict(layout.slots)
    for names in layout.tiles.values():
        shapes = [slots[name] for name in names]
        cx = float(np.mean([s.x for s in shapes]))
        cy = float(np.mean([s.y for s in shapes]))
        dx, dy = rng.normal(0, 1.0, 2)
        turn = rng.normal(0, 0.5)
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        for name, shape in zip(names, shapes, strict=True):
            x, y = shape.x - cx, shape.y - cy
            slots[name] = replace(
                shape,
                x=cx + x * c - y * s + dx,
                y=cy + x * s + y * c + dy,
                turn=shape.turn + turn,
            )
    return slots


def _hang_camera(layout: Layout, size: tuple[int, int], rng: np.random.Generator) -> Camera:
    width, height = layout.size
    scale = min(size[0] * 0.88 / width, size[1] * 0.85 / height)
    return Camera(
        size=size,
        look=(width / 2, height / 2),
        scale=scale,
        distance=size[0] / scale * rng.uniform(0.8, 1.2),
        tilt=rng.uniform(0, 10),
        azimuth=rng.uniform(0, 360),
        roll=rng.uniform(-3, 3),
        k1=rng.uniform(-0.04, 0.02),
    )


def _lay(
    slot: SlotShape, card: str, rng: np.random.Generator, sloppiness: float, gloss: float
) -> LyingCard:
    off = np.clip(rng.normal(0, 0.06, 2), -1 / 6, 1 / 6) * sloppiness
    askew = float(np.clip(rng.normal(0, 4), -10, 10)) * sloppiness
    c, s = math.cos(math.radians(slot.turn)), math.sin(math.radians(slot.turn))
    dx, dy = off[0] * slot.w, off[1] * slot.h
    return LyingCard(
        card,
        slot.x + dx * c - dy * s,
        slot.y + dx * s + dy * c,
        slot.w,
        slot.h,
        slot.turn + askew,
        upside_down=bool(rng.random() < 0.5),
        gloss=gloss * rng.uniform(0.3, 1.0),
    )


def _reach(slot: SlotShape, rng: np.random.Generator) -> Hand:
    tone = rng.uniform(0.2, 0.6)
    return Hand(
        slot.x,
        slot.y,
        direction=rng.uniform(45, 135),
        length=110,
        skin=(tone * 0.5, tone * 0.65, tone),
        sleeve=tuple(rng.uniform(0.03, 0.6, 3).tolist()),
    )


def _hidden_part(hidden: npt.NDArray[np.uint8], outline: Points) -> float:
    x0, y0 = np.maximum(np.floor(outline.min(0)).astype(int), 0)
    x1, y1 = np.ceil(outline.max(0)).astype(int) + 1
    view = hidden[y0:y1, x0:x1]
    if not view.any():
        return 0.0
    mask = np.zeros(view.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(outline - (x0, y0)).astype(np.int32), 255)
    return float(((view > 127) & (mask > 0)).sum() / max(1, (mask > 0).sum()))
