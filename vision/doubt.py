"""What speaks against a reading: a hand that may be over the slot, and how it looked when empty."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from calibration.photo import Image
from vision.glance import Floats, Memory, Numbers
from vision.reading import Reading
from vision.settling import SlotWatch
from vision.view import View

GUESSED = 0.5  # the confidence of what was not read
_COVERS = 0.5  # part of a slot that any card changes, however it lies
_UNLIKE = 0.2  # part that may differ from how the slot looked when it was empty
_BARE = 0.02  # part within which it looks just as it did then
# Of what differs from the card that lay there: no more, and it is gone; twice as much may differ
# where the slot was read as empty, too.
_RATHER = 0.1
_STUCK = 4  # frames after which what no hand covers is guessed
_HAND = 0.3  # part of a slot's surroundings that an arm lies over
_LONG, _MOST_HIDDEN = 60, 180  # frames after which a reading is believed against that


class Doubt:
    """Second thoughts about one frame; `bare` is how every slot looked when it was empty."""

    def __init__(
        self,
        view: View,
        memory: Memory,
        watches: Sequence[SlotWatch],
        image: Image,
        look: Floats,
        bare: Floats,
    ) -> None:
        self._view = view
        self._memory = memory
        self._watches = watches
        self._image = image
        self._look = look
        self._bare = bare

    def second_look(self, k: int, seen: Reading) -> Reading:
        """What the look of the slot adds to a reading that is not sure, or found it covered.

        A slot that looks just as it did when it was empty is empty, however hard to read. What
        cannot be read though no hand is near is asked for: the likeliest, not sure. But a card
        covers most of its slot: where less looks other than empty, nothing is said to lie.
        """
        if seen.state == "empty" and not seen.sure and self._looks_bare(k, 2 * _RATHER):
            return Reading("empty", None, 0.99, True, seen.also)
        if seen.state != "covered":
            return seen
        bare = self._looks_bare(k, _RATHER)
        if (not bare and self._watches[k].hidden < _STUCK) or self._is_arm_over(k):
            return seen
        if bare:
            return Reading("empty", None, 0.99, True, seen.also)
        if (named := self._watches[k].named) is not None:
            # What could be named a moment ago is no empty slot.
            return named
        if not self._is_replaced(k):
            return Reading("empty", None, GUESSED, False, seen.also)
        return Reading("card", seen.also[0], GUESSED, False, seen.also[1:]) if seen.also else seen

    def is_hidden(self, k: int, reading: Reading) -> bool:
        """Whether a hand seems to be over the slot, whatever was read there; not for ever.

        An arm is also over the ground beside the slot, and the back of a hand that is taken for
        an empty slot looks unlike that slot when it was empty.
        """
        hidden = self._watches[k].hidden
        if self._around[k] > _HAND and hidden < (_LONG if reading.sure else _MOST_HIDDEN):
            return True
        if reading.state != "empty":
            return False
        return self._unlike_bare(k) > _UNLIKE and hidden < _MOST_HIDDEN

    @cached_property
    def _stir(self) -> Numbers:
        return self._memory.stir(self._look)

    @cached_property
    def _around(self) -> Floats:
        return self._view.disturbed(self._image)

    def _is_arm_over(self, k: int) -> bool:
        """Whether something lies beside this slot or beside those that are hidden with it."""
        group = [k]
        for each in group:
            near = [int(j) for j in np.flatnonzero(self._view.near[each])]
            group += [j for j in near if self._watches[j].hidden and j not in group]
        return bool(self._around[group].max() > _HAND / 3)

    def _unlike_bare(self, k: int) -> float:
        one = slice(k, k + 1)
        return float(self._memory.unlike(self._look[one], self._bare[one])[0])

    def _looks_bare(self, k: int, rather: float) -> bool:
        """Whether it looks as it did when it was empty, and far less as it did since."""
        return self._unlike_bare(k) <= max(_BARE, rather * float(self._stir[k]))

    def _is_replaced(self, k: int) -> bool:
        """Whether most of the slot looks other than empty."""
        reading, unlike = self._watches[k].reading, self._unlike_bare(k)
        if reading is None or reading.state != "empty":
            return unlike > _COVERS
        if unlike <= _UNLIKE:
            # A hand that was taken for the empty slot has gone.
            return False
        calm = np.array([not watch.open for watch in self._watches])
        return bool(self._memory.replaced(self._look, calm)[k] > _COVERS)
