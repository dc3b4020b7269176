"""What lies where, in which light, before which camera: plain values, nothing drawn yet.

Lengths are in the layout's unit on the table and in pixels in the picture; colours are BGR in
linear light, 1 = white paper in full light.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float32]
Colour = tuple[float, float, float]

FACE_DOWN = "face-down"


@dataclass(frozen=True)
class LyingCard:
    """A card (or "face-down") on the table: centre, size, and turn in degrees clockwise."""

    name: str
    x: float
    y: float
    w: float
    h: float
    turn: float
    upside_down: bool = False
    gloss: float = 1.0

    def corners(self) -> Points:
        """(4, 2) float32 on the table, clockwise from top left, before any upside_down."""
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (self.w / 2, self.h / 2)
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        placed = half @ np.array([[c, s], [-s, c]]) + (self.x, self.y)
        return np.asarray(placed, np.float32)


@dataclass(frozen=True)
class Thing:
    """What lies about besides cards: one of `things.KINDS`, in a square of the given size."""

    kind: str
    x: float
    y: float
    size: float
    turn: float
    ink: tuple[int, int, int]
    height: float = 2.0

    def corners(self) -> Points:
        """(4, 2) float32 on the table, clockwise from top left before its turn."""
        return LyingCard("", self.x, self.y, self.size, self.size, self.turn).corners()


@dataclass(frozen=True)
class Hand:
    """A hand with its finger tips about (x, y), its arm coming from `direction` in degrees.

    `length` is the hand's own, from wrist to tips; the seed decides how the fingers are held.
    """

    x: float
    y: float
    direction: float
    length: float
    skin: Colour
    sleeve: Colour
    cuff: float = 0.2
    seed: int = 0


@dataclass(frozen=True)
class Blob:
    """A soft ellipse in the picture: centre and radii in parts of its width, and its strength.

    A higher `edge` makes its rim harder.
    """

    x: float
    y: float
    rx: float
    ry: float
    turn: float
    strength: float
    edge: float = 2.0


@dataclass(frozen=True)
class Light:
    """How the table is lit in one photograph.

    `slope` is how brightness changes across the picture, `warmth` how the colour of the light
    does, `flicker` the dark bands of a lamp: strength, bands in the picture, phase.
    """

    exposure: float = 1.0
    cast: Colour = (1.0, 1.0, 1.0)
    slope: tuple[float, float] = (0.0, 0.0)
    warmth: tuple[float, float] = (0.0, 0.0)
    flicker: tuple[float, float, float] = (0.0, 0.0, 0.0)
    shadows: tuple[Blob, ...] = ()
    glare: tuple[Blob, ...] = ()
    shadow_offset: tuple[float, float] = (0.6, 0.8)


@dataclass(frozen=True)
class Camera:
    """Where the camera hangs and what its lens does; `look` is the table point in the middle."""

    size: tuple[int, int]
    look: tuple[float, float]
    scale: float
    distance: float
    tilt: float = 0.0
    azimuth: float = 0.0
    roll: float = 0.0
    k1: float = 0.0
    centre: tuple[float, float] = (0.0, 0.0)
    shift: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0


@dataclass(frozen=True)
class Sensor:
    """What the camera does to the light that reaches it.

    `contrast` bends its tones (0: none), `saturation` stretches its colours (1: as they are).
    """

    vignette: float = 0.1
    contrast: float = 0.0
    saturation: float = 1.0
    blur: float = 0.6
    motion: tuple[float, float] = (0.0, 0.0)
    read_noise: float = 0.002
    shot_noise: float = 0.0003
    sharpen: float = 0.0
    quality: int = 92
    seed: int = 0


@dataclass(frozen=True)
class Scene:
    """Everything one photograph shows."""

    camera: Camera
    light: Light
    sensor: Sensor
    cards: tuple[LyingCard, ...] = ()
    things: tuple[Thing, ...] = ()
    hands: tuple[Hand, ...] = ()
