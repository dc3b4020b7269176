"""Write the script of a whole game: who lays what where, with the mishaps of a real evening."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from vision.simulated.moves import Carry, Hover, Knock, Lay, Move, PutShield, Wait

NO_SLIPS: Mapping[int, str] = MappingProxyType({})


@dataclass(frozen=True)
class Played:
    """One turn: who laid which card (or "face-down") where, and how many shields after it."""

    seat: int
    slot: str
    card: str
    shields: int = 0


def write_script(
    start: Mapping[str, str],
    turns: Sequence[Played],
    seed: int,
    *,
    slips: Mapping[int, str] = NO_SLIPS,
    pause: float = 1.0,
    knock: tuple[float, float, float] | None = (9.0, -6.0, 0.3),
) -> list[Move]:
    """The start cards, then every turn; half way the table is knocked by x, y pixels and degrees.

    `slips`: turn -> slot where its card is laid by mistake before it is moved to its own.
    `pause`: about how many seconds people think before a turn.
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
        if number in slips:
            moves += [Lay(turn.seat, slips[number], turn.card), Wait(2.5)]
            moves.append(Carry(turn.seat, slips[number], turn.slot))
        else:
            moves.append(Lay(turn.seat, turn.slot, turn.card))
        for _ in range(turn.shields):
            moves += [Wait(0.4), PutShield(turn.seat, turn.slot)]
        if knock is not None and number == len(turns) // 2:
            moves += [Wait(0.6), Knock(knock[:2], knock[2])]
    return [*moves, Wait(2.0)]
