"""A Scene becomes a picture: things on the table, light, lens, sensor, JPEG."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from vision.simulated import sensor
from vision.simulated.camera import picture_map, project
from vision.simulated.deck import PrintedDeck
from vision.simulated.hands import draw_hand
from vision.simulated.light import glare_field, light_field
from vision.simulated.scene import FACE_DOWN, Camera, Points, Scene, Thing
from vision.simulated.surface import Surface
from vision.simulated.things import thing_texture

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

TABLE_GLOSS = 0.12


@dataclass(frozen=True)
class Stage:
    """A surface and the printed cards, ready to be photographed again and again."""

    surface: Surface
    faces: Mapping[str, Floats]
    _grounds: dict[Camera, Floats] = field(default_factory=dict, compare=False, repr=False)

    def ground(self, camera: Camera) -> Floats:
        """(H, W, 3) float32: the table with nothing on it as this camera sees it."""
        if camera not in self._grounds:
            if len(self._grounds) > 1:
                self._grounds.pop(next(iter(self._grounds)))
            self._grounds[camera] = _photograph_surface(self.surface, camera)
        return self._grounds[camera]


@dataclass(frozen=True)
class Drawn:
    """A finished picture, where its cards lie in it, and what hands hide of it."""

    image: Image
    outlines: tuple[Points, ...]
    hidden: npt.NDArray[np.uint8]


def card_textures(deck: PrintedDeck, width: float, height: float) -> dict[str, Floats]:
    """Every face and the back, for cards of this size in pixels."""
    printed = {**deck.faces, FACE_DOWN: deck.back}
    return {name: _texture(face, width, height, deck.radius) for name, face in printed.items()}


def render(stage: Stage, scene: Scene) -> Drawn:
    """Photograph a scene. `hidden` is (H, W) uint8, 255 where a hand or arm is."""
    picture, gloss = draw_table(stage, scene)
    outlines = tuple(project(scene.camera, card.corners()) for card in scene.cards)
    hidden = np.zeros(picture.shape[:2], np.uint8)
    for hand in scene.hands:
        draw_hand(picture, gloss, hidden, hand, scene)
    picture *= light_field(scene.light, scene.sensor, scene.camera.size)
    if scene.light.glare:
        picture += (gloss * glare_field(scene.light, scene.camera.size))[:, :, None]
    return Drawn(sensor.expose(picture, scene.sensor), outlines, hidden)


def draw_table(stage: Stage, scene: Scene) -> tuple[Floats, Floats]:
    """(H, W, 3) what lies on the table, before any light falls on it, and (H, W) how it shines."""
    camera = scene.camera
    picture = stage.ground(camera).copy()
    gloss = np.full(picture.shape[:2], TABLE_GLOSS, np.float32)
    for card in scene.cards:
        outline = project(camera, card.corners())
        turned = np.roll(outline, 2, axis=0) if card.upside_down else outline
        draw_flat(picture, gloss, stage.faces[card.name], turned, scene, 1.0, card.gloss)
    for thing in scene.things:
        _draw_thing(picture, gloss, stage, thing, scene)
    return picture, gloss


def _draw_thing(picture: Floats, gloss: Floats, stage: Stage, thing: Thing, scene: Scene) -> None:
    corners = thing.corners()
    if thing.kind == "pile":
        texture = stage.faces[FACE_DOWN]
        narrow = texture.shape[1] / texture.shape[0]
        middle = corners.mean(0)
        across = (corners[1] - corners[0]) * (1 - narrow) / 2
        corners = corners + np.array([across, -across, -across, across])
        # A few cards stick out of every pile.
        for k in range(3):
            under = (corners - middle) + middle + (k - 3) * 0.6
            draw_flat(picture, gloss, texture, project(scene.camera, under), scene, 2.0, 0.5)
    else:
        texture = thing_texture(thing.kind, thing.ink, round(thing.size * scene.camera.scale))
    outline = project(scene.camera, corners)
    draw_flat(picture, gloss, texture, outline, scene, thing.height, 0.6)


def draw_flat(
    picture: Floats,
    gloss: Floats,
    texture: Floats,
    outline: Points,
    scene: Scene,
    height: float,
    shine: float,
) -> None:
    """Lay a texture on the picture corners `outline`, `height` above what is there already."""
    scale = scene.camera.scale
    away = np.array(scene.light.shadow_offset) * scale * height
    margin = int(3 * scale * height + 6)
    x0, y0, x1, y1 = _window(outline, picture.shape[:2], margin)
    if x0 >= x1 or y0 >= y1:
        return
    h, w = texture.shape[:2]
    inner = np.array([[0.5, 0.5], [w - 1.5, 0.5], [w - 1.5, h - 1.5], [0.5, h - 1.5]], np.float32)
    local = (outline - (x0, y0)).astype(np.float32)
    onto = cv2.getPerspectiveTransform(inner, local)
    layer = cv2.warpPerspective(texture, onto, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
    alpha = np.ascontiguousarray(layer[:, :, 3])
    shade = cv2.GaussianBlur(alpha, (0, 0), max(0.8, 0.7 * scale * height**0.7))
    move = np.array([[1, 0, away[0]], [0, 1, away[1]]], np.float32)
    shade = cv2.warpAffine(shade, move, (x1 - x0, y1 - y0))
    keep = (1 - 0.42 * shade) * (1 - alpha)
    view = picture[y0:y1, x0:x1]
    view *= keep[:, :, None]
    view += layer[:, :, :3]
    glow = gloss[y0:y1, x0:x1]
    glow *= 1 - alpha
    glow += alpha * shine


def _texture(face: Image, width: float, height: float, radius: float) -> Floats:
    # (h, w, 4) float32: premultiplied linear light, one clear pixel around for soft edges.
    w, h = max(8, round(width)), max(8, round(height))
    small = np.asarray(cv2.resize(face, (w, h), interpolation=cv2.INTER_AREA), np.uint8)
    big = np.zeros((h * 4, w * 4), np.uint8)
    r = max(1, round(radius * w * 4))
    cv2.rectangle(big, (r, 0), (w * 4 - 1 - r, h * 4 - 1), 255, -1)
    cv2.rectangle(big, (0, r), (w * 4 - 1, h * 4 - 1 - r), 255, -1)
    for x in (r, w * 4 - 1 - r):
        for y in (r, h * 4 - 1 - r):
            cv2.circle(big, (x, y), r, 255, -1)
    alpha = cv2.resize(big, (w, h), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    texture = np.dstack([sensor.to_linear(small) * alpha[:, :, None], alpha])
    return np.asarray(cv2.copyMakeBorder(texture, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0))


def _window(outline: Points, shape: tuple[int, int], margin: int) -> tuple[int, int, int, int]:
    low = np.floor(outline.min(0)).astype(int) - margin
    high = np.ceil(outline.max(0)).astype(int) + margin
    return max(0, low[0]), max(0, low[1]), min(shape[1], high[0]), min(shape[0], high[1])


def _photograph_surface(surface: Surface, camera: Camera) -> Floats:
    places = (picture_map(camera) - np.array(surface.origin, np.float32)) * surface.scale
    seen = cv2.remap(
        surface.image,
        np.ascontiguousarray(places[:, :, 0]),
        np.ascontiguousarray(places[:, :, 1]),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT,
    )
    return sensor.to_linear(np.asarray(seen, np.uint8))
