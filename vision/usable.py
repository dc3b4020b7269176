"""Whether a picture can be read at all: is there light, and is it this table and deck?"""

import numpy as np

from calibration.errors import BadInput
from calibration.follow import Followed
from calibration.warp import Bools, Crops, Floats
from vision.confidence import Evidence

_LEFT = 0.15  # of the empty table's brightness or contrast that must be left to see something
_BLACK = 0.06  # the same of what lies in a slot: darker than any ink
_FLAT = 12.0  # grey levels of contrast that are too few where the empty table has many more
_BURNT, _BURNT_PART = 250, 0.6
_MOST = 0.7  # of the slots that cannot be seen make a picture unusable
# Of photographs of their own table none had less of both than 0.28 with 18 and 0.4 with 10, and
# of photographs of other tables none had more than 0.25 or 6.4.
_KEPT, _CLEAR = 0.35, 8.0
_DETAIL = 0.005
# Correlation with the best card: of the right deck three in four cards had 0.9 and more, of
# other decks they had from 0.4 to 0.86. Backs had 0.7 and more, hands taken for backs about 0.
_SEVERAL, _PLAIN_SIDES, _LIKE_A_CARD = 5, 0.08, 0.65
_LIKE_A_BACK = 0.4


def unseen(now: Crops, empty: Crops) -> Bools:
    """(n,) slots whose coarse crops (n, h, w, 3) are too dark or too pale to show anything."""
    low, high = _range(now)
    low_empty, high_empty = _range(empty)
    inside, inside_empty = (_range(_inner(crops))[1] for crops in (now, empty))
    # Around a slot there is always table; a card itself may be black.
    dark = (high < _LEFT * high_empty) | (inside < _BLACK * inside_empty)
    pale = (high - low < _LEFT * (high_empty - low_empty)) & (high - low < _FLAT)
    return np.asarray(dark | pale)


def check_light(now: Crops, empty: Crops, lost: Bools, source: str) -> None:
    """Raise BadInput if most slots are `lost` (n,), or too bright to be read."""
    burnt = _burnt(now) > np.maximum(_BURNT_PART, _burnt(empty) + 0.3)
    if (lost | burnt).mean() <= _MOST:
        return
    if burnt.mean() > 0.5 or now.mean() > empty.mean():
        raise BadInput(
            f"{source}: is too bright to see the cards; take it with less light or less exposure"
        )
    raise BadInput(f"{source}: is too dark to see the cards; turn on a lamp over the table")


def check_table(followed: Followed, source: str) -> None:
    """Raise BadInput if hardly anything around the slots looks as when the table was empty."""
    if followed.kept < _KEPT and followed.clear < _CLEAR and followed.detail > _DETAIL:
        raise BadInput(
            f"{source}: hardly anything of the calibrated table is found in it; give the table "
            "file of this table, or calibrate again if the camera or the tiles were moved"
        )


def check_deck(evidence: Evidence, faces: int, source: str) -> None:
    """Raise BadInput if cards plainly lie there and hardly one looks like any of the deck's."""
    backs = (evidence.best == faces) & (evidence.alike > _LIKE_A_BACK)
    lying = (evidence.bare < 0.5) & (evidence.sides > _PLAIN_SIDES) & ~backs
    if lying.sum() >= _SEVERAL and np.quantile(evidence.alike[lying], 0.75) < _LIKE_A_CARD:
        raise BadInput(
            f"{source}: {lying.sum()} cards lie there and hardly one looks like a card of the "
            "deck; give the deck file of these cards, or teach them"
        )


def _range(crops: Crops) -> tuple[Floats, Floats]:
    """(n,) each: almost the darkest and almost the brightest grey of crops (n, h, w, 3)."""
    grey = (crops[..., 0].astype(np.uint16) + crops[..., 1] + crops[..., 2]).reshape(len(crops), -1)
    few = grey.shape[1] // 20
    order = np.partition(grey, (few, grey.shape[1] - 1 - few), axis=1)
    return order[:, few] / np.float32(3), order[:, -1 - few] / np.float32(3)


def _inner(crops: Crops) -> Crops:
    h, w = crops.shape[1:3]
    return crops[:, h // 4 : h - h // 4, w // 4 : w - w // 4]


def _burnt(crops: Crops) -> Floats:
    """(n,) the part of each crop where two of three channels are at their end."""
    return np.asarray(((crops >= _BURNT).sum(axis=3) >= 2).mean(axis=(1, 2)))
