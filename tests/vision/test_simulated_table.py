"""The simulated table: same seeds, same picture; the truth it tells is what is drawn."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.layout import Layout, layout_from_json, read_layout
from vision.simulated import PrintedDeck, SimulatedTable, print_deck, set_table
from vision.simulated.lay import MOST_ASKEW, MOST_OFF, MOST_OVERLAP, overlap
from vision.simulated.light import GRADES
from vision.simulated.render import render
from vision.simulated.scene import FACE_DOWN
from vision.simulated.surface import Surface

LAYOUT = Path(__file__).parents[2] / "scorer/games/clans_and_glory/layout-2.json"
SIZE = (960, 540)


@pytest.fixture(scope="module")
def layout() -> Layout:
    return read_layout(LAYOUT)


@pytest.fixture(scope="module")
def deck() -> PrintedDeck:
    return print_deck(1000, "border-centre")


@pytest.fixture(scope="module")
def table(layout: Layout, deck: PrintedDeck) -> SimulatedTable:
    return set_table(1000, layout, deck, "gentle", SIZE)


def _board(table: SimulatedTable, deck: PrintedDeck) -> dict[str, str]:
    return dict(zip(table.slots, [FACE_DOWN, *deck.faces], strict=False))


def test_the_same_seeds_give_the_same_picture(layout: Layout, deck: PrintedDeck) -> None:
    pictures = []
    for _ in range(2):
        table = set_table(1001, layout, deck, "hard", SIZE)
        pictures.append(table.photo(_board(table, deck), 5, hands=["2N2"]).image)
    assert (pictures[0] == pictures[1]).all()


def test_another_seed_is_another_moment_and_another_table(
    table: SimulatedTable, layout: Layout, deck: PrintedDeck
) -> None:
    first, second = (table.empty_photo(seed).image.astype(int) for seed in (1, 2))
    other = set_table(1002, layout, deck, "gentle", SIZE).empty_photo(1).image.astype(int)
    assert 0 < np.abs(first - second).mean() < 30
    assert np.abs(first - other).mean() > np.abs(first - second).mean()


def test_outlines_are_where_the_cards_are_drawn(table: SimulatedTable, deck: PrintedDeck) -> None:
    scene = table.scene(_board(table, deck), 3)
    # Cut the shadows short: only the cards themselves may differ from the bare table.
    scene = replace(scene, light=replace(scene.light, shadow_offset=(0.0, 0.0)), things=())
    with_cards, without = render(table.stage, scene), render(table.stage, replace(scene, cards=()))
    differs = np.abs(with_cards.image.astype(int) - without.image).max(2) > 40
    inside = np.zeros(differs.shape, np.uint8)
    for outline in with_cards.outlines:
        cv2.fillConvexPoly(inside, np.round(outline).astype(np.int32), 1)
    reach = cv2.dilate(inside, np.ones((7, 7), np.uint8)) > 0
    core = cv2.erode(inside, np.ones((5, 5), np.uint8)) > 0
    assert not differs[~reach].any()
    assert differs[core].mean() > 0.9


def test_cards_lie_sloppily_but_within_bounds(table: SimulatedTable, deck: PrintedDeck) -> None:
    lying = [
        (table.slots[slot], card)
        for seed in range(20)
        for slot, card in zip(
            table.slots, table.scene(_board(table, deck), seed).cards, strict=True
        )
    ]
    askew = np.array([card.turn - slot.turn for slot, card in lying])
    off = np.array([np.hypot(card.x - slot.x, card.y - slot.y) / slot.h for slot, card in lying])
    assert np.abs(askew).max() <= MOST_ASKEW
    assert off.max() <= np.hypot(MOST_OFF, MOST_OFF)
    assert np.abs(askew).max() > 7
    assert off.max() > 0.1
    assert 0.3 < np.mean([card.upside_down for _, card in lying]) < 0.7


def test_cards_hardly_overlap(table: SimulatedTable, deck: PrintedDeck) -> None:
    for seed in range(10):
        cards = table.scene(_board(table, deck), seed).cards
        for k, card in enumerate(cards):
            assert all(overlap(card, other) <= MOST_OVERLAP + 0.05 for other in cards[:k])


def test_tiles_are_never_quite_in_line(table: SimulatedTable) -> None:
    heights = [table.slots[f"{tile}N2"].y for tile in (1, 2, 3, 4)]
    turns = {table.slots[f"{tile}N2"].turn for tile in (1, 2, 3, 4)}
    assert np.ptp(heights) > 0.3
    assert len(turns) == 4


def test_all_slots_are_in_the_picture_whichever_way_the_row_runs(
    layout: Layout, deck: PrintedDeck
) -> None:
    for seed, row in ((1003, 0), (1004, 35), (1005, -80)):
        table = set_table(seed, layout, deck, "gentle", SIZE, row=row)
        corners = np.concatenate(list(table.outlines().values()))
        assert (corners > 0).all()
        assert (corners < SIZE).all()
        ends = [table.outlines()[name].mean(0) for name in ("W", "E")]
        angle = np.degrees(np.arctan2(*(ends[1] - ends[0])[::-1]))
        assert abs(angle - row) < 8


def test_the_named_slots_are_covered_and_far_ones_are_not(
    table: SimulatedTable, deck: PrintedDeck
) -> None:
    cards = _board(table, deck)
    for seed, slot in enumerate(("1N1", "2S2", "4N3", "W")):
        bare, reached = table.photo(cards, seed), table.photo(cards, seed, hands=[slot])
        assert slot in reached.covered
        assert not bare.covered
        changed = np.abs(bare.image.astype(int) - reached.image).max(2) > 25
        for name, part in reached.hidden.items():
            inside = np.zeros(changed.shape, np.uint8)
            cv2.fillConvexPoly(inside, np.round(reached.outlines[name]).astype(np.int32), 1)
            if part > 0.5:
                assert changed[inside > 0].mean() > 0.3, name
        assert len(reached.covered) < len(cards) / 2


def test_a_knock_moves_the_picture_by_what_it_says(
    table: SimulatedTable, deck: PrintedDeck
) -> None:
    cards = _board(table, deck)
    still, moved = table.photo(cards, 4), table.photo(cards, 4, shift=(9.0, -5.0))
    for name, outline in still.outlines.items():
        assert np.allclose(moved.outlines[name] - outline, (9, -5), atol=1e-3)
    grey = [cv2.cvtColor(p.image, cv2.COLOR_BGR2GRAY).astype(np.float32) for p in (still, moved)]
    (dx, dy), _ = cv2.phaseCorrelate(grey[0], grey[1])
    assert abs(dx - 9) < 0.5
    assert abs(dy + 5) < 0.5


def test_grades_get_darker_noisier_and_more_uneven(layout: Layout, deck: PrintedDeck) -> None:
    level, noise, uneven = [], [], []
    for grade in GRADES:
        measures = []
        for seed in range(1010, 1016):
            table = set_table(seed, layout, deck, grade, SIZE)
            scene = table.scene({}, 1)
            plain = replace(table.stage, surface=_white(table))
            image = render(plain, replace(scene, things=())).image.astype(np.float32)
            fine = image[1:-1, 1:-1] - (image[:-2, 1:-1] + image[2:, 1:-1]) / 2
            coarse = cv2.resize(image, (24, 14), interpolation=cv2.INTER_AREA).mean(2)
            measures.append((image.mean(), fine.std(), coarse.std()))
        means = np.mean(measures, axis=0)
        level.append(means[0])
        noise.append(means[1])
        uneven.append(means[2])
    assert level[0] > level[2]
    assert noise[0] < noise[1] < noise[2]
    assert uneven[0] < uneven[1] < uneven[2]


def test_an_unknown_grade_is_refused(layout: Layout, deck: PrintedDeck) -> None:
    with pytest.raises(ValueError, match="expected one of gentle, ordinary, hard"):
        set_table(1, layout, deck, "pitch dark")


def test_any_layout_can_be_set_without_tiles(deck: PrintedDeck) -> None:
    slots = {
        f"{row}-{column}": {"x": 30 + 50 * column, "y": 40 + 80 * row, "w": 44, "h": 68}
        for row in range(4)
        for column in range(5)
    }
    grid = layout_from_json({"size": [310, 400], "slots": slots}, "grid")
    table = set_table(1006, grid, deck, "ordinary", (640, 480))
    photo = table.photo({"0-0": "red-3"}, 1)
    assert photo.image.shape == (480, 640, 3)
    assert list(photo.outlines) == ["0-0"]


def _white(table: SimulatedTable) -> Surface:
    return replace(table.stage.surface, image=np.full_like(table.stage.surface.image, 200))
