"""The light of one evening in three grades, and how it falls on the picture."""

import math

import cv2
import numpy as np
import numpy.typing as npt

from vision.simulated.scene import Blob, Light, Sensor

Floats = npt.NDArray[np.float32]
COARSE = 16


def light_field(light: Light, sensor: Sensor, size: tuple[int, int]) -> Floats:
    """(H, W, 3) float32: what the light multiplies each pixel with."""
    x, y = _grid(size)
    level = 1 + light.slope[0] * x + light.slope[1] * y
    for blob in light.shadows:
        level = level * (1 - blob.strength * _soft(blob, x, y))
    level = level * (1 - sensor.vignette * (x**2 + y**2) * 2.5) * light.exposure
    field = np.maximum(level, 0.02)[:, :, None] * np.array(light.cast)
    return np.asarray(cv2.resize(field.astype(np.float32), size, interpolation=cv2.INTER_LINEAR))


def glare_field(light: Light, size: tuple[int, int]) -> Floats:
    """(H, W) float32: the shine that a glossy pixel adds."""
    x, y = _grid(size)
    level = np.zeros_like(x)
    for blob in light.glare:
        level = level + blob.strength * light.exposure * _soft(blob, x, y)
    return np.asarray(cv2.resize(level.astype(np.float32), size, interpolation=cv2.INTER_LINEAR))


def draw_light(grade: str, rng: np.random.Generator) -> Light:
    """A random light of a grade."""
    if grade == "gentle":
        return Light(
            exposure=rng.uniform(0.8, 0.95),
            cast=_cast(rng, 0.03),
            slope=_slope(rng, 0.08),
        )
    if grade == "ordinary":
        return Light(
            exposure=rng.uniform(0.6, 1.05),
            cast=_cast(rng, 0.12),
            slope=_slope(rng, 0.35),
            shadows=_blobs(rng, 2, 0.15, 0.4, 0.1, 0.35),
            glare=_blobs(rng, 1, 0.04, 0.12, 0.05, 0.3),
        )
    return Light(
        exposure=rng.uniform(0.3, 0.6),
        cast=_cast(rng, 0.3),
        slope=_slope(rng, 0.5),
        shadows=_blobs(rng, 3, 0.1, 0.35, 0.2, 0.55),
        glare=_blobs(rng, 3, 0.03, 0.12, 0.2, 0.8),
    )


def draw_sensor(grade: str, rng: np.random.Generator) -> Sensor:
    """A random sensor of a grade."""
    noise, blur = {"gentle": (0.002, 0.6), "ordinary": (0.005, 0.8), "hard": (0.012, 1.0)}[grade]
    return Sensor(
        vignette=rng.uniform(0.05, 0.25),
        blur=blur * rng.uniform(0.8, 1.2),
        read_noise=noise * rng.uniform(0.7, 1.2),
        shot_noise=noise * 0.06,
        quality=int(rng.integers(85, 95)),
        seed=int(rng.integers(2**31)),
    )


def _grid(size: tuple[int, int]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    width, height = size
    across, down = max(4, width // COARSE), max(4, height // COARSE)
    x = (np.arange(across) + 0.5) / across - 0.5
    y = ((np.arange(down) + 0.5) / down - 0.5) * height / width
    grid = np.meshgrid(x, y)
    return grid[0], grid[1]


def _soft(
    blob: Blob, x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    c, s = math.cos(math.radians(blob.turn)), math.sin(math.radians(blob.turn))
    u = ((x - blob.x) * c + (y - blob.y) * s) / blob.rx
    v = (-(x - blob.x) * s + (y - blob.y) * c) / blob.ry
    return np.asarray(np.exp(-((u**2 + v**2) ** 1.5)))


def _cast(rng: np.random.Generator, strength: float) -> tuple[float, float, float]:
    warm, green = rng.uniform(-strength, strength), rng.uniform(-strength, strength) * 0.3
    return (1 - warm, 1 + green, 1 + warm)


def _slope(rng: np.random.Generator, strength: float) -> tuple[float, float]:
    angle, size = rng.uniform(0, 2 * math.pi), rng.uniform(0, strength)
    return (size * math.cos(angle), size * math.sin(angle))


def _blobs(
    rng: np.random.Generator, most: int, small: float, large: float, weak: float, strong: float
) -> tuple[Blob, ...]:
    return tuple(
        Blob(
            x=rng.uniform(-0.5, 0.5),
            y=rng.uniform(-0.3, 0.3),
            rx=rng.uniform(small, large),
            ry=rng.uniform(small, large),
            turn=rng.uniform(0, 180),
            strength=rng.uniform(weak, strong),
        )
        for _ in range(int(rng.integers(0, most + 1)))
    )
