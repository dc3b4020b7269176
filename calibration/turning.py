"""Layouts that look the same from the other side of the table."""

import numpy as np

from calibration.layout import Layout


def half_turned(layout: Layout) -> dict[str, str] | None:
    """Slot -> the slot in its place when the layout is turned by half; None if there is none."""
    names = list(layout.slots)
    places = np.array([(s.x, s.y) for s in layout.slots.values()])
    there = 2 * places.mean(axis=0) - places
    away = np.linalg.norm(there[:, None] - places[None], axis=2)
    partner = {}
    for i, (name, slot) in enumerate(layout.slots.items()):
        other = int(away[i].argmin())
        shape = layout.slots[names[other]]
        same = abs(shape.w - slot.w) + abs(shape.h - slot.h) < 0.1 * (slot.w + slot.h)
        if away[i, other] > 0.3 * min(slot.w, slot.h) or not same:
            return None
        partner[name] = names[other]
    return partner
