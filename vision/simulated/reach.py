"""How an arm reaches over the table: where a hand is at every moment of a move."""

import math
from dataclasses import dataclass, replace

import numpy as np

from calibration.layout import SlotShape
from vision.simulated.camera import unproject
from vision.simulated.scene import Camera, Colour, Hand, LyingCard

COMING, STAYING, GOING = 0.55, 0.25, 0.5  # seconds, before a person's own pace
_SEATS = ((0.33, 1), (0.67, 0), (0.72, 1), (0.28, 0))  # part of the width, and near side or far


@dataclass(frozen=True)
class Person:
    """Who reaches: where they sit on the table's plane and how their hand looks."""

    x: float
    y: float
    hand: Hand
    pace: float


def seat_person(seat: int, camera: Camera, card_height: float, rng: np.random.Generator) -> Person:
    """A person at one of four seats, out of the picture, two on each long side."""
    width, height = camera.size
    part, near = _SEATS[seat % len(_SEATS)]
    rim = unproject(camera, [[part * width, height if near else 0]])[0]
    middle = unproject(camera, [[part * width, height / 2]])[0]
    away = (rim - middle) / np.linalg.norm(rim - middle)
    body = rim + away * card_height * rng.uniform(3, 5)
    tone, red = rng.uniform(0.08, 0.55), rng.uniform(0.45, 0.65)
    sleeve = rng.uniform(0.02, 0.7, 3)
    skin: Colour = (tone * red * 0.75, tone * red, tone)
    hand = Hand(
        *(0.0, 0.0, 0.0),
        length=rng.uniform(150, 190) * card_height / 68,
        skin=skin,
        sleeve=(float(sleeve[0]), float(sleeve[1]), float(sleeve[2])),
        cuff=float(rng.choice([0.0, 0.1, 0.3, 0.8])),
    )
    return Person(float(body[0]), float(body[1]), hand, rng.uniform(0.85, 1.25))


@dataclass(frozen=True)
class Way:
    """A straight way of a hand's tips from the body to a place on the table."""

    person: Person
    x: float
    y: float
    seed: int

    @property
    def direction(self) -> float:
        """Where the arm comes from, in degrees."""
        return math.degrees(math.atan2(self.person.y - self.y, self.person.x - self.x))

    def hand(self, part: float) -> Hand:
        """The hand when it has gone this part of its way; 0 is out of the picture."""
        c, s = math.cos(math.radians(self.direction)), math.sin(math.radians(self.direction))
        far = math.hypot(self.person.x - self.x, self.person.y - self.y)
        # Hands start fast and stop softly.
        left = (1 - part) ** 2 * (1 + 2 * part) * far
        return replace(
            self.person.hand,
            x=self.x + left * c,
            y=self.y + left * s,
            direction=self.direction,
            seed=self.seed,
        )


def way_to_card(person: Person, card: LyingCard, rng: np.random.Generator) -> Way:
    """A way that ends with the fingers on the near part of a card."""
    away = math.atan2(person.y - card.y, person.x - card.x)
    back = rng.uniform(-0.15, 0.3) * card.h
    x, y = card.x + back * math.cos(away), card.y + back * math.sin(away)
    return Way(person, x, y, int(rng.integers(2**31)))


def way_to(person: Person, place: SlotShape, beyond: float, seed: int) -> Way:
    """A way whose end is `beyond` a place, so that the palm lies over it."""
    away = math.atan2(person.y - place.y, person.x - place.x)
    x, y = place.x - beyond * math.cos(away), place.y - beyond * math.sin(away)
    return Way(person, x, y, seed)


def held(card: LyingCard, hand: Hand, way: Way) -> LyingCard:
    """The card in a hand on its way: as it will lie, but turned a little with the wrist."""
    off = math.hypot(hand.x - way.x, hand.y - way.y)
    turn = card.turn + 12 * math.sin(off / (2 * card.h))
    return replace(card, x=card.x + hand.x - way.x, y=card.y + hand.y - way.y, turn=turn)
