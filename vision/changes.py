"""Changes: what has settled on the table, and the few frames a change waits for its other half."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from vision.reading import Reading

Kind = Literal["placed", "removed", "moved", "changed", "covered", "free", "camera-moved"]

HOLD = 20  # frames for which a card taken away may turn up in another slot under the same hand


@dataclass(frozen=True)
class Change:
    """Something that has settled on the table.

    `reading` is what lies in the slot now (for "moved", in `to_slot`). "free" is a slot that is
    seen as it was known: after it was covered, or empty at first sight. `shifted_px` is how far
    the picture has moved since calibration, None where that cannot be followed.
    """

    kind: Kind
    slot: str | None = None
    to_slot: str | None = None
    reading: Reading | None = None
    shifted_px: float | None = None

    def readings(self) -> list[tuple[str, Reading]]:
        """What the slots it touches hold now, emptied ones first."""
        if self.slot is None or self.reading is None:
            return []
        if self.to_slot is None:
            return [(self.slot, self.reading)]
        return [(self.slot, Reading("empty", None, 1.0, True)), (self.to_slot, self.reading)]


@dataclass
class _Held:
    change: Change
    lost: str | None
    frames: int = 0


class Outbox:
    """Holds cards that were taken away for a moment: one that is laid elsewhere has moved."""

    def __init__(self) -> None:
        self._held: list[_Held] = []

    def __bool__(self) -> bool:
        return bool(self._held)

    def put(self, change: Change, lost: str | None) -> None:
        """Hand a change in; `lost` is the card that the slot no longer holds."""
        self._held.append(_Held(change, lost))

    def take(self, moving: bool) -> list[Change]:
        """The changes that are ready; `moving`: a hand is still at some slot."""
        laid = {h.change.reading.card for h in self._held if h.change.reading is not None} - {None}
        ready: list[_Held] = []
        rest: list[_Held] = []
        for held in self._held:
            held.frames += 1
            wait = held.change.kind == "removed" and moving and held.frames <= HOLD
            (rest if wait and held.lost not in laid else ready).append(held)
        self._held = rest
        return _pair(ready)


def _pair(ready: Sequence[_Held]) -> list[Change]:
    """Cards that went come before cards that came; the same card going and coming has moved."""
    gone = {h.lost: h.change for h in ready if h.change.kind == "removed" and h.lost is not None}
    moves, came = [], []
    for change in (held.change for held in ready if held.change.kind != "removed"):
        card = change.reading.card if change.reading is not None else None
        if change.kind == "placed" and card is not None and card in gone:
            source = gone.pop(card)
            # A card that a hand only seemed to have taken is no news.
            if source.slot != change.slot:
                moves.append(Change("moved", source.slot, change.slot, change.reading))
        else:
            came.append(change)
    nameless = [h.change for h in ready if h.change.kind == "removed" and h.lost is None]
    return [*gone.values(), *nameless, *moves, *came]
