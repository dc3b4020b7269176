"""Set a simulated table and photograph it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import cv2
import numpy as np
import numpy.typing as npt

from calibration.layout import Layout, SlotShape
from vision.simulated.camera import project, unproject
from vision.simulated.deck import PrintedDeck
from vision.simulated.lay import lay_cards, leave_about, put_shields, reach
from vision.simulated.light import GRADES, draw_light, draw_sensor, jog
from vision.simulated.render import Drawn, Image, Stage, card_textures, render
from vision.simulated.scene import FACE_DOWN, Camera, Points, Scene, Sensor, Thing
from vision.simulated.surface import paint_surface
from vision.simulated.tiles import Tiles, lay_tiles

COVERED_FROM = 0.2


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
    panels: Mapping[str, Points]
    camera: Camera
    sensor: Sensor
    things: tuple[Thing, ...]
    stage: Stage
    gloss: float

    def outlines(self) -> dict[str, Points]:
        """Picture corners (4, 2) of every slot, clockwise from its unturned top left."""
        return {name: project(self.camera, slot.corners()) for name, slot in self.slots.items()}

    def empty_photo(self, seed: int) -> Photo:
        """The tiles with nothing on them."""
        return self.photo({}, seed)

    def backs_photo(self, seed: int, missing: Sequence[str] = ()) -> Photo:
        """A card face down in every slot but the missing ones, laid with some care."""
        cards = {slot: FACE_DOWN for slot in self.slots if slot not in missing}
        return self.photo(cards, seed, sloppiness=0.5)

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
        """Lay cards ("face-down" too), reach over the slots in `hands`, and photograph.

        `shift` in pixels and `turn` in degrees say how the picture moved since the table was set.
        """
        scene = self.scene(cards, seed, hands, sloppiness)
        scene = replace(scene, camera=replace(self.camera, shift=shift, turn=turn))
        return self._truth(render(self.stage, scene), scene, tuple(cards))

    def scene(
        self,
        cards: Mapping[str, str],
        seed: int,
        hands: Sequence[str] = (),
        sloppiness: float = 1.0,
    ) -> Scene:
        """What a photograph with this seed shows, before it is drawn."""
        rng = np.random.default_rng([self.seed, seed, 2])
        light = draw_light(self.grade, rng)
        sensor = jog(self.sensor, self.grade, rng)
        lying = lay_cards(self.slots, cards, rng, sloppiness, self.gloss)
        things = tuple(thing for thing in self.things if rng.random() < 0.85)
        if any(card != FACE_DOWN for card in cards.values()):
            things += put_shields(tuple(self.panels.values()), self.slots, lying, rng)
        middle = self.camera.look
        reaching = tuple(reach(self.slots[slot], middle, rng) for slot in hands)
        return Scene(self.camera, light, sensor, lying, things, reaching)

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
    row: float = 0.0,
) -> SimulatedTable:
    """A table of this layout, all a little off as at home; its row turned by `row` degrees."""
    if grade not in GRADES:
        raise ValueError(f"grade {grade!r}: expected one of {', '.join(GRADES)}")
    rng = np.random.default_rng([seed, 3])
    tiles = lay_tiles(layout, rng)
    camera = _hang_camera(tiles, size, row, rng)
    back_ink = tuple(int(v) for v in deck.back.reshape(-1, 3).mean(0))
    near_to = (back_ink[0], back_ink[1], back_ink[2]) if rng.random() < 0.25 else None
    surface = paint_surface(tiles.panels, tiles.slots, camera, rng, near_to)
    shape = next(iter(tiles.slots.values()))
    faces = card_textures(deck, shape.w * camera.scale * 1.2, shape.h * camera.scale * 1.2)
    return SimulatedTable(
        seed,
        layout,
        grade,
        MappingProxyType(dict(tiles.slots)),
        MappingProxyType(dict(tiles.panels)),
        camera,
        draw_sensor(grade, rng),
        leave_about(_view(camera), _hull(tiles), rng),
        Stage(surface, MappingProxyType(faces)),
        deck.gloss,
    )


def _hang_camera(
    tiles: Tiles, size: tuple[int, int], row: float, rng: np.random.Generator
) -> Camera:
    hull = _hull(tiles)
    low, high = hull.min(0), hull.max(0)
    camera = Camera(
        size=size,
        look=(float((low[0] + high[0]) / 2), float((low[1] + high[1]) / 2)),
        scale=size[0] / float(high[0] - low[0]),
        distance=float(max(high - low)) * rng.uniform(0.8, 1.4),
        tilt=rng.uniform(0, 13),
        azimuth=rng.uniform(0, 360),
        roll=row + rng.uniform(-4, 4),
        k1=rng.uniform(-0.06, 0.02),
    )
    fill = rng.uniform(0.86, 0.94)
    for _ in range(4):
        # Zoom and aim until the whole row fills the picture, as a person at a stand would.
        seen = project(camera, hull)
        box_low, box_high = seen.min(0), seen.max(0)
        zoom = fill * float(min(np.array(size) / (box_high - box_low)))
        aim = unproject(camera, [(box_low + box_high) / 2])[0]
        camera = replace(camera, scale=camera.scale * zoom, look=(float(aim[0]), float(aim[1])))
    seen = project(camera, hull)
    slack = np.minimum(seen.min(0), np.array(size) - seen.max(0)) / np.array(size)
    dx, dy = rng.uniform(-0.6, 0.6, 2) * np.maximum(slack, 0)
    return replace(camera, centre=(float(dx), float(dy)))


def _hull(tiles: Tiles) -> Points:
    corners = np.concatenate(list(tiles.panels.values()))
    return np.asarray(cv2.convexHull(corners), np.float32).reshape(-1, 2)


def _view(camera: Camera) -> Points:
    width, height = camera.size
    return unproject(camera, [[0, 0], [width, 0], [width, height], [0, height]])


def _hidden_part(hidden: npt.NDArray[np.uint8], outline: Points) -> float:
    x0, y0 = np.maximum(np.floor(outline.min(0)).astype(int), 0)
    x1, y1 = np.ceil(outline.max(0)).astype(int) + 1
    view = hidden[y0:y1, x0:x1]
    if not view.any():
        return 0.0
    mask = np.zeros(view.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(outline - (x0, y0)).astype(np.int32), 255)
    return float(((view > 127) & (mask > 0)).sum() / max(1, (mask > 0).sum()))
