"""Taught cards are cut out as they lie, whatever is printed on them, and misnamed ones are told."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.congeal import congeal
from calibration.deck import split_name
from calibration.layout import read_layout
from calibration.locate import pose_matrices
from calibration.photo import Image
from calibration.table import Table
from calibration.teach import Taught, teach
from calibration.warp import take_each
from vision.simulated import PrintedDeck, print_deck, set_table

LAYOUT = Path(__file__).parents[2] / "scorer/games/clans_and_glory/layout-2.json"
INNER = 0.12  # of the width: a face is looked for this far to every side
RANKS = ("3", "4", "5", "6")


def teach_deck(style: str, seed: int, renamed: dict[str, str]) -> tuple[PrintedDeck, Taught]:
    """Show a deck on a table, some cards under the names of others."""
    printed = print_deck(seed, style, ranks=RANKS)
    layout = read_layout(LAYOUT)
    simulated = set_table(seed, layout, printed, "ordinary", (1440, 810))
    table = Table(
        layout=layout,
        size=(1440, 810),
        outlines={s: np.asarray(c, np.float32) for s, c in simulated.outlines().items()},
        empty=simulated.empty_photo(1).image,
        back=np.asarray(cv2.resize(printed.back, (72, 112)), np.uint8),
    )
    laid = dict(zip(simulated.slots, printed.faces, strict=False))
    photo = simulated.photo(laid, 10).image
    named = {slot: renamed.get(card, card) for slot, card in laid.items()}
    return printed, teach({"shown.jpg": photo}, [{"photo": "shown.jpg", "cards": named}], table)


def off_and_way(face: Image, crop: Image) -> tuple[float, bool, float]:
    """How far off the face lies in the crop in card widths, whether upside down, how clearly."""
    h, w = crop.shape[:2]
    edge = round(INNER * w)
    small = cv2.resize(face, (w, h), interpolation=cv2.INTER_AREA)
    inner = small[edge:-edge, edge:-edge]
    found = []
    for over in (False, True):
        wanted = np.ascontiguousarray(inner[::-1, ::-1] if over else inner)
        match = cv2.matchTemplate(crop, wanted, cv2.TM_CCOEFF_NORMED)
        _, value, _, (x, y) = cv2.minMaxLoc(match)
        found.append((value, float(np.hypot(x - edge, y - edge)) / w, over))
    best = max(found)
    return best[1], best[2], abs(found[0][0] - found[1][0])


@pytest.mark.parametrize(("style", "seed"), [("disc-corner", 1302), ("border-corner", 1305)])
def test_every_card_is_cut_out_as_it_lies(style: str, seed: int) -> None:
    printed, taught = teach_deck(style, seed, {})
    ways = set()
    for name, crop in zip(taught.deck.names, taught.deck.crops, strict=True):
        off, over, clear = off_and_way(printed.faces[name], crop)
        assert off < 0.06, name
        if clear > 0.1:
            ways.add(over)
    assert len(ways) < 2
    assert not [problem for problem in taught.problems if "named rightly" in problem]


def test_misnamed_cards_are_told() -> None:
    _, taught = teach_deck("disc-corner", 1302, {"red-3": "blue-6", "blue-6": "red-3"})
    told = [problem for problem in taught.problems if "named rightly" in problem]
    assert any("blue-6" in problem for problem in told)
    assert any("red-3" in problem for problem in told)


@pytest.mark.parametrize("style", ["full-corner", "disc-corner", "band", "oval"])
def test_sides_of_neighbours_lead_no_card_astray(style: str) -> None:
    """Cards lie side by side, a few percent off, some upside down; no side is found rightly."""
    rng = np.random.default_rng(7)
    faces = print_deck(1310, style, ranks=RANKS).faces
    names = list(faces)
    size = (80, 120)
    small = {n: cv2.resize(f, size, interpolation=cv2.INTER_AREA) for n, f in faces.items()}
    pictures: list[Image] = []
    for name in names:
        row = [small[str(other)] for other in rng.choice(names, 2)]
        own = small[name][::-1, ::-1] if rng.random() < 0.4 else small[name]
        across = np.hstack([row[0], own, row[1]])
        high = cv2.copyMakeBorder(across, 60, 60, 0, 0, cv2.BORDER_WRAP)
        x, y = rng.integers(-5, 6, 2)
        pictures.append(np.asarray(np.roll(high, (x, y), (1, 0)), np.uint8, order="C"))
    middle = np.array([[1, 0, 119.5], [0, 1, 119.5], [0, 0, 1]], np.float32)
    frames = np.tile(middle, (len(names), 1, 1))
    astray = rng.uniform(-20, 20, (len(names), 3)) * (1, 1, 0)
    located = frames @ pose_matrices(astray.astype(np.float32))
    crops = take_each(pictures, congeal(pictures, frames, located, names, size), size)
    ways: dict[str, set[bool]] = {rank: set() for rank in RANKS}
    for name, crop in zip(names, crops, strict=True):
        off, way, clear = off_and_way(faces[name], crop)
        assert off < 0.08, name
        if clear > 0.1:
            ways[split_name(name)[1]].add(way)
    assert all(len(seen) < 2 for seen in ways.values())
