"""Cards lying anywhere on an unknown table."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.simulated.camera import project
from vision.simulated.deck import PrintedDeck
from vision.simulated.lay import overlap
from vision.simulated.light import draw_light, draw_sensor, jog
from vision.simulated.render import Image, Stage, card_textures, render
from vision.simulated.scene import Camera, LyingCard, Points, Scene
from vision.simulated.surface import paint_surface

CARD = (44.0, 68.0)


@dataclass(frozen=True)
class ScatterPhoto:
    """A photograph of loose cards: `cards` pairs each name with its picture corners (4, 2)."""

    image: Image
    cards: tuple[tuple[str, Points], ...]


def scatter_photo(
    seed: int,
    deck: PrintedDeck,
    cards: Sequence[str],
    grade: str,
    size: tuple[int, int] = (1920, 1080),
    card_width: float = 75,
) -> ScatterPhoto:
    """Cards anywhere, any turn, some touching, none on top of another."""
    rng = np.random.default_rng([seed, 4])
    scale = card_width / CARD[0]
    span = (size[0] / scale, size[1] / scale)
    camera = Camera(
        size=size,
        look=(span[0] / 2, span[1] / 2),
        scale=scale,
        distance=span[0] * rng.uniform(0.8, 1.4),
        tilt=rng.uniform(0, 13),
        azimuth=rng.uniform(0, 360),
        k1=rng.uniform(-0.06, 0.02),
    )
    lying = _strew(cards, camera, rng, deck.gloss)
    surface = paint_surface({}, {}, camera, rng)
    faces = card_textures(deck, CARD[0] * scale * 1.2, CARD[1] * scale * 1.2)
    sensor = jog(draw_sensor(grade, rng), grade, rng)
    drawn = render(Stage(surface, faces), Scene(camera, draw_light(grade, rng), sensor, lying))
    return ScatterPhoto(drawn.image, tuple(zip(cards, drawn.outlines, strict=True)))


def _strew(
    cards: Sequence[str], camera: Camera, rng: np.random.Generator, gloss: float
) -> tuple[LyingCard, ...]:
    lying: list[LyingCard] = []
    width, height = camera.size
    for name in cards:
        for _ in range(400):
            card = _drop(name, lying, camera, rng, gloss)
            seen = project(camera, card.corners())
            inside = (seen > 4).all() and (seen < (width - 5, height - 5)).all()
            if inside and not any(overlap(card, other) > 0.001 for other in lying):
                lying.append(card)
                break
        else:
            raise ValueError(f"no room for {len(cards)} cards: fewer cards or a larger picture")
    return tuple(lying)


def _drop(
    name: str,
    lying: Sequence[LyingCard],
    camera: Camera,
    rng: np.random.Generator,
    gloss: float,
) -> LyingCard:
    half = np.array(camera.size) / camera.scale / 2
    x, y = np.array(camera.look) + rng.uniform(-1, 1, 2) * half
    turn = rng.uniform(0, 360)
    if lying and rng.random() < 0.4:
        # Laid against the long side of another card, as people do.
        other = lying[int(rng.integers(len(lying)))]
        turn = other.turn + rng.uniform(-1, 1)
        angle = math.radians(other.turn + (0 if rng.random() < 0.5 else 180))
        beside = CARD[0] * rng.uniform(1.02, 1.08)
        x, y = other.x + beside * math.cos(angle), other.y + beside * math.sin(angle)
    return LyingCard(name, float(x), float(y), *CARD, turn, gloss=gloss * rng.uniform(0.2, 1.0))
