"""From two photographs of a simulated table to its slots, whatever its direction."""

import cv2
import numpy as np
import pytest

from calibration.calibrate import calibrate
from calibration.errors import BadInput
from calibration.layout import Layout, Points, layout_from_json
from calibration.photo import Image
from calibration.quality import card_width
from calibration.table import Table
from calibration.turning import half_turned
from tests.calibration.conftest import Shot, shoot
from vision.simulated import print_deck, set_table


def _off(table: Table, truth: dict[str, Points]) -> dict[str, float]:
    """How far each slot's corners are off, in card widths."""
    width = card_width(truth)
    return {
        slot: float(np.linalg.norm(table.outlines[slot] - truth[slot], axis=1).mean()) / width
        for slot in truth
    }


def _from_other_side(layout: Layout, truth: dict[str, Points]) -> dict[str, Points]:
    partner = half_turned(layout)
    assert partner is not None
    return {slot: np.roll(truth[partner[slot]], 2, axis=0) for slot in truth}


def test_slots_light_and_back(shot: Shot) -> None:
    result = calibrate(shot.empty, shot.backs, shot.layout)
    table = result.table
    off = _off(table, shot.table.outlines())
    assert max(off.values()) < 0.2
    assert np.mean(list(off.values())) < 0.08
    assert table.found == frozenset(shot.layout.slots)
    assert table.back is not None
    assert table.back_spread is not None
    assert table.back.shape[:2] == table.back_spread.shape
    aspect = table.back.shape[0] / table.back.shape[1]
    assert 1.3 < aspect < 1.9
    assert all(light.min() > 0.5 and light.max() < 2 for light in table.light.values())
    assert result.picture.shape == shot.empty.shape
    assert not np.array_equal(result.picture, shot.backs)


def test_swap_names_from_the_other_side(shot: Shot) -> None:
    table = calibrate(shot.empty, shot.backs, shot.layout, swap=True).table
    turned = _from_other_side(shot.layout, shot.table.outlines())
    assert max(_off(table, turned).values()) < 0.2


def test_upside_down_still_counts_from_the_left(two: Layout) -> None:
    shot = shoot(1004, two, row=180)
    truth = shot.table.outlines()
    assert truth["W"].mean(axis=0)[0] > truth["E"].mean(axis=0)[0], "the picture is turned"
    table = calibrate(shot.empty, shot.backs, two).table
    assert max(_off(table, _from_other_side(two, truth)).values()) < 0.2


def test_upright_row_counts_from_the_top(two: Layout) -> None:
    shot = shoot(1005, two, row=90)
    table = calibrate(shot.empty, shot.backs, two).table
    truth = shot.table.outlines()
    if truth["W"].mean(axis=0)[1] > truth["E"].mean(axis=0)[1]:
        truth = _from_other_side(two, truth)
    assert max(_off(table, truth).values()) < 0.2
    assert table.outlines["W"].mean(axis=0)[1] < table.outlines["E"].mean(axis=0)[1]
    assert table.outlines["1N1"].mean(axis=0)[0] > table.outlines["1S1"].mean(axis=0)[0]


def test_missing_cards_are_inferred(two: Layout) -> None:
    missing = ("1N1", "3S2", "E")
    shot = shoot(1003, two, missing=missing)
    result = calibrate(shot.empty, shot.backs, two)
    off = _off(result.table, shot.table.outlines())
    assert max(off[slot] for slot in ("1N1", "3S2")) < 0.25
    assert max(off.values()) < 0.45, "a head has no like to learn from"
    assert result.table.found == frozenset(two.slots) - set(missing)
    assert any("only 23 of 26 cards found" in problem for problem in result.problems)


def test_a_nudged_camera_is_followed(shot: Shot) -> None:
    moved = np.roll(shot.backs, (3, -5), axis=(0, 1))
    result = calibrate(shot.empty, moved, shot.layout)
    assert max(_off(result.table, shot.table.outlines()).values()) < 0.2
    assert any("the camera moved by" in problem for problem in result.problems)


def test_a_marker_is_kept(shot: Shot) -> None:
    marker = cv2.aruco.generateImageMarker(
        cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), 7, 60
    )
    pictures = []
    for photo in (shot.empty, shot.backs):
        pictures.append(photo.copy())
        pictures[-1][10:100, 10:100] = 255
        pictures[-1][25:85, 25:85] = marker[..., None]
    markers = calibrate(pictures[0], pictures[1], shot.layout).table.markers
    assert list(markers) == [7]
    assert np.allclose(markers[7], [[25, 25], [85, 25], [85, 85], [25, 85]], atol=1.5)


def test_more_cards_than_slots(shot: Shot, three: Layout, two: Layout) -> None:
    larger = shoot(1001, three)
    with pytest.raises(BadInput, match="is the number of players right"):
        calibrate(larger.empty, larger.backs, two)


def test_fewer_cards_than_slots(shot: Shot, three: Layout) -> None:
    with pytest.raises(BadInput, match=r"cards found|number of players"):
        calibrate(shot.empty, shot.backs, three)


def test_no_cards(shot: Shot) -> None:
    again = shot.table.photo({}, 5).image
    with pytest.raises(BadInput, match="cards found"):
        calibrate(shot.empty, again, shot.layout)
    with pytest.raises(BadInput, match="no cards found"):
        calibrate(shot.empty, shot.empty, shot.layout)


def test_another_view(shot: Shot, two: Layout) -> None:
    other = shoot(1010, two)
    with pytest.raises(BadInput, match="do not show the same view"):
        calibrate(shot.empty, other.backs, two)


def test_another_size(shot: Shot) -> None:
    with pytest.raises(BadInput, match=r"differ in size \(1440 x 810 and 1300 x 810\)"):
        calibrate(shot.empty, shot.backs[:, :1300], shot.layout)


def test_too_small(shot: Shot) -> None:
    small = shot.empty[:240, :320]
    with pytest.raises(BadInput, match="is only 320 x 240 pixels"):
        calibrate(small, small, shot.layout)


def _problems(shot: Shot, empty: Image, backs: Image) -> str:
    try:
        return "; ".join(calibrate(empty, backs, shot.layout).problems)
    except BadInput as error:
        return str(error)


def test_dark_blurred_and_glaring_photographs(shot: Shot) -> None:
    dark = _problems(shot, (shot.empty // 14), shot.backs)
    assert "too dark" in dark
    soft = [
        np.asarray(cv2.GaussianBlur(photo, (0, 0), 5), np.uint8)
        for photo in (shot.empty, shot.backs)
    ]
    assert "blurred" in _problems(shot, soft[0], soft[1])
    glaring = shot.empty.copy()
    truth = shot.table.outlines()
    for slot in ("2N1", "2N2", "2N3"):
        cv2.fillConvexPoly(glaring, np.round(truth[slot]).astype(np.int32), (255, 255, 255))
    assert "glare over slots 2N1-2N3" in _problems(shot, glaring, shot.backs)


def test_any_layout_of_cards() -> None:
    """Two rows of five square cards on one tile, none of it like the game's table."""
    places = {f"{row}{column}": (column, row) for row in range(2) for column in range(5)}
    layout = layout_from_json(
        {
            "name": "two rows",
            "size": [600, 260],
            "slots": {
                name: {"x": 60 + 110 * x, "y": 70 + 120 * y, "w": 90, "h": 90}
                for name, (x, y) in places.items()
            },
        },
        "two rows",
    )
    rng = np.random.default_rng(2)
    ground = rng.integers(90, 130, (40, 70, 3)).astype(np.uint8)
    empty = np.asarray(cv2.resize(ground, (1260, 720), interpolation=cv2.INTER_CUBIC), np.uint8)
    backs = empty.copy()
    truth = {}
    for name, (x, y) in places.items():
        middle = np.array([250 + 190 * x + 6 * y, 250 + 200 * y + 12 * x]) + rng.normal(0, 2, 2)
        turn = float(rng.normal(3.5, 1))
        box = cv2.boxPoints(((float(middle[0]), float(middle[1])), (150, 150), turn))
        cv2.fillConvexPoly(backs, np.round(box).astype(np.int32), (40, 30, 160), cv2.LINE_AA)
        truth[name] = middle
    table = calibrate(empty, backs, layout).table
    for name, middle in truth.items():
        assert np.linalg.norm(table.outlines[name].mean(axis=0) - middle) < 12, name


def test_face_up_cards_are_no_backs(two: Layout) -> None:
    table = set_table(1004, two, print_deck(1004), "gentle", (1440, 810))
    laid = dict(zip(table.slots, print_deck(1004).faces, strict=False))
    shot = Shot(table, two, table.photo({}, 1).image, table.photo(laid, 2).image)
    words = _problems(shot, shot.empty, shot.backs)
    assert "the cards do not look alike; lay them all face down" in words


def test_cards_seen_from_the_side_keep_their_slots(three: Layout) -> None:
    """The far end of the row is a third smaller than the near one."""
    shot = shoot(1012, three)
    height, width = shot.empty.shape[:2]
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    seen = np.array(
        [[0, 0], [width, 0.14 * height], [width, 0.86 * height], [0, height]], np.float32
    )
    matrix = cv2.getPerspectiveTransform(flat, seen)
    empty, backs = (
        np.asarray(cv2.warpPerspective(photo, matrix, (width, height)), np.uint8)
        for photo in (shot.empty, shot.backs)
    )
    truth = {
        slot: np.asarray(cv2.perspectiveTransform(corners[None], matrix)[0], np.float32)
        for slot, corners in shot.table.outlines().items()
    }
    table = calibrate(empty, backs, three).table
    assert max(_off(table, truth).values()) < 0.25


def test_glare_beside_the_row_is_no_card(shot: Shot) -> None:
    """A soft light where the row would go on is not taken for more cards than slots."""
    truth = shot.table.outlines()
    last, before = (truth[slot].mean(axis=0) for slot in ("4S3", "4S2"))
    x, y = last + 1.05 * (last - before)
    height, width = shot.backs.shape[:2]
    far = np.hypot(*(np.mgrid[0:height, 0:width] - np.array([y, x])[:, None, None]))
    light = 130 * np.exp(-((far / (0.6 * card_width(truth))) ** 2))
    backs = np.clip(shot.backs + light[..., None], 0, 255).astype(np.uint8)
    assert max(_off(calibrate(shot.empty, backs, shot.layout).table, truth).values()) < 0.2


def test_cards_in_the_colour_of_the_tile_in_bad_light(two: Layout) -> None:
    table = set_table(5112, two, print_deck(5112, ranks=("3", "4", "5", "6")), "hard")
    result = calibrate(table.photo({}, 1).image, table.backs_photo(2).image, two)
    assert max(_off(result.table, table.outlines()).values()) < 0.25


def test_cards_without_a_slot_are_known_by_their_look(two: Layout, three: Layout) -> None:
    table = set_table(2009, three, print_deck(2009), "hard")
    with pytest.raises(BadInput, match="number of players"):
        calibrate(table.photo({}, 1).image, table.backs_photo(2).image, two)
