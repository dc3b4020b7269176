"""How the light of an evening drifts: clouds, a dimmed lamp, heads that lean in, exposure."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

_ACROSS, _DOWN = 64, 36
_STRENGTH = {"gentle": 0.35, "ordinary": 1.0, "hard": 1.6}


@dataclass(frozen=True)
class Wave:
    """One slow change: strength, seconds a period, phase."""

    strength: float
    period: float
    phase: float

    def at(self, second: float) -> float:
        """Its value at a moment."""
        return self.strength * math.sin(2 * math.pi * (second / self.period + self.phase))


@dataclass(frozen=True)
class Passing:
    """A soft shadow that crosses the table: when, how long, how dark, how large, whither."""

    start: float
    seconds: float
    strength: float
    size: float
    ends: tuple[float, float, float, float]


@dataclass(frozen=True)
class Weather:
    """The drift of one evening; at second 0 the light is as it was set."""

    bright: tuple[Wave, ...]
    warm: tuple[Wave, ...]
    across: tuple[Wave, ...]
    shadows: tuple[Passing, ...]
    switches: tuple[tuple[float, float], ...]

    def gain(self, second: float) -> Floats:
        """(36, 64, 3) float32: what code values are multiplied with."""
        y, x = np.mgrid[-0.5 : 0.5 : _DOWN * 1j, -0.5 : 0.5 : _ACROSS * 1j]
        level = 1.0 + _sum(self.bright, second)
        for at, factor in self.switches:
            level *= factor if second >= at else 1.0
        field = level * (1 + _sum(self.across, second) * x)
        for shadow in self.shadows:
            part = (second - shadow.start) / shadow.seconds
            if 0 < part < 1:
                x0, y0, x1, y1 = shadow.ends
                there = (x - x0 - part * (x1 - x0)) ** 2 + (y - y0 - part * (y1 - y0)) ** 2
                fade = min(1.0, 4 * part, 4 * (1 - part))
                field = field * (1 - fade * shadow.strength * np.exp(-there / shadow.size**2))
        warm = _sum(self.warm, second)
        cast = np.array([1 - warm, 1.0, 1 + warm])
        linear = np.clip(field[:, :, None] * cast, 0.05, 4)
        return np.asarray(linear ** (1 / 2.2), np.float32)


def draw_weather(grade: str, seconds: float, seed: int, switches: int = 0) -> Weather:
    """The drift of an evening that lasts so long; `switches` times a lamp goes on or off."""
    rng = np.random.default_rng([seed, 11])
    strength = _STRENGTH[grade]
    shadows = []
    at = rng.uniform(2, 15)
    while at < seconds:
        x, y = rng.uniform(-0.5, 0.5, 2)
        dx, dy = rng.normal(0, 0.35, 2)
        shadows.append(
            Passing(
                float(at),
                float(rng.uniform(1.5, 8)),
                float(min(0.65, rng.uniform(0.1, 0.35) * strength)),
                float(rng.uniform(0.1, 0.35)),
                (float(x), float(y), float(x + dx), float(y + dy)),
            )
        )
        at += rng.uniform(4, 25)
    lamps = [
        (float(rng.uniform(0, seconds)), float(rng.choice([0.6, 0.7, 1.4, 1.6])))
        for _ in range(switches)
    ]
    return Weather(
        bright=_waves(rng, 0.07 * strength),
        warm=_waves(rng, 0.03 * strength),
        across=_waves(rng, 0.1 * strength),
        shadows=tuple(shadows),
        switches=tuple(lamps),
    )


def spread(gain: Floats, size: tuple[int, int]) -> npt.NDArray[np.uint8]:
    """(H, W, 3) uint8, 128 where the light is as it was: for cv2.multiply with scale 1 / 128."""
    coarse = np.clip(gain * 128, 0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(coarse, size, interpolation=cv2.INTER_LINEAR), np.uint8)


def _waves(rng: np.random.Generator, strength: float) -> tuple[Wave, ...]:
    return tuple(
        Wave(strength * rng.uniform(0.3, 1), period * rng.uniform(0.7, 1.4), rng.random())
        for period in (7, 40, 300)
    )


def _sum(waves: tuple[Wave, ...], second: float) -> float:
    return sum(wave.at(second) - wave.at(0) for wave in waves)
