"""What is wrong with a photograph, in words with what to do."""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from calibration.errors import BadInput
from calibration.layout import Layout
from calibration.photo import Image
from calibration.warp import frames_of, take

DARK = 28
BURNT = 250
BURNT_PART = 0.08
ALL_BURNT = 0.85
SOFT = 0.1  # edges as wide as this part of a card are blurred
SMALL = 32


def check_burnt(photo: Image, name: str) -> None:
    """Raise BadInput if nearly the whole photograph is white."""
    if float((np.median(photo[::4, ::4], axis=2) >= BURNT).mean()) > ALL_BURNT:
        raise BadInput(f"{name} is too bright; take it with less light or less exposure")


def photo_problems(
    name: str, photo: Image, outlines: Mapping[str, np.ndarray], layout: Layout
) -> list[str]:
    """Dark, blurred, burnt out: each a sentence that names the photograph."""
    problems = []
    slots = list(outlines)
    width = card_width(outlines)
    crops = take(photo, frames_of([outlines[slot] for slot in slots], (24, 36)), (24, 36))
    brightness = float(np.median(crops.max(axis=-1)))
    if brightness < DARK:
        problems.append(f"{name} is too dark to tell colours; turn on a lamp over the table")
    burnt = (crops.min(axis=-1) >= BURNT).mean(axis=(1, 2)) > BURNT_PART
    glaring = [slot for slot, is_burnt in zip(slots, burnt, strict=True) if is_burnt]
    if len(glaring) > 0.7 * len(slots):
        problems.append(f"{name} is too bright; take it with less light or less exposure")
    elif glaring:
        problems.append(
            f"{name} has glare over {_slots(glaring, layout)}; move the lamp or tilt the camera"
        )
    edge = edge_width(photo)
    if edge > max(8.0, SOFT * width):
        problems.append(
            f"{name} is blurred (edges are {edge:.0f} pixels wide); hold the camera still and focus"
        )
    return problems


def small_cards(outlines: Mapping[str, np.ndarray]) -> list[str]:
    """A sentence if cards are too small to be read well, where the slots are known for sure."""
    width = card_width(outlines)
    if width >= SMALL:
        return []
    return [f"cards are only {width:.0f} pixels wide; go nearer or take a larger picture"]


def cut_off(outlines: Mapping[str, np.ndarray], size: tuple[int, int]) -> dict[str, list[str]]:
    """Side of the picture -> slots that reach beyond it."""
    sides: dict[str, list[str]] = {"left": [], "right": [], "top": [], "bottom": []}
    for slot, corners in outlines.items():
        slack = 0.02 * np.linalg.norm(corners[1] - corners[0])
        if corners[:, 0].min() < -slack:
            sides["left"].append(slot)
        if corners[:, 0].max() > size[0] - 1 + slack:
            sides["right"].append(slot)
        if corners[:, 1].min() < -slack:
            sides["top"].append(slot)
        if corners[:, 1].max() > size[1] - 1 + slack:
            sides["bottom"].append(slot)
    return {side: slots for side, slots in sides.items() if slots}


def edge_width(photo: Image) -> float:
    """How many pixels the sharpest edges of the picture take from dark to light."""
    grey = cv2.GaussianBlur(cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY), (0, 0), 1.0).astype(np.float32)
    steep = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)) / 8
    window = np.ones((25, 25), np.uint8)
    span = cv2.dilate(grey, window) - cv2.erode(grey, window)
    clear = steep >= np.percentile(steep, 99.7)
    return float(np.median(span[clear] / np.maximum(steep[clear], 0.5)))


def slot_list(slots: Sequence[str], layout: Layout) -> str:
    """Slots in words, runs shortened: "2N1-2N3, E"."""
    order = list(layout.slots)
    runs: list[list[str]] = []
    for slot in sorted(slots, key=order.index):
        if runs and order.index(slot) == order.index(runs[-1][-1]) + 1:
            runs[-1].append(slot)
        else:
            runs.append([slot])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(run) for run in runs)


def _slots(slots: Sequence[str], layout: Layout) -> str:
    return f"slot{'s' if len(slots) > 1 else ''} {slot_list(slots, layout)}"


def card_width(outlines: Mapping[str, np.ndarray]) -> float:
    """Pixels of the shorter side of the usual slot."""
    corners = np.stack(list(outlines.values()))
    sides = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
    return float(np.median(np.minimum(sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3]) / 2))
