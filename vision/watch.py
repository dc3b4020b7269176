"""Watch a table: many frames in, settled changes out, and work only where the picture changed."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from calibration.deck import Deck
from calibration.errors import BadInput
from calibration.photo import Image
from calibration.table import Table
from vision.changes import HOLD, Change, Kind, Outbox
from vision.doubt import Doubt
from vision.glance import Floats, Memory, Numbers
from vision.read import Reader
from vision.reading import Reading
from vision.settling import SlotWatch
from vision.view import Reads, View

__all__ = ["Change", "Watcher"]

STIRRED = 0.06  # part of a slot's cells that must differ before it is looked at again
_SAME = 0.015  # part within which it looks as it did
_MOVING = 0.03  # part that differs from one frame to the next while something moves
_MANY = 0.35  # part of the slots that stir at once when the camera is knocked
_PUZZLED, _ASTRAY = 8, 12  # readings that fit nowhere before they are made less often, and told
_SEARCH_EVERY = 12  # frames between two searches for a picture that has moved far
_REMEMBER_EVERY, _CALM = 45, 5  # frames, and how many of them nothing must have moved before
_DRIFT_EVERY, _DRIFT = 8, 0.25
_BLURRED, _MOST_BLURRED = 0.45, 10
_UNSURE_HOLD = 3  # frames that a card in doubt waits for the one like it to go
_LONGEST_QUEUE = 8  # frames that a change waits for one that began before it


class Watcher:
    """Watches one table, frame by frame; `make_reader` is what reads a whole picture."""

    def __init__(
        self, table: Table, deck: Deck, make_reader: Callable[[Table, Deck], Reads] = Reader
    ) -> None:
        self._deck = deck
        self._make_reader = make_reader
        self._view = View(table, self._reader)
        self._slots = self._view.slots
        self._watches = [SlotWatch() for _ in self._slots]
        self._outbox = Outbox()
        self._image: Image = table.empty
        self._bare = self._view.look(table.empty)
        self._memory: Memory | None = None
        self._before: Floats | None = None
        self._unread = np.ones(len(self._slots), bool)
        self._frames = self._astray = self._calm = self._shaken = 0
        self._sharp, self._blurred = 0.0, 0

    def place(self, table: Table) -> None:
        """Go on with a new calibration of the same slots; what is known of them stays."""
        if tuple(table.layout.slots) != self._slots:
            raise BadInput("table: has other slots than the one being watched; calibrate that one")
        self._view = View(self._view.complete(table), self._reader)
        self._bare = self._view.look(table.empty)
        self._memory = self._before = None
        self._unread[:] = True
        self._astray = 0
        for watch in self._watches:
            watch.reopen()

    @property
    def slots(self) -> tuple[str, ...]:
        """The names of the slots being watched."""
        return self._slots

    @property
    def readings(self) -> Mapping[str, Reading]:
        """The settled reading of every slot that has been seen clearly."""
        pairs = zip(self._slots, self._watches, strict=True)
        return MappingProxyType({s: w.reading for s, w in pairs if w.reading is not None})

    @property
    def astray(self) -> bool:
        """Whether the slots cannot be found in the picture any more."""
        return self._astray >= _ASTRAY

    @property
    def busy(self) -> bool:
        """Whether something stirs that has not settled."""
        return bool(self._outbox) or any(watch.open for watch in self._watches)

    def crop(self, slot: str) -> Image:
        """(h, w, 3) uint8: a slot upright as the last frame shows it."""
        return self._view.crop(self._image, slot)

    def see(self, image: Image) -> tuple[Change, ...]:
        """Look at the next frame; whatever has settled with it."""
        image = self._image = self._view.fit(image)
        self._frames += 1
        look = self._view.look(image)
        if self._memory is None or self._before is None:
            self._memory, self._before = Memory(look), look
            return ()
        changes = []
        stir = self._stir(self._memory, look)
        if self._is_knock(self._memory, stir, look, self._before) and self._follow(image):
            changes.append(Change("camera-moved", shifted_px=self._view.shifted_px))
            look = self._before = self._view.look(image)
            stir = self._stir(self._memory, look)
            for watch in self._watches:
                watch.reopen()
        if self._astray and (stir > STIRRED).mean() < _MANY:
            self._astray = 0
        self._pass_frame(self._memory, look, stir)
        self._before = look
        self._recognise(stir)
        if any(watch.due for watch in self._watches) and not self._is_blurred(image):
            self._read(self._memory, image, look, stir)
        changes += self._take_changes()
        self._rest(self._memory, image, look, stir)
        return tuple(changes)

    def finish(self) -> tuple[Change, ...]:
        """There are no more frames: what the last one showed is taken as settled."""
        changes: list[Change] = []
        for _ in range(HOLD + 1):
            if not self.busy:
                break
            changes += self.see(self._image)
        return tuple(changes)

    def _reader(self, table: Table) -> Reads:
        return self._make_reader(table, self._deck)

    def _stir(self, memory: Memory, look: Floats) -> Numbers:
        """How much each slot looks other than it did; wholly, where that is not known yet."""
        return np.where(self._unread, 1.0, memory.stir(look))

    def _is_knock(self, memory: Memory, stir: Numbers, look: Floats, before: Floats) -> bool:
        """Whether many slots look other than they did though nothing moves any more."""
        stirred = (stir > STIRRED) & ~self._unread
        many = stirred.sum() >= max(2, _MANY * len(stirred))
        still = many and (memory.motion(look, before) > _MOVING).mean() < _MANY / 2
        self._shaken = self._shaken + 1 if still else 0
        return self._shaken >= 2

    def _follow(self, image: Image) -> bool:
        """Whether the picture has moved to where it can be found."""
        if self._astray < _PUZZLED:
            followed = self._view.follow(image)
            if followed or not self._astray:
                return bool(followed)
        return self._frames % _SEARCH_EVERY == 0 and bool(self._view.search(image))

    def _pass_frame(self, memory: Memory, look: Floats, stir: Numbers) -> None:
        stirred = stir > STIRRED
        moving = np.zeros(len(stirred), bool)
        if self._before is not None and (stirred.any() or any(w.open for w in self._watches)):
            moving = memory.motion(look, self._before) > _MOVING
        self._calm = 0 if moving.any() else self._calm + 1
        beside = (self._view.near & moving).any(axis=1)
        for k, watch in enumerate(self._watches):
            watch.frame(bool(stirred[k]), bool(moving[k]), bool(beside[k]))

    def _recognise(self, stir: Numbers) -> None:
        """A hand has passed over slots that then look just as they did: nothing to read."""
        for k, watch in enumerate(self._watches):
            if watch.due and watch.reading is not None and stir[k] <= _SAME and watch.reading.sure:
                self._settle(k, watch.reading, alike=True)

    def _is_blurred(self, image: Image) -> bool:
        """Whether this frame shows less detail than others; not for ever, light may have gone."""
        sharp = self._view.sharpness(image)
        self._sharp = max(sharp, self._sharp * 0.97)
        self._blurred = self._blurred + 1 if sharp < _BLURRED * self._sharp else 0
        return 0 < self._blurred <= _MOST_BLURRED

    def _read(self, memory: Memory, image: Image, look: Floats, stir: Numbers) -> None:
        """Read this frame for the slots that need it, and settle those that are clear."""
        if self._astray > _PUZZLED and self._frames % _PUZZLED:
            return
        due = [k for k, watch in enumerate(self._watches) if watch.due]
        readings = self._view.read(image, [self._slots[k] for k in due], self._lying_elsewhere())
        if self._fits_nowhere([readings[self._slots[k]] for k in due if self._is_other(k, stir)]):
            self._astray += 1
            if self._astray == _ASTRAY:
                self._outbox.put(Change("camera-moved", shifted_px=None), None)
            return
        self._astray = 0
        settled = np.zeros(len(self._slots), bool)
        doubt = Doubt(self._view, memory, self._watches, image, look, self._bare)
        for k in due:
            watch = self._watches[k]
            known = watch.reading is not None and not watch.contested
            alike = known and bool(stir[k] <= STIRRED)
            seen = readings[self._slots[k]]
            if seen.state == "covered" and alike and watch.reading is not None:
                # It looks as it did: only hard to read, as it was before.
                self._settle(k, watch.reading, alike)
                continue
            if not self._shaken:
                seen = doubt.second_look(k, seen)
            reading = watch.vote(seen, alike)
            if reading is None or self._must_wait(k, reading) or self._is_next_in_line(k):
                continue
            if self._is_news(k, reading) and doubt.is_hidden(k, reading):
                watch.delay()
                continue
            self._settle(k, reading, alike)
            settled[k] = True
        memory.keep(look, settled)
        self._unread &= ~settled
        gone = settled & np.array([_was_read_empty(watch.reading) for watch in self._watches])
        self._bare[gone] = look[gone]

    def _is_news(self, k: int, reading: Reading) -> bool:
        """Whether a slot that was known is said to hold something else."""
        old = self._watches[k].reading
        return old is not None and (old.state, old.card) != (reading.state, reading.card)

    def _lying_elsewhere(self) -> list[str]:
        """The cards that lie in slots where nothing stirs."""
        known = (w.reading for w in self._watches if w.is_certain and w.reading is not None)
        return [r.card for r in known if r.card is not None]

    def _is_other(self, k: int, stir: Numbers) -> bool:
        """Whether a slot that was known looks other than it did."""
        return self._watches[k].reading is not None and bool(stir[k] > STIRRED)

    def _fits_nowhere(self, readings: Sequence[Reading]) -> bool:
        """Whether most slots look other than they did and next to none of them can be read."""
        good = sum(r.sure and r.state != "covered" for r in readings)
        return len(readings) > 0.6 * len(self._slots) and good < 0.4 * len(readings)

    def _settle(self, k: int, reading: Reading, alike: bool) -> None:
        """Believe a reading, and hand in the change it makes, if any.

        `alike`: the slot looks as it did when it was last understood.
        """
        slot, watch = self._slots[k], self._watches[k]
        old, told = watch.reading, watch.told
        known = ("empty", None) if old is None else (old.state, old.card)
        same = (reading.state, reading.card) == known
        doubted = False
        firm = old is not None and old.sure and old.state != "empty" and not watch.contested
        if old is not None and not reading.sure and (alike or firm):
            # Glare or a shadow over a known card is no news, nor is a second guess; look again.
            reading, same, doubted = old, True, old.sure and not same
        watch.settle(reading, doubted)
        if not same:
            came: Kind = "placed" if known[0] == "empty" else "changed"
            kind: Kind = "removed" if reading.state == "empty" else came
            self._outbox.put(Change(kind, slot, reading=reading), known[1])
        elif told or (old is None and reading.sure):
            self._outbox.put(Change("free", slot, reading=reading), None)
        elif old is not None and reading.sure and not old.sure and old.state != "empty":
            self._outbox.put(Change("changed", slot, reading=reading), None)

    def _must_wait(self, k: int, reading: Reading) -> bool:
        """A card that still lies elsewhere cannot be here: look there again first."""
        watch = self._watches[k]
        patience = HOLD if reading.sure else _UNSURE_HOLD
        if reading.card is None or self._deck.copies or watch.held > patience:
            return False
        twins = [
            other
            for other in self._watches
            if other is not watch
            and other.reading
            and other.reading.sure
            and other.reading.card == reading.card
        ]
        if not twins or (watch.reading is not None and watch.reading.card == reading.card):
            return False
        watch.held += 1
        for twin in twins:
            if not twin.open and watch.held == 1:
                twin.reopen()
                twin.contested = reading.sure
        return True

    def _is_next_in_line(self, k: int) -> bool:
        """Whether a slot that came to rest earlier is still being read: turns keep their order."""
        watch = self._watches[k]
        if watch.reading is None or watch.queued >= _LONGEST_QUEUE:
            return False
        earlier = any(w.is_read and w.still > watch.still for w in self._watches)
        watch.queued += earlier
        return earlier

    def _take_changes(self) -> list[Change]:
        changes = self._outbox.take(any(watch.open for watch in self._watches))
        for slot, watch in zip(self._slots, self._watches, strict=True):
            if watch.to_tell:
                watch.told = True
                changes.append(Change("covered", slot, reading=Reading("covered", None, 1.0, True)))
        return changes

    def _rest(self, memory: Memory, image: Image, look: Floats, stir: Numbers) -> None:
        """While nothing moves, keep up with slow light and remember how all looks."""
        if self._frames % _DRIFT_EVERY == 0:
            quiet = np.array([not watch.open for watch in self._watches]) & (stir <= STIRRED / 2)
            memory.drift(look, quiet, _DRIFT)
            if not self.busy:
                self._view.rest(image)
        due = self._frames % _REMEMBER_EVERY == 0 or not self._view.remembers
        if due and self._calm >= _CALM and (stir > STIRRED).mean() < _MANY / 2:
            self._view.remember(image)


def _was_read_empty(reading: Reading | None) -> bool:
    """Whether a slot was seen to be empty, not only guessed to be: a hand may look like it."""
    return reading is not None and reading.state == "empty" and reading.sure
