"""Reading a table: cards, backs, empty and covered slots, knocks, doubles and wrong input."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.deck import Deck
from calibration.errors import BadInput
from calibration.layout import read_layout
from calibration.photo import Image
from calibration.table import Table
from calibration.teach import Taught, teach
from vision.assign import assign
from vision.find import Finder
from vision.read import Reader
from vision.reading import Reading
from vision.simulated import PrintedDeck, SimulatedTable, print_deck, scatter_photo, set_table
from vision.simulated.scene import FACE_DOWN

LAYOUT = Path(__file__).parents[2] / "scorer/games/clans_and_glory/layout-2.json"
NEVER_SHOWN = ("green-4", "red-6")


@dataclass(frozen=True)
class Evening:
    """A table, its deck taught but for two cards, and a reader for it."""

    simulated: SimulatedTable
    printed: PrintedDeck
    table: Table
    taught: Taught
    reader: Reader


@pytest.fixture(scope="module")
def evening() -> Evening:
    printed = print_deck(1003, "full-centre", ranks=("3", "4", "5", "6"))
    layout = read_layout(LAYOUT)
    simulated = set_table(1003, layout, printed, "gentle")
    back = cv2.resize(printed.back, (72, 112), interpolation=cv2.INTER_AREA)
    table = Table(
        layout=layout,
        size=(1920, 1080),
        outlines={s: np.asarray(c, np.float32) for s, c in simulated.outlines().items()},
        empty=simulated.empty_photo(1).image,
        back=np.asarray(back, np.uint8),
    )
    cards = [card for card in printed.faces if card not in NEVER_SHOWN]
    laid = dict(zip(simulated.slots, cards, strict=False))
    photos = {"teach.jpg": simulated.photo(laid, 10, sloppiness=0.6).image}
    taught = teach(photos, [{"photo": "teach.jpg", "cards": laid}], table)
    return Evening(simulated, printed, table, taught, Reader(table, taught.deck))


def said(reading: Reading) -> str:
    return reading.card or reading.state


def board(evening: Evening, skip: int = 0) -> dict[str, str]:
    cards = list(evening.printed.faces)[::-1][skip:]
    laid = dict(zip(list(evening.simulated.slots)[:18], cards, strict=False))
    laid["1N1"] = FACE_DOWN
    return laid


def test_reads_every_slot(evening: Evening) -> None:
    laid = board(evening)
    reading = evening.reader.read(evening.simulated.photo(laid, 20).image)
    expected = {slot: laid.get(slot, "empty") for slot in evening.simulated.slots}
    assert {slot: said(r) for slot, r in reading.slots.items()} == expected
    assert reading.shifted_px < 1.5


def test_knows_cards_never_shown(evening: Evening) -> None:
    laid = dict(zip(("2N1", "3S2"), NEVER_SHOWN, strict=True))
    reading = evening.reader.read(evening.simulated.photo(laid, 21).image)
    assert {slot: reading.slots[slot].card for slot in laid} == laid


def test_follows_a_knock(evening: Evening) -> None:
    laid = board(evening, 3)
    photo = evening.simulated.photo(laid, 22, shift=(9.0, -7.0))
    reading = evening.reader.read(photo.image)
    assert reading.shifted_px == pytest.approx(np.hypot(9, 7), abs=2.0)
    assert {slot: said(reading.slots[slot]) for slot in laid} == laid


def test_is_never_sure_of_a_card_that_lies_twice(evening: Evening) -> None:
    laid = board(evening) | {"4N2": "blue-3", "3N2": "blue-3"}
    reading = evening.reader.read(evening.simulated.photo(laid, 23).image)
    twice = [reading.slots[slot] for slot in ("4N2", "3N2")]
    assert sum(r.card == "blue-3" for r in twice) >= 1
    assert not all(r.sure for r in twice)


def test_a_hand_over_a_slot_is_never_a_sure_card(evening: Evening) -> None:
    laid = board(evening)
    photo = evening.simulated.photo(laid, 24, hands=["2S2"])
    reading = evening.reader.read(photo.image)
    assert "2S2" in photo.covered
    for slot in photo.covered:
        wrong = said(reading.slots[slot]) not in ("covered", laid.get(slot, "empty"))
        assert not (wrong and reading.slots[slot].sure)


def test_reads_only_what_is_asked_for(evening: Evening) -> None:
    laid = board(evening)
    image = evening.simulated.photo(laid, 20).image
    assert list(evening.reader.read(image, ["2N1", "E"]).slots) == ["2N1", "E"]


def test_refuses_a_picture_of_another_size(evening: Evening) -> None:
    with pytest.raises(BadInput, match="calibrated with 1920 x 1080"):
        evening.reader.read(np.zeros((480, 640, 3), np.uint8), source="small.jpg")


def test_reading_is_the_same_every_time(evening: Evening) -> None:
    image = evening.simulated.photo(board(evening), 25).image
    again = Reader(evening.table, evening.taught.deck)
    assert evening.reader.read(image) == again.read(image)


def test_finds_cards_anywhere(evening: Evening) -> None:
    cards = list(evening.printed.faces)[::5]
    photo = scatter_photo(7, evening.printed, cards, "gentle")
    found = Finder(evening.taught.deck).find(photo.image)
    named = {card.card for card in found if card.sure}
    assert named <= set(cards)
    assert len(named) >= len(cards) - 1


def test_finds_nothing_on_an_empty_table(evening: Evening) -> None:
    found = Finder(evening.taught.deck).find(evening.table.empty)
    assert not [card for card in found if card.sure]


def test_assign_gives_each_row_a_column_of_its_own() -> None:
    rng = np.random.default_rng(5)
    for _ in range(30):
        score = rng.normal(size=(3, 4)).astype(np.float32)
        score[:, 0] += 2
        given = assign(score)
        assert len(set(given.tolist())) == 3
        best = max(
            score[0, a] + score[1, b] + score[2, c]
            for a in range(4)
            for b in range(4)
            for c in range(4)
            if len({a, b, c}) == 3
        )
        assert score[np.arange(3), given].sum() == pytest.approx(best)


def test_a_reading_names_a_card_exactly_when_it_sees_one() -> None:
    with pytest.raises(ValueError, match="exactly in state card"):
        Reading("empty", "red-3", 0.5, False)
    with pytest.raises(ValueError, match="between 0 and 1"):
        Reading("card", "red-3", 1.5, True)


def test_copies_may_lie_twice(evening: Evening) -> None:
    deck = evening.taught.deck
    reader = Reader(evening.table, Deck(deck.names, deck.crops, copies=True))
    laid = board(evening) | {"4N2": "blue-3", "3N2": "blue-3"}
    image: Image = evening.simulated.photo(laid, 23).image
    assert [reader.read(image).slots[s].card for s in ("4N2", "3N2")] == ["blue-3", "blue-3"]
