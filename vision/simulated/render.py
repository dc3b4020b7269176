"""A Scene becomes a picture: cards on the table, light, lens, sensor, JPEG."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.simulated import sensor
from vision.simulated.camera import picture_map, project
from vision.simulated.hands import draw_hand
from vision.simulated.light import glare_field, light_field
from vision.simulated.scene import Camera, LyingCard, Points, Scene

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Surface:
    """The table top with its tiles, painted flat: (h, w, 3) float32 in linear light.

    `origin` is the table point of the first pixel, `scale` its pixels per unit.
    """

    albedo: Floats
    origin: tuple[float, float]
    scale: float


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


def render(stage: Stage, scene: Scene) -> Drawn:
    """Photograph a scene. `hidden` is (H, W) uint8, 255 where a hand or arm is."""
    camera = scene.camera
    picture = stage.ground(camera).copy()
    gloss = np.full(picture.shape[:2], 0.15, np.float32)
    outlines = tuple(project(camera, card.corners()) for card in scene.cards)
    for card, outline in zip(scene.cards, outlines, strict=True):
        _draw_card(picture, gloss, stage.faces[card.name], card, outline, scene)
    hidden = np.zeros(picture.shape[:2], np.uint8)
    for hand in scene.hands:
        draw_hand(picture, gloss, hidden, hand, scene)
    picture *= light_field(scene.light, scene.sensor, camera.size)
    if scene.light.glare:
        picture += (gloss * glare_field(scene.light, camera.size))[:, :, None]
    return Drawn(sensor.expose(picture, scene.sensor), outlines, hidden)


def card_texture(face: Image, width: float, height: float, radius: float) -> Floats:
    """(h, w, 4) float32 premultiplied linear light of a printed face, one clear pixel around."""
    w, h = max(8, round(width)), max(8, round(height))
    colour = sensor.to_linear(np.asarray(cv2.resize(face, (w, h), interpolation=cv2.INTER_AREA)))
    big = np.zeros((h * 4, w * 4), np.uint8)
    r = max(1, round(radius * w * 4))
    cv2.rectangle(big, (r, 0), (w * 4 - 1 - r, h * 4 - 1), 255, -1)
    cv2.rectangle(big, (0, r), (w * 4 - 1, h * 4 - 1 - r), 255, -1)
    for x in (r, w * 4 - 1 - r):
        for y in (r, h * 4 - 1 - r):
            cv2.circle(big, (x, y), r, 255, -1)
    alpha = cv2.resize(big, (w, h), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    texture = np.dstack([colour * alpha[:, :, None], alpha])
    return np.asarray(cv2.copyMakeBorder(texture, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0))


def _draw_card(
    picture: Floats, gloss: Floats, texture: Floats, card: LyingCard, outline: Points, scene: Scene
) -> None:
    x0, y0, x1, y1 = _window(outline, picture.shape[:2], 8)
    if x0 >= x1 or y0 >= y1:
        return
    local = outline - (x0, y0)
    view = picture[y0:y1, x0:x1]
    shade = np.zeros(view.shape[:2], np.float32)
    away = np.array(scene.light.shadow_offset) * scene.camera.scale
    cv2.fillConvexPoly(shade, np.round((local + away) * 16).astype(np.int32), 0.4, cv2.LINE_AA, 4)
    shade = np.asarray(cv2.GaussianBlur(shade, (0, 0), max(0.8, 0.7 * scene.camera.scale)))
    view *= (1 - shade)[:, :, None]
    h, w = texture.shape[:2]
    inner = np.array([[0.5, 0.5], [w - 1.5, 0.5], [w - 1.5, h - 1.5], [0.5, h - 1.5]], np.float32)
    target = np.roll(local, 2, axis=0) if card.upside_down else local
    onto = cv2.getPerspectiveTransform(inner, target.astype(np.float32))
    layer = cv2.warpPerspective(texture, onto, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
    rest = 1 - layer[:, :, 3]
    view *= rest[:, :, None]
    view += layer[:, :, :3]
    shine = gloss[y0:y1, x0:x1]
    shine *= rest
    shine += layer[:, :, 3] * card.gloss


def _window(outline: Points, shape: tuple[int, int], margin: int) -> tuple[int, int, int, int]:
    low = np.floor(outline.min(0)).astype(int) - margin
    high = np.ceil(outline.max(0)).astype(int) + margin
    return max(0, low[0]), max(0, low[1]), min(shape[1], high[0]), min(shape[0], high[1])


def _photograph_surface(surface: Surface, camera: Camera) -> Floats:
    # One map for all: the knock is inside it, so that a moved camera sees the same table.
    places = (picture_map(camera) - np.array(surface.origin, np.float32)) * surface.scale
    return np.asarray(
        cv2.remap(
            surface.albedo,
            places[:, :, 0],
            places[:, :, 1],
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REFLECT,
        )
    )


def knocked(camera: Camera, shift: tuple[float, float], turn: float) -> Camera:
    """The same camera after the table moved: the picture shifts by pixels and turns by degrees."""
    return replace(camera, shift=shift, turn=turn)
