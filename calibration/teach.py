"""Teach a deck by showing it: from photographs with names to a Deck, with what to beware of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from calibration.alike import Alike, close_colours, look_alikes
from calibration.congeal import congeal
from calibration.deck import Deck
from calibration.entries import Entry, check_entries, named_often
from calibration.errors import BadInput
from calibration.looks import even_light, looks_of
from calibration.misfits import find_misfits
from calibration.photo import Image
from calibration.quads import find_quads
from calibration.slots import Slots, View
from calibration.table import Table
from calibration.warp import Crops, Floats, frames_of, take, take_each

WIDE = 80  # pixels of card width that samples are kept with
_LOOK_WIDE = 720  # pixels are enough to find a single card in a picture
_AROUND = 1.6  # a sample is cut out this much larger, so that it can still be moved
_EMPTY = 0.9  # part of a slot that looks as it did empty, from which nothing lies there
_STILL = 0.93  # correlation from which a slot still shows the same card


@dataclass(frozen=True)
class Taught:
    """The deck, the pairs of cards most alike, and what is wrong with the photographs."""

    deck: Deck
    alike: tuple[Alike, ...]
    problems: list[str]

    def to_json(self) -> dict[str, Any]:
        """As `cairn teach` prints it."""
        shown = dict.fromkeys(self.deck.names)
        return {
            "shown": list(shown),
            "composed": [card for card in self.deck.cards if card not in shown],
            "alike": [{"cards": [p.one, p.other], "likeness": p.likeness} for p in self.alike],
            "problems": self.problems,
        }


@dataclass(frozen=True)
class Sample:
    """One shown card: where it was, and its surroundings cut out of the photograph.

    `cutout`: (h, w, 3) uint8 in the picture's light, `gains`: (3,) that light. `sides`: (3, 3)
    from where the card's own sides seem to be to the middle of the cutout.
    """

    card: str
    photo: str
    slot: str | None
    cutout: Image
    gains: Floats
    sides: Floats


def teach(photos: Mapping[str, Image], entries: Sequence[Entry], table: Table | None) -> Taught:
    """A deck from entries as in teach.json; `photos` gives the picture of each name."""
    entries = check_entries(entries, "teach.json")
    slots = None if table is None else Slots(table)
    problems = [words for entry in entries for words in named_often(entry)]
    singles = {
        entry["photo"]: _only_card(photos[entry["photo"]], entry["photo"])
        for entry in entries
        if "card" in entry
    }
    aspect = _aspect(slots, [quad for _, quad in singles.values()])
    size = (WIDE, round(WIDE * aspect))
    samples: list[Sample] = []
    copies = False
    for entry in entries:
        if "card" in entry:
            samples.append(_single(*singles[entry["photo"]], entry, size))
        elif slots is None:
            raise BadInput(
                f"{entry['photo']}: its cards are named by slot; give the table with --table"
            )
        else:
            view = _look(slots, photos[entry["photo"]], entry)
            copies = copies or _copied(samples, entry, view, slots, size)
            samples += _laid(view, slots, entry, size, problems)
    if not samples:
        raise BadInput("teach: no card could be seen in the photographs; show them again")
    deck = _deck(samples, size, copies)
    looks = looks_of(deck, (WIDE // 2, round(WIDE // 2 * aspect)))
    problems += [_misfit(samples[i]) for i in find_misfits(deck.names, deck.crops)]
    problems += close_colours(looks)
    return Taught(deck, look_alikes(looks), problems)


def _only_card(image: Image, photo: str) -> tuple[Image, Floats]:
    """The largest card-like thing: a picture of its surroundings, its corners (4, 2) there.

    The first side is a short one.
    """
    scale = min(1.0, _LOOK_WIDE / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    quads = find_quads(np.asarray(small, np.uint8))
    if not quads:
        raise BadInput(f"{photo}: no card can be found in it; lay one card on a plain ground")
    quad = max(quads, key=lambda q: float(cv2.contourArea(q))) / scale
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    if sides[0] + sides[2] > sides[1] + sides[3]:
        quad = np.roll(quad, -1, axis=0)
    shrink = min(1.0, 1.5 * WIDE / float(min(sides)))
    low = np.maximum(quad.min(axis=0) - sides.max() / 2, 0).astype(int)
    high = (quad.max(axis=0) + sides.max() / 2).astype(int)
    around = image[low[1] : high[1], low[0] : high[0]]
    part = cv2.resize(around, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    return np.asarray(part, np.uint8), np.asarray((quad - low) * shrink, np.float32)


def _aspect(slots: Slots | None, quads: Sequence[Floats]) -> float:
    if slots is not None:
        return slots.card[1] / slots.card[0]
    if not quads:
        return 1.5
    sides = [np.linalg.norm(np.roll(q, -1, axis=0) - q, axis=1) for q in quads]
    return float(np.median([(s[1] + s[3]) / (s[0] + s[2]) for s in sides]))


def _single(image: Image, quad: Floats, entry: Entry, size: tuple[int, int]) -> Sample:
    cutout = take(image, frames_of([quad], size), _larger(size))[0]
    return Sample(entry["card"], entry["photo"], None, cutout, np.ones(3, np.float32), np.eye(3))


def _look(slots: Slots, image: Image, entry: Entry) -> View:
    width, height = slots.table.size
    if image.shape[:2] != (height, width):
        raise BadInput(
            f"{entry['photo']}: has {image.shape[1]} x {image.shape[0]} pixels, the table was "
            f"calibrated with {width} x {height}; take it with the same camera setting"
        )
    for slot in entry["cards"]:
        if slot not in slots.names:
            raise BadInput(f"{entry['photo']}: the table has no slot {slot}")
    # Backs laid on the slots have told how large the cards are.
    return slots.look(image, any_size=slots.table.back is None)


def _laid(
    view: View,
    slots: Slots,
    entry: Entry,
    size: tuple[int, int],
    problems: list[str],
) -> list[Sample]:
    """One sample for every slot that the entry names and where something lies."""
    scale = np.diag([slots.card[0] / size[0], slots.card[1] / size[1], 1.0]).astype(np.float32)
    out = []
    for slot, card in entry["cards"].items():
        i = slots.names.index(slot)
        if view.bare[i] > _EMPTY:
            problems.append(f"{entry['photo']}: slot {slot} looks empty, {card} was not learned")
            continue
        # Where cards lie side by side their own sides are hard to tell from their neighbours';
        # the slot is the better place to start from.
        cutout = take(view.image, view.middles[i : i + 1] @ scale, _larger(size))[0]
        gains = view.light.gains[i] * slots.lit[i]
        sides = np.linalg.inv(view.middles[i] @ scale) @ view.cards[i] @ scale
        out.append(Sample(card, entry["photo"], slot, cutout, gains, sides))
    return out


def _copied(
    samples: Sequence[Sample],
    entry: Entry,
    view: View,
    slots: Slots,
    size: tuple[int, int],
) -> bool:
    """Whether this photograph shows a card twice: named twice, or one named earlier still there."""
    cards = list(entry["cards"].values())
    if len(set(cards)) < len(cards):
        return True
    scale = np.diag([slots.card[0] / size[0], slots.card[1] / size[1], 1.0]).astype(np.float32)
    for sample in samples:
        if sample.card in cards and sample.slot and sample.slot not in entry["cards"]:
            i = slots.names.index(sample.slot)
            now = take(view.image, view.middles[i : i + 1] @ scale, _larger(size))[0]
            if _correlation(now, sample.cutout) > _STILL:
                return True
    return False


def _misfit(sample: Sample) -> str:
    where = sample.photo if sample.slot is None else f"{sample.photo}: slot {sample.slot}"
    return (
        f"{where}: {sample.card} does not look like the other cards of its colour and rank; "
        "is it named rightly, and in full view?"
    )


def _correlation(one: Image, other: Image) -> float:
    a, b = (cv2.resize(c, (24, 32), interpolation=cv2.INTER_AREA).ravel() for c in (one, other))
    return float(np.corrcoef(a, b)[0, 1])


def _deck(samples: Sequence[Sample], size: tuple[int, int], copies: bool) -> Deck:
    names = [sample.card for sample in samples]
    crops = _aligned(samples, size).astype(np.float32)
    gains = np.stack([sample.gains for sample in samples])
    evened = even_light(names, crops / gains[:, None, None])
    # Teaching in dim light must not burn out the paper of the evened samples.
    bright = np.median(np.quantile(evened.reshape(len(evened), -1), 0.995, axis=1))
    evened = np.clip(evened * min(1.0, 245.0 / float(bright)), 0, 255)
    return Deck(tuple(names), np.round(evened).astype(np.uint8), copies)


def _aligned(samples: Sequence[Sample], size: tuple[int, int]) -> Crops:
    wide = _larger(size)
    middle = np.array([[1, 0, (wide[0] - 1) / 2], [0, 1, (wide[1] - 1) / 2], [0, 0, 1]], np.float32)
    cutouts = [sample.cutout for sample in samples]
    located = np.stack([middle @ sample.sides for sample in samples]).astype(np.float32)
    names = [sample.card for sample in samples]
    frames = congeal(cutouts, np.tile(middle, (len(samples), 1, 1)), located, names, size)
    return take_each(cutouts, frames, size)


def _larger(size: tuple[int, int]) -> tuple[int, int]:
    return round(size[0] * _AROUND), round(size[1] * _AROUND)
