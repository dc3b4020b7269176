"""Taught samples that do not look like the other cards of their colour and rank."""

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.looks import predict
from calibration.warp import Crops, Floats

_WIDE = 20  # pixels of card width: enough for which card it is, too few for how exactly it lies
_OTHER = 1.25  # times nearer to another card than to the named one
# Times as far from what is expected as the middle sample of the deck: where another card is
# nearer, and in any case.
_ODD, _STRANGE = 2.0, 4.0


def find_misfits(names: Sequence[str], crops: Crops) -> list[int]:
    """Which of the samples (n, h, w, 3) are named wrongly or hardly to be seen, in order.

    The worst is set aside before the rest are looked at again: it spoils what others expect.
    """
    size = (_WIDE, round(_WIDE * crops.shape[1] / crops.shape[2]))
    small = [cv2.resize(c, size, interpolation=cv2.INTER_AREA).astype(np.float32) for c in crops]
    left = list(range(len(names)))
    out: list[int] = []
    while len(out) * 3 < len(names):
        doubts = _doubts([names[i] for i in left], [small[i] for i in left])
        worst = int(doubts.argmax())
        if doubts[worst] <= 1:
            break
        out.append(left.pop(worst))
    return sorted(out)


def _doubts(names: Sequence[str], samples: Sequence[Floats]) -> Floats:
    """(n,) above 1 where a sample does not fit; 0 where nothing is known to hold it against."""
    own = {
        card: np.mean([s for s, name in zip(samples, names, strict=True) if name == card], axis=0)
        for card in dict.fromkeys(names)
    }
    guesses, _ = predict(own)
    doubts = np.zeros(len(names))
    if len(guesses) < 2:
        return doubts
    cards = list(guesses)
    expected = np.stack([guesses[card] for card in cards])
    away = np.stack([np.abs(s - expected).max(axis=3).mean(axis=(1, 2)) for s in samples])
    known = [i for i, name in enumerate(names) if name in guesses]
    columns = [cards.index(names[i]) for i in known]
    named = away[known, columns]
    away[known, columns] = np.inf
    nearest = away[known].min(axis=1)
    odd = named / (np.median(named) + 1e-6)
    other = np.minimum(named / (_OTHER * nearest + 1e-6), odd / _ODD)
    doubts[known] = np.maximum(other, odd / _STRANGE)
    return doubts
