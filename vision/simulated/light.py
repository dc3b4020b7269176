"""The light of one evening in three grades, and how it falls on the picture."""

import math
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.simulated.scene import Blob, Colour, Light, Sensor

Floats = npt.NDArray[np.float32]
Grid = npt.NDArray[np.float64]
COARSE = 8

GRADES = ("gentle", "ordinary", "hard")


def light_field(light: Light, sensor: Sensor, size: tuple[int, int]) -> Floats:
    """(H, W, 3) float32: what the light multiplies each pixel with."""
    x, y = _grid(size)
    level = 1 + light.slope[0] * x + light.slope[1] * y
    for blob in light.shadows:
        level = level * (1 - blob.strength * _soft(blob, x, y))
    strength, bands, phase = light.flicker
    level = level * (1 + strength * np.sin(2 * math.pi * (bands * y + phase)))
    level = level * (1 - sensor.vignette * (x**2 + y**2) * 2.5) * light.exposure
    warm = light.warmth[0] * x + light.warmth[1] * y
    cast = np.array(light.cast) * np.stack([1 - warm, np.ones_like(warm), 1 + warm], -1)
    field = (np.maximum(level, 0.02)[:, :, None] * cast).astype(np.float32)
    return np.asarray(cv2.resize(field, size, interpolation=cv2.INTER_LINEAR))


def glare_field(light: Light, size: tuple[int, int]) -> Floats:
    """(H, W) float32: the shine that a glossy pixel adds."""
    x, y = _grid(size)
    level = np.zeros_like(x)
    for blob in light.glare:
        level = level + blob.strength * light.exposure * _soft(blob, x, y)
    return np.asarray(cv2.resize(level.astype(np.float32), size, interpolation=cv2.INTER_LINEAR))


def draw_light(grade: str, rng: np.random.Generator) -> Light:
    """A random light of a grade, as it may be at any moment of an evening."""
    offset = _polar(rng, 0.3, 1.2)
    if grade == "gentle":
        return Light(
            exposure=rng.uniform(0.75, 0.95),
            cast=_cast(rng, 0.04),
            slope=_polar(rng, 0, 0.1),
            shadow_offset=offset,
        )
    if grade == "ordinary":
        return Light(
            exposure=rng.uniform(0.7, 1.3) * 0.85,
            cast=_cast(rng, 0.14),
            slope=_polar(rng, 0, 0.45),
            warmth=_polar(rng, 0, 0.12),
            flicker=(rng.uniform(0, 0.03), rng.uniform(1, 4), rng.random()),
            shadows=_blobs(rng, 0, 2, (0.1, 0.4), (0.1, 0.4), (1.5, 3.0)),
            glare=_blobs(rng, 0, 2, (0.02, 0.1), (0.05, 0.35), (1.5, 4.0)),
            shadow_offset=offset,
        )
    return Light(
        exposure=rng.uniform(0.35, 0.65),
        cast=_cast(rng, 0.32),
        slope=_polar(rng, 0.1, 0.7),
        warmth=_polar(rng, 0, 0.25),
        flicker=(rng.uniform(0, 0.06), rng.uniform(1, 5), rng.random()),
        shadows=_blobs(rng, 1, 3, (0.08, 0.35), (0.25, 0.6), (2.0, 6.0)),
        glare=_blobs(rng, 1, 3, (0.02, 0.1), (0.15, 1.0), (1.5, 6.0)),
        shadow_offset=offset,
    )


def draw_sensor(grade: str, rng: np.random.Generator) -> Sensor:
    """The camera of a grade: it stays the same through an evening."""
    # At 1 the noise of gentle light is what a good webcam has in daylight.
    noise, blur = {"gentle": (1.0, 0.6), "ordinary": (2.2, 0.75), "hard": (4.5, 0.95)}[grade]
    return Sensor(
        vignette=rng.uniform(0.05, 0.3),
        contrast=rng.uniform(-0.1, 0.5),
        saturation=rng.uniform(0.8, 1.3),
        blur=blur * rng.uniform(0.75, 1.35),
        read_noise=0.0016 * noise * rng.uniform(0.7, 1.2),
        shot_noise=0.00006 * noise**1.5 * rng.uniform(0.7, 1.3),
        sharpen=float(rng.choice([0.0, 0.4, 0.9])),
        quality=int(rng.integers({"gentle": 88, "ordinary": 80, "hard": 72}[grade], 96)),
    )


def jog(sensor: Sensor, grade: str, rng: np.random.Generator) -> Sensor:
    """The same camera in one photograph: focus hunts a little, the stand may tremble."""
    tremble = {"gentle": 0.0, "ordinary": 0.8, "hard": 2.0}[grade]
    return replace(
        sensor,
        blur=sensor.blur * rng.uniform(0.9, 1.25),
        motion=_polar(rng, 0, tremble) if rng.random() < 0.5 else (0.0, 0.0),
        seed=int(rng.integers(2**31)),
    )


def _grid(size: tuple[int, int]) -> tuple[Grid, Grid]:
    width, height = size
    across, down = max(4, width // COARSE), max(4, height // COARSE)
    x = (np.arange(across) + 0.5) / across - 0.5
    y = ((np.arange(down) + 0.5) / down - 0.5) * height / width
    grid = np.meshgrid(x, y)
    return grid[0], grid[1]


def _soft(blob: Blob, x: Grid, y: Grid) -> Grid:
    c, s = math.cos(math.radians(blob.turn)), math.sin(math.radians(blob.turn))
    u = ((x - blob.x) * c + (y - blob.y) * s) / blob.rx
    v = (-(x - blob.x) * s + (y - blob.y) * c) / blob.ry
    return np.asarray(np.exp(-((u**2 + v**2) ** (blob.edge / 2))))


def _cast(rng: np.random.Generator, strength: float) -> Colour:
    warm, green = rng.uniform(-strength, strength), rng.uniform(-strength, strength) * 0.3
    return (1 - warm, 1 + green, 1 + warm)


def _polar(rng: np.random.Generator, least: float, most: float) -> tuple[float, float]:
    angle, size = rng.uniform(0, 2 * math.pi), rng.uniform(least, most)
    return (size * math.cos(angle), size * math.sin(angle))


def _blobs(
    rng: np.random.Generator,
    fewest: int,
    most: int,
    size: tuple[float, float],
    strength: tuple[float, float],
    edge: tuple[float, float],
) -> tuple[Blob, ...]:
    return tuple(
        Blob(
            x=rng.uniform(-0.5, 0.5),
            y=rng.uniform(-0.3, 0.3),
            rx=rng.uniform(*size),
            ry=rng.uniform(*size),
            turn=rng.uniform(0, 180),
            strength=rng.uniform(*strength),
            edge=rng.uniform(*edge),
        )
        for _ in range(int(rng.integers(fewest, most + 1)))
    )
