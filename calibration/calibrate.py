"""From photographs of this table to its Table, with all that is wrong said in words."""

from dataclasses import dataclass, replace

import numpy as np

from calibration.back_look import look_alike, look_at_backs, neighbours_light, slope_of_light
from calibration.backs import understand
from calibration.corners import outlines_from_corners
from calibration.drawing import draw_slots
from calibration.errors import BadInput
from calibration.layout import Layout, Points
from calibration.markers import find_markers
from calibration.occupied import find_occupied
from calibration.photo import Image, check_size
from calibration.quality import check_burnt, cut_off, photo_problems, slot_list, small_cards
from calibration.registering import kept_detail, move_back, nudge, nudge_of_markers
from calibration.table import Table
from calibration.turning import half_turned
from calibration.understood import Understood, doubt

SAME_VIEW = 0.42


@dataclass(frozen=True)
class Calibration:
    """The table, what is wrong with the photographs, and a picture with the slots drawn in."""

    table: Table
    problems: list[str]
    picture: Image


class NotCalibrated(BadInput):
    """BadInput with a picture of what was seen all the same."""

    def __init__(self, words: str, picture: Image) -> None:
        super().__init__(words)
        self.picture = picture


def calibrate(empty: Image, backs: Image, layout: Layout, swap: bool = False) -> Calibration:
    """Slots from the tiles empty and then with a card face down in every slot.

    N is the side at the top of the picture and tiles count from its left; a row that stands
    upright counts from the top and has N on the right. `swap` looks from the other side.
    """
    check_size(empty, "the empty photograph")
    if empty.shape != backs.shape:
        raise BadInput(
            f"the photographs differ in size ({empty.shape[1]} x {empty.shape[0]} and "
            f"{backs.shape[1]} x {backs.shape[0]}); take both with one camera on its stand"
        )
    check_burnt(empty, "the empty photograph")
    check_burnt(backs, "the photograph with backs")
    problems: list[str] = []
    markers = find_markers(empty)
    backs, moved = _same_view(empty, backs, markers)
    if moved >= 1:
        problems.append(
            f"the camera moved by {moved:.0f} pixels between the photographs; that was followed"
        )
    seen = understand(empty, backs, layout)
    if seen is None:
        raise NotCalibrated(
            "no cards found: the two photographs hardly differ; "
            "lay a card face down in every slot for the second",
            backs,
        )
    if swap:
        seen = _from_other_side(seen, layout)
    picture = draw_slots(backs, seen.outlines, seen.cards)
    faults = photo_problems("the empty photograph", empty, seen.outlines, layout)
    faults += photo_problems("the photograph with backs", backs, seen.outlines, layout)
    if not look_alike(backs, seen.cards):
        faults.append("the cards do not look alike; lay them all face down")
    words = doubt(seen, layout)
    if words is not None:
        raise NotCalibrated("; ".join([*faults, words]), picture)
    missing = [slot for slot in layout.slots if slot not in seen.cards]
    if missing:
        problems.append(
            f"only {len(seen.cards)} of {len(layout.slots)} cards found; the places of "
            f"{slot_list(missing, layout)} are inferred from their neighbours"
        )
    problems += _cut_off(seen.outlines, empty, layout, picture)
    problems += faults + small_cards(seen.outlines)
    look = look_at_backs(backs, seen.gains, seen.cards)
    table = Table(
        layout=layout,
        size=(empty.shape[1], empty.shape[0]),
        outlines=seen.outlines,
        empty=empty,
        light=neighbours_light(seen.outlines, look.light),
        back=look.back,
        back_spread=look.spread,
        found=frozenset(seen.cards),
        markers=markers,
    )
    return Calibration(table, problems, picture)


def calibrate_from_corners(
    empty: Image, corners: Points, layout: Layout, swap: bool = False
) -> Calibration:
    """Slots from the (4, 2) picture points of the layout's (0,0) (w,0) (w,h) (0,h).

    The photograph may show a game going on: slots that look taken are kept as `occupied`, since
    the picture does not show how they look empty.
    """
    check_size(empty, "the photograph")
    check_burnt(empty, "the photograph")
    corners = np.asarray(corners, np.float32)
    if swap and corners.shape == (4, 2):
        corners = np.roll(corners, 2, axis=0)
    outlines = outlines_from_corners(empty, corners, layout)
    occupied = find_occupied(empty, outlines)
    picture = draw_slots(empty, outlines, layout.slots, occupied)
    problems = _cut_off(outlines, empty, layout, picture)
    problems += photo_problems("the photograph", empty, outlines, layout)
    problems += small_cards(outlines)
    if occupied:
        problems.append(
            f"something lies on {slot_list(list(occupied), layout)}; "
            "how these slots look empty is not known yet"
        )
    table = Table(
        layout=layout,
        size=(empty.shape[1], empty.shape[0]),
        outlines=outlines,
        empty=empty,
        light=slope_of_light(empty, outlines),
        occupied=frozenset(occupied),
        markers=find_markers(empty),
    )
    return Calibration(table, problems, picture)


def _same_view(empty: Image, backs: Image, markers: dict[int, Points]) -> tuple[Image, float]:
    """The second photograph brought over the first, and by how many pixels; else BadInput."""
    by = nudge_of_markers(markers, find_markers(backs)) if markers else None
    moved = nudge(empty, backs)
    # A marker may have been pushed by itself: believe it where the whole view agrees.
    if by is not None and np.hypot(by[0] - moved[0], by[1] - moved[1]) < 2:
        moved = (float(by[0]), float(by[1]))
    kept, length = kept_detail(empty, backs), 0.0
    if moved != (0.0, 0.0):
        brought = move_back(backs, moved)
        better = kept_detail(empty, brought)
        if better > kept + 0.03:
            backs, kept, length = brought, better, float(np.hypot(*moved))
    if kept < SAME_VIEW:
        raise NotCalibrated(
            "the two photographs do not show the same view; "
            "take both from the stand without moving camera or tiles",
            backs,
        )
    return backs, length


def _cut_off(
    outlines: dict[str, Points], photo: Image, layout: Layout, picture: Image
) -> list[str]:
    size = (photo.shape[1], photo.shape[0])
    gone = []
    for slot, corners in outlines.items():
        middle = corners.mean(axis=0)
        if (middle < 0).any() or (middle > size).any():
            gone.append(slot)
    sides = cut_off(outlines, size)
    words = [
        f"the row is cut off at the {side} ({slot_list(slots, layout)})"
        for side, slots in sides.items()
    ]
    if gone:
        raise NotCalibrated(f"{'; '.join(words)}; move the camera back or turn it", picture)
    return [f"{sentence}; move the camera back or turn it" for sentence in words]


def _from_other_side(seen: Understood, layout: Layout) -> Understood:
    """The same slots named as somebody opposite would: the layout turned by half."""
    partner = half_turned(layout)
    if partner is None:
        raise BadInput("swap: this layout differs from the other side; turn the layout file round")
    outlines = {s: np.roll(seen.outlines[partner[s]], 2, axis=0) for s in layout.slots}
    cards = {
        s: np.roll(seen.cards[partner[s]], 2, axis=0)
        for s in layout.slots
        if partner[s] in seen.cards
    }
    gains = {s: seen.gains[partner[s]] for s in layout.slots}
    return replace(seen, outlines=outlines, cards=cards, gains=gains)
