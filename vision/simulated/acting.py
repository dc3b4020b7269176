"""From a script of moves to what lies and moves on the table at every moment."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import cv2
import numpy as np

from calibration.layout import SlotShape
from vision.simulated.lay import MOST_OVERLAP, PLAYER_INKS, lay_cards, overlap
from vision.simulated.moves import (
    Carry,
    Hover,
    Knock,
    Lay,
    Move,
    PutShield,
    Take,
    TurnOver,
    Wait,
)
from vision.simulated.reach import (
    COMING,
    GOING,
    STAYING,
    Person,
    Way,
    held,
    seat_person,
    way_to,
    way_to_card,
)
from vision.simulated.scene import FACE_DOWN, Camera, Hand, LyingCard, Thing
from vision.simulated.table import SimulatedTable
from vision.simulated.things import SIZE

_SHAKES = 4  # frames that a knock lasts


@dataclass(frozen=True)
class Moment:
    """One frame's worth: what lies, what is held, which hands are over the table.

    `done` are the moves whose doing ended with this frame.
    """

    cards: Mapping[str, LyingCard]
    shields: tuple[Thing, ...]
    camera: Camera
    hands: tuple[Hand, ...] = ()
    held: tuple[LyingCard, ...] = ()
    done: tuple[Move, ...] = ()

    def faces(self) -> dict[str, str]:
        """What lies in which slot."""
        return {slot: card.name for slot, card in self.cards.items()}


class Actors:
    """The people at one table; `act` plays a script, `rate` moments a second.

    `lying`: slot -> card that lies there from the beginning.
    """

    def __init__(
        self, table: SimulatedTable, seed: int, rate: float, lying: Mapping[str, str]
    ) -> None:
        self._table = table
        self._rate = rate
        self._rng = np.random.default_rng([table.seed, seed, 9])
        self._people: dict[int, Person] = {}
        self._now = Moment(MappingProxyType({}), (), table.camera)
        for slot, card in lying.items():
            cards = {**self._now.cards, slot: self._pose(slot, card)}
            self._now = replace(self._now, cards=MappingProxyType(cards))

    def act(self, moves: Sequence[Move]) -> Iterator[Moment]:
        """Every moment of the script, one after the other."""
        for move in moves:
            moments = list(self._play(move))
            yield from moments[:-1]
            last = moments[-1] if moments else self._now
            yield replace(last, done=(move,))

    def _play(self, move: Move) -> Iterator[Moment]:
        match move:
            case Lay():
                card = self._pose(move.slot, move.card)
                yield from self._bring(move.seat, card, {**self._now.cards, move.slot: card})
            case Take():
                yield from self._fetch(move.seat, move.slot)
            case Carry():
                yield from self._carry(move)
            case TurnOver():
                card = self._pose(move.slot, move.card)
                way = way_to_card(self._person(move.seat), card, self._rng)
                yield from self._visit(way, {**self._now.cards, move.slot: card}, STAYING * 2)
            case PutShield():
                yield from self._put_shield(move)
            case Hover():
                place = self._table.slots[move.slot]
                beyond = float(self._rng.uniform(-0.1, 0.5)) * place.h * 2.4
                way = way_to(self._person(move.seat), place, beyond, self._seed())
                yield from self._visit(way, self._now.cards, move.seconds)
            case Knock():
                yield from self._knock(move)
            case Wait():
                for _ in range(round(move.seconds * self._rate)):
                    yield self._now

    def _bring(
        self, seat: int, card: LyingCard, after: Mapping[str, LyingCard]
    ) -> Iterator[Moment]:
        way = way_to_card(self._person(seat), card, self._rng)
        for part in self._parts(COMING, way):
            hand = way.hand(part)
            yield replace(self._now, hands=(hand,), held=(held(card, hand, way),))
        self._now = replace(self._now, cards=MappingProxyType(dict(after)))
        yield from self._stay_and_go(way, STAYING)

    def _fetch(self, seat: int, slot: str) -> Iterator[Moment]:
        card = self._now.cards[slot]
        way = way_to_card(self._person(seat), card, self._rng)
        for part in self._parts(COMING, way):
            yield replace(self._now, hands=(way.hand(part),))
        yield from self._hold(way, STAYING)
        rest = {name: other for name, other in self._now.cards.items() if name != slot}
        self._now = replace(self._now, cards=MappingProxyType(rest))
        for part in reversed(self._parts(GOING, way)):
            hand = way.hand(part)
            yield replace(self._now, hands=(hand,), held=(held(card, hand, way),))

    def _carry(self, move: Carry) -> Iterator[Moment]:
        card = self._now.cards[move.slot]
        way = way_to_card(self._person(move.seat), card, self._rng)
        for part in self._parts(COMING, way):
            yield replace(self._now, hands=(way.hand(part),))
        yield from self._hold(way, STAYING)
        rest = {name: other for name, other in self._now.cards.items() if name != move.slot}
        self._now = replace(self._now, cards=MappingProxyType(rest))
        target = self._pose(move.to_slot, card.name)
        there = replace(way, x=way.x + target.x - card.x, y=way.y + target.y - card.y)
        for part in self._parts(COMING, way):
            x = way.x + part * (there.x - way.x)
            y = way.y + part * (there.y - way.y)
            hand = replace(way, x=x, y=y).hand(1.0)
            moving = replace(target, x=target.x + x - there.x, y=target.y + y - there.y)
            yield replace(self._now, hands=(hand,), held=(moving,))
        cards = {**self._now.cards, move.to_slot: target}
        self._now = replace(self._now, cards=MappingProxyType(cards))
        yield from self._stay_and_go(there, STAYING)

    def _put_shield(self, move: PutShield) -> Iterator[Moment]:
        kind = "shield"
        place = self._free_place(move.slot, SIZE[kind])
        ink = PLAYER_INKS[move.seat % len(PLAYER_INKS)]
        turn = float(self._rng.uniform(0, 360))
        shield = Thing(kind, place.x, place.y, SIZE[kind], turn, ink, 3.0)
        way = way_to(self._person(move.seat), place, 0.0, self._seed())
        for part in self._parts(COMING, way):
            yield replace(self._now, hands=(way.hand(part),))
        self._now = replace(self._now, shields=(*self._now.shields, shield))
        yield from self._stay_and_go(way, STAYING)

    def _visit(self, way: Way, after: Mapping[str, LyingCard], seconds: float) -> Iterator[Moment]:
        """Come, stay while the cards become `after`, go."""
        for part in self._parts(COMING, way):
            yield replace(self._now, hands=(way.hand(part),))
        yield from self._hold(way, seconds / 2)
        self._now = replace(self._now, cards=MappingProxyType(dict(after)))
        yield from self._stay_and_go(way, seconds / 2)

    def _stay_and_go(self, way: Way, seconds: float) -> Iterator[Moment]:
        yield from self._hold(way, seconds)
        for part in reversed(self._parts(GOING, way)):
            yield replace(self._now, hands=(way.hand(part),))
        yield self._now

    def _hold(self, way: Way, seconds: float) -> Iterator[Moment]:
        for _ in range(max(1, round(seconds * self._rate))):
            hand = way.hand(1.0)
            # Nobody holds a hand quite still.
            dx, dy = self._rng.normal(0, 0.6, 2)
            yield replace(self._now, hands=(replace(hand, x=hand.x + dx, y=hand.y + dy),))

    def _knock(self, move: Knock) -> Iterator[Moment]:
        before = self._now.camera
        for _ in range(_SHAKES):
            dx, dy = self._rng.normal(0, 6, 2)
            shift = (before.shift[0] + float(dx), before.shift[1] + float(dy))
            yield replace(self._now, camera=replace(before, shift=shift))
        shift = (before.shift[0] + move.shift[0], before.shift[1] + move.shift[1])
        camera = replace(before, shift=shift, turn=before.turn + move.turn)
        self._now = replace(self._now, camera=camera)
        yield self._now

    def _parts(self, seconds: float, way: Way) -> list[float]:
        count = max(2, round(seconds * way.person.pace * self._rate))
        return [k / count for k in range(1, count + 1)]

    def _person(self, seat: int) -> Person:
        if seat not in self._people:
            rng = np.random.default_rng([self._table.seed, seat, 10])
            height = next(iter(self._table.slots.values())).h
            self._people[seat] = seat_person(seat, self._table.camera, height, rng)
        return self._people[seat]

    def _pose(self, slot: str, name: str) -> LyingCard:
        """How a card comes to lie: askew, but hardly over the others."""
        others = [card for where, card in self._now.cards.items() if where != slot]
        for sloppiness in (1.0, 0.8, 0.6, 0.4, 0.2, 0.0):
            (card,) = lay_cards(
                {slot: self._table.slots[slot]},
                {slot: name},
                self._rng,
                sloppiness,
                self._table.gloss,
            )
            if all(overlap(card, other) <= MOST_OVERLAP for other in others):
                break
        return replace(card, upside_down=card.upside_down and name != FACE_DOWN)

    def _free_place(self, slot: str, size: float) -> SlotShape:
        """A spot on the slot's tile clear of slots, cards and shields; else on the last shield."""
        tile = next(name for name, slots in self._table.layout.tiles.items() if slot in slots)
        panel = self._table.panels[tile]
        taken = [shape.corners() for shape in self._table.slots.values()]
        taken += [card.corners() for card in self._now.cards.values()]
        taken += [shield.corners() for shield in self._now.shields]
        middle = panel.mean(0)
        best = middle
        for _ in range(200):
            u, v = self._rng.uniform(0.08, 0.92, 2)
            top = panel[0] + (panel[1] - panel[0]) * u
            low = panel[3] + (panel[2] - panel[3]) * u
            spot = top + (low - top) * v
            clear = min(-cv2.pointPolygonTest(t, spot.tolist(), True) for t in taken)
            if clear > size * 0.55:
                best = spot
                break
        return SlotShape(float(best[0]), float(best[1]), size, size)

    def _seed(self) -> int:
        return int(self._rng.integers(2**31))
