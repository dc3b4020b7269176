"""Write the script of a whole game: who lays what where, with the mishaps of a real evening."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vision.simulated.moves import Carry, Hover, Knock, Lay, Move, PutShield, Wait


@dataclass(frozen=True)
class Played:
    """One turn: who laid which card where; `shield` is put down after it, if not None.

    `first` is the slot where the card is laid by mistake before it is moved to its own.
    """

    seat: int
    slot: str
    card: str
    shield: Any = None
    first: str | None = None


def write_script(
    start: Mapping[str, str],
    turns: Sequence[Played],
    seed: int,
    pause: float = 1.0,
    knock: tuple[float, float, float] | None = (9.0, -6.0, 0.3),
) -> list[Move]:
    """The start cards, then every turn; half way the table is knocked by x, y pixels and degrees.

    `pause` is about how many seconds people think before a turn.
    """
    rng = np.random.default_rng([seed, 13])
    moves: list[Move] = [Wait(1.0)]
    for slot, card in start.items():
        moves += [Lay(0, slot, card), Wait(0.2)]
    slots = [*start, *(turn.slot for turn in turns)]
    for number, turn in enumerate(turns):
        moves.append(Wait(float(0.4 + rng.exponential(pause))))
        if rng.random() < 0.15:
            other = int(rng.integers(4))
            moves.append(Hover(other, str(rng.choice(slots)), float(rng.uniform(0.3, 2.0))))
        if turn.first is None:
            moves.append(Lay(turn.seat, turn.slot, turn.card))
        else:
            moves += [Lay(turn.seat, turn.first, turn.card), Wait(2.5)]
            moves.append(Carry(turn.seat, turn.first, turn.slot))
        if turn.shield is not None:
            moves += [Wait(0.4), PutShield(turn.seat, turn.slot, turn.shield)]
        if knock is not None and number == len(turns) // 2:
            moves += [Wait(0.6), Knock(knock[:2], knock[2])]
    return [*moves, Wait(2.0)]
