"""Slots from four corners: exact, checked, and usable in the middle of a game."""

import cv2
import numpy as np
import pytest

from calibration.calibrate import calibrate_from_corners
from calibration.corners import parse_corners
from calibration.errors import BadInput
from calibration.layout import Layout, Points, layout_from_json
from calibration.photo import Image

CORNERS = np.array([[100, 150], [1300, 120], [1350, 450], [80, 430]], np.float32)


def _photo(width: int = 1440, height: int = 810) -> Image:
    rng = np.random.default_rng(3)
    coarse = rng.integers(60, 200, (height // 30, width // 30, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(coarse, (width, height)), np.uint8)


def _grid() -> Layout:
    slots = {
        f"{row + 1}{chr(65 + column)}": {"x": column + 0.5, "y": row + 0.5, "w": 1, "h": 1}
        for row in range(16)
        for column in range(16)
    }
    return layout_from_json({"name": "grid", "size": [16, 16], "slots": slots}, "grid")


def _flat(layout: Layout, corners: Points) -> np.ndarray:
    w, h = layout.size
    return cv2.getPerspectiveTransform(
        corners, np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    )


def test_outlines_are_the_layout_seen_by_the_camera(two: Layout) -> None:
    table = calibrate_from_corners(_photo(), CORNERS, two).table
    back = _flat(two, CORNERS)
    for slot, shape in two.slots.items():
        flat = cv2.perspectiveTransform(table.outlines[slot][None], back)[0]
        assert np.allclose(flat, shape.corners(), atol=0.02)


def test_swap_looks_from_the_other_side(two: Layout) -> None:
    plain = calibrate_from_corners(_photo(), CORNERS, two).table.outlines
    swapped = calibrate_from_corners(_photo(), CORNERS, two, swap=True).table.outlines
    assert plain["1N1"].mean(axis=0)[0] < 400
    assert swapped["1N1"].mean(axis=0)[0] > 1000
    assert swapped["1N1"].mean(axis=0)[1] > plain["1N1"].mean(axis=0)[1]


def test_a_grid_in_the_middle_of_a_game() -> None:
    photo = np.full((900, 900, 3), 200, np.uint8)
    photo += np.random.default_rng(1).integers(0, 12, photo.shape).astype(np.uint8)
    corners = np.array([[50, 50], [850, 50], [850, 850], [50, 850]], np.float32)
    taken = {"1A": (30, 30, 30), "8H": (40, 40, 200), "16P": (30, 90, 30)}
    for slot, colour in taken.items():
        row, column = int(slot[:-1]) - 1, ord(slot[-1]) - 65
        y, x = 50 + 50 * row, 50 + 50 * column
        photo[y + 3 : y + 47, x + 3 : x + 47] = colour
    result = calibrate_from_corners(photo, corners, _grid())
    assert result.table.occupied == frozenset(taken)
    assert any("something lies on 1A, 8H, 16P" in problem for problem in result.problems)
    assert result.picture.shape == photo.shape


def test_nothing_is_occupied_on_an_empty_board() -> None:
    photo = np.full((900, 900, 3), 180, np.uint8)
    photo[..., 0] += (np.arange(900)[None] // 20).astype(np.uint8)
    corners = np.array([[50, 50], [850, 50], [850, 850], [50, 850]], np.float32)
    assert not calibrate_from_corners(photo, corners, _grid()).table.occupied


def test_a_row_that_leaves_the_picture(two: Layout) -> None:
    slightly = CORNERS - np.array([110, 0], np.float32)
    problems = calibrate_from_corners(_photo(), slightly, two).problems
    assert any("the row is cut off at the left (W" in problem for problem in problems)
    far = CORNERS - np.array([200, 0], np.float32)
    with pytest.raises(BadInput, match=r"cut off at the left \(W.*; move the camera back"):
        calibrate_from_corners(_photo(), far, two)


@pytest.mark.parametrize(
    ("corners", "words"),
    [
        (CORNERS[::-1], "anticlockwise"),
        (CORNERS[[0, 2, 1, 3]], "cross"),
        (CORNERS + 5000, "outside the picture of 1440 x 810"),
        (CORNERS[:3], "expected four points"),
        (CORNERS * 0 + 100, "no four-sided shape"),
        (CORNERS * np.nan, "expected numbers in pixels"),
    ],
)
def test_corners_that_cannot_be(two: Layout, corners: Points, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        calibrate_from_corners(_photo(), corners, two)


def test_corners_in_words() -> None:
    assert parse_corners("1,2 3,4  5.5,6 -7,8").tolist() == [[1, 2], [3, 4], [5.5, 6], [-7, 8]]


@pytest.mark.parametrize("text", ["", "1,2 3,4 5,6", "a,b c,d e,f g,h", "1 2 3 4", "1,2,3 4,5,6"])
def test_malformed_corners(text: str) -> None:
    with pytest.raises(BadInput, match="expected four points like"):
        parse_corners(text)


def test_points_are_numbers() -> None:
    with pytest.raises(BadInput, match="corners: expected numbers in pixels"):
        parse_corners("10,20 900,nan 910,480 8,470")
