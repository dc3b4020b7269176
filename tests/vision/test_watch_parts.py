"""The parts of watching, each alone: looks, votes, slots over time, changes, knocks."""

from itertools import pairwise

import cv2
import numpy as np
import pytest

from calibration.layout import Points
from calibration.photo import Image
from vision.changes import HOLD, Change, Outbox
from vision.glance import Glance, Memory
from vision.knock import Anchor, moved
from vision.reading import Reading
from vision.settling import COVERED_AFTER, SlotWatch
from vision.votes import decide

RED = Reading("card", "red-5", 0.99, True)
BLUE = Reading("card", "blue-5", 0.98, True)
MAYBE_RED = Reading("card", "red-5", 0.6, False, ("red-6",))
MAYBE_BLUE = Reading("card", "blue-5", 0.5, False)
EMPTY = Reading("empty", None, 1.0, True)
COVERED = Reading("covered", None, 0.9, True)
OUTLINES: Points = np.array(
    [[[20, 20], [95, 20], [95, 135], [20, 135]], [[120, 20], [195, 20], [195, 135], [120, 135]]],
    np.float32,
)


def ground(seed: int = 1) -> Image:
    """A table top of fine specks, the same for the same seed."""
    rng = np.random.default_rng(seed)
    return rng.integers(90, 130, (160, 220, 3)).astype(np.uint8)


def with_card(image: Image, x: int, y: int, ink: int = 230) -> Image:
    """A pale card with a dark mark on it, its top left corner at x, y."""
    out = image.copy()
    out[y : y + 110, x : x + 70] = ink
    out[y + 20 : y + 60, x + 15 : x + 40] = 40
    return out


def stir(before: Image, after: Image) -> list[bool]:
    glance = Glance(OUTLINES)
    return [bool(part > 0.06) for part in Memory(glance.look(before)).stir(glance.look(after))]


def test_a_card_stirs_its_slot_and_no_other() -> None:
    assert stir(ground(), with_card(ground(), 22, 22)) == [True, False]
    assert stir(with_card(ground(), 22, 22), ground()) == [True, False]


def test_another_mark_on_the_same_card_stirs_it() -> None:
    before = with_card(ground(), 22, 22)
    after = before.copy()
    after[80:110, 60:85] = 40
    assert stir(before, after) == [True, False]


def test_a_plain_card_replaces_its_slot_though_it_could_be_light() -> None:
    glance = Glance(OUTLINES)
    pale = ground()
    pale[15:140, 15:100] = np.clip(pale[15:140, 15:100] * 1.8, 0, 255).astype(np.uint8)
    memory, now = Memory(glance.look(ground())), glance.look(pale)
    assert memory.unlike(now, memory.look)[0] < 0.5
    replaced = memory.replaced(now, np.array([False, True]))
    assert replaced[0] > 0.8
    assert replaced[1] == 0
    # The same light on the whole table replaces nothing.
    lit = glance.look((ground() * 1.8).astype(np.uint8))
    assert memory.replaced(lit, np.array([True, True])).max() < 0.1


@pytest.mark.parametrize("gain", [0.5, 0.8, 1.15])
def test_light_stirs_nothing(gain: float) -> None:
    before = with_card(ground(), 22, 22, 200)
    slope = np.linspace(0.85, 1.15, 220)[None, :, None] * gain
    assert stir(before, np.clip(before * slope, 0, 255).astype(np.uint8)) == [False, False]


def test_a_nudge_of_a_pixel_stirs_nothing_and_of_ten_does() -> None:
    before = with_card(ground(), 22, 22)
    assert stir(before, with_card(ground(), 23, 22)) == [False, False]
    assert stir(before, with_card(ground(), 32, 22)) == [True, False]


def test_noise_is_learned_and_then_moves_nothing() -> None:
    rng = np.random.default_rng(3)
    plain = (ground() // 6).astype(np.float64)
    glance = Glance(OUTLINES)
    frames = [
        glance.look(np.clip(plain + rng.normal(0, 9, plain.shape), 0, 255).astype(np.uint8))
        for _ in range(40)
    ]
    memory = Memory(frames[0])
    motions = [memory.motion(now, before).max() for before, now in pairwise(frames)]
    assert memory.noise > 1.2
    assert max(motions[-10:]) < 0.03


def test_three_sure_votes_are_enough() -> None:
    assert decide([RED, RED]) is None
    assert decide([RED, RED, RED]) == RED
    assert decide([BLUE, RED, RED, RED]) == RED


def test_votes_that_differ_end_unsure_with_the_others_named() -> None:
    votes = [MAYBE_RED, MAYBE_BLUE, MAYBE_RED, MAYBE_RED, MAYBE_BLUE, MAYBE_RED, MAYBE_RED]
    assert decide(votes) is None
    answer = decide([*votes, MAYBE_RED])
    assert answer is not None
    assert (answer.card, answer.sure) == ("red-5", False)
    assert answer.also[:2] == ("blue-5", "red-6")


def test_what_five_frames_cannot_tell_is_asked_for_at_once() -> None:
    assert decide([MAYBE_RED] * 4) is None
    together = decide([MAYBE_RED] * 5)
    assert together is not None
    assert (together.card, together.sure) == ("red-5", False)
    assert together.confidence == pytest.approx(0.6)
    # One frame that is sure is worth waiting for more of them.
    assert decide([MAYBE_RED, RED, MAYBE_RED, MAYBE_RED, MAYBE_RED]) is None


def test_a_slot_that_looks_as_before_stays_unless_all_are_sure_of_another() -> None:
    assert decide([RED], expected=RED) == RED
    assert decide([MAYBE_BLUE], expected=RED) == RED
    assert decide([BLUE] * 5, expected=RED) is None
    assert decide([BLUE] * 6, expected=RED) == BLUE


def settle(watch: SlotWatch, reading: Reading, frames: int = 10) -> int:
    """How many frames it takes until the reading is believed."""
    for number in range(1, frames + 1):
        watch.frame(stirred=True, moving=False)
        if watch.due and (decided := watch.vote(reading, alike=False)) is not None:
            watch.settle(decided)
            return number
    return 0


def test_a_slot_settles_a_few_frames_after_it_is_still() -> None:
    watch = SlotWatch(reading=EMPTY, open=False)
    for _ in range(5):
        watch.frame(stirred=True, moving=True)
        assert not watch.due
    assert settle(watch, RED) == 3
    assert watch.reading == RED
    watch.frame(stirred=False, moving=False)
    assert not watch.open


def test_moving_again_throws_the_votes_away() -> None:
    watch = SlotWatch(reading=EMPTY, open=False)
    for _ in range(2):
        watch.frame(stirred=True, moving=False)
        assert watch.vote(RED, alike=False) is None
    watch.frame(stirred=True, moving=True)
    watch.frame(stirred=True, moving=False)
    assert watch.vote(RED, alike=False) is None


def test_a_hand_beside_the_slot_delays_what_the_votes_said() -> None:
    watch = SlotWatch(reading=EMPTY, open=False)
    assert settle(watch, RED, frames=2) == 0
    watch.delay()
    assert settle(watch, RED, frames=2) == 1
    assert watch.reading == RED


def test_others_wait_only_for_a_slot_that_has_news() -> None:
    watch = SlotWatch(reading=EMPTY, open=False)
    watch.frame(stirred=True, moving=False)
    watch.vote(EMPTY, alike=False)
    assert not watch.is_read
    watch.vote(MAYBE_RED, alike=False)
    assert watch.is_read


def test_a_card_that_something_spoke_against_is_not_certain() -> None:
    watch = SlotWatch()
    watch.settle(RED)
    assert watch.is_certain
    watch.settle(RED, doubted=True)
    assert not watch.is_certain


def test_a_slot_that_stays_covered_is_told_once_and_read_seldom() -> None:
    watch = SlotWatch(reading=RED, open=False)
    read = told = 0
    for _ in range(COVERED_AFTER + 20):
        watch.frame(stirred=True, moving=False)
        if watch.due:
            read += 1
            assert watch.vote(COVERED, alike=False) is None
        if watch.to_tell:
            told += 1
            watch.told = True
    assert told == 1
    assert read < 10
    assert watch.reading == RED


def test_an_unsure_slot_is_looked_at_again() -> None:
    watch = SlotWatch(reading=EMPTY, open=False)
    watch.frame(stirred=True, moving=False)
    watch.settle(MAYBE_RED)
    assert not watch.open
    for _ in range(30):
        watch.frame(stirred=False, moving=False)
    assert watch.open


def test_a_card_that_goes_and_comes_has_moved() -> None:
    outbox = Outbox()
    outbox.put(Change("removed", "1N1", reading=EMPTY), "red-5")
    assert outbox.take(moving=True) == []
    outbox.put(Change("placed", "2S3", reading=RED), None)
    assert outbox.take(moving=True) == [Change("moved", "1N1", "2S3", RED)]
    assert not outbox


def test_a_card_that_is_back_at_once_has_not_moved() -> None:
    outbox = Outbox()
    outbox.put(Change("removed", "1N1", reading=EMPTY), "red-5")
    outbox.put(Change("placed", "1N1", reading=RED), None)
    assert outbox.take(moving=True) == []
    assert not outbox


def test_a_card_that_only_goes_is_told_when_nothing_moves_or_after_a_while() -> None:
    outbox = Outbox()
    gone = Change("removed", "1N1", reading=EMPTY)
    outbox.put(gone, "red-5")
    outbox.put(Change("placed", "2S3", reading=BLUE), None)
    assert outbox.take(moving=True) == [Change("placed", "2S3", reading=BLUE)]
    assert outbox.take(moving=False) == [gone]
    outbox.put(gone, "red-5")
    waited = [outbox.take(moving=True) for _ in range(HOLD + 1)]
    assert [bool(changes) for changes in waited] == [False] * HOLD + [True]


def test_a_moved_card_empties_one_slot_and_fills_another() -> None:
    assert Change("moved", "1N1", "2S3", RED).readings() == [
        ("1N1", Reading("empty", None, 1.0, True)),
        ("2S3", RED),
    ]
    assert Change("camera-moved", shifted_px=3.0).readings() == []


@pytest.mark.parametrize(("dx", "dy", "turn"), [(7, -5, 0.0), (-14, 9, 0.8), (3, 2, -1.0)])
def test_a_knock_is_followed(dx: float, dy: float, turn: float) -> None:
    rng = np.random.default_rng(5)
    small = rng.integers(40, 220, (54, 96, 3)).astype(np.uint8)
    image = np.asarray(cv2.resize(small, (960, 540), interpolation=cv2.INTER_CUBIC), np.uint8)
    outlines = OUTLINES * 2 + (200, 120)
    move = np.vstack([cv2.getRotationMatrix2D((480, 270), turn, 1.0), [0, 0, 1]])
    move[:2, 2] += (dx, dy)
    knocked = np.asarray(cv2.warpPerspective(image, move, (960, 540)), np.uint8)
    shift = Anchor(image, outlines).shift(knocked)
    assert shift is not None
    assert shift.held > 0.5
    assert np.abs(moved(outlines, shift.move) - moved(outlines, move)).max() < 0.7


def test_a_picture_of_something_else_cannot_be_followed() -> None:
    rng = np.random.default_rng(6)
    one, two = (rng.integers(0, 255, (270, 480, 3)).astype(np.uint8) for _ in range(2))
    shift = Anchor(one, OUTLINES).shift(two)
    assert shift is None or shift.held < 0.3
