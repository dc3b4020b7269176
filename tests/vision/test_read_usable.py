"""Pictures that cannot be read are refused in one sentence: no light, or another table."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.deck import Deck
from calibration.errors import BadInput
from calibration.layout import read_layout
from calibration.photo import Image
from calibration.table import Table
from vision.confidence import Evidence
from vision.read import Reader
from vision.simulated import SimulatedTable, print_deck, set_table
from vision.simulated.scene import FACE_DOWN

LAYOUT = Path(__file__).parents[2] / "scorer/games/clans_and_glory/layout-2.json"
SIZE = (1280, 720)


def set_up(seed: int) -> tuple[SimulatedTable, Reader]:
    """A table, and a reader that knows the printed cards themselves."""
    layout = read_layout(LAYOUT)
    printed = print_deck(seed, "full-centre", ranks=("3", "4", "5", "6"))
    simulated = set_table(seed, layout, printed, "gentle", SIZE)
    crops = [
        cv2.resize(face, (80, 124), interpolation=cv2.INTER_AREA) for face in printed.faces.values()
    ]
    table = Table(
        layout=layout,
        size=SIZE,
        outlines={s: np.asarray(c, np.float32) for s, c in simulated.outlines().items()},
        empty=simulated.empty_photo(1).image,
        back=np.asarray(cv2.resize(printed.back, (72, 112), interpolation=cv2.INTER_AREA)),
    )
    return simulated, Reader(table, Deck(tuple(printed.faces), np.array(crops, np.uint8)))


@pytest.fixture(scope="module")
def known() -> tuple[SimulatedTable, Reader]:
    return set_up(1003)


@pytest.fixture(scope="module")
def game(known: tuple[SimulatedTable, Reader]) -> Image:
    simulated, reader = known
    laid = dict(zip(list(simulated.slots)[:18], reader.cards, strict=False))
    return simulated.photo(laid, 20).image


def lit(image: Image, gain: float, haze: float = 0.0) -> Image:
    return np.asarray(np.clip(image * gain + haze, 0, 255), np.uint8)


@pytest.mark.parametrize(
    ("gain", "haze", "words"),
    [(0.02, 0.0, "too dark"), (4.0, 120.0, "too bright"), (0.03, 225.0, "too bright")],
)
def test_a_picture_without_light_or_contrast_is_refused(
    known: tuple[SimulatedTable, Reader], game: Image, gain: float, haze: float, words: str
) -> None:
    with pytest.raises(BadInput, match=rf"^game\.jpg: is {words}"):
        known[1].read(lit(game, gain, haze), source="game.jpg")


@pytest.mark.parametrize("gain", [0.5, 1.3])
def test_dim_and_bright_pictures_are_read(
    known: tuple[SimulatedTable, Reader], game: Image, gain: float
) -> None:
    states = {s: r.state for s, r in known[1].read(lit(game, gain)).slots.items()}
    assert states == {s: r.state for s, r in known[1].read(game).slots.items()}


def test_only_the_slots_in_the_dark_are_not_told(
    known: tuple[SimulatedTable, Reader], game: Image
) -> None:
    simulated, reader = known
    corners = simulated.outlines()
    dark, middle = game.copy(), int(corners["2N1"][:, 0].min() - 8)
    dark[:, :middle] = lit(dark[:, :middle], 0.02)
    reading = reader.read(dark).slots
    for slot in ("1N1", "1N3", "1S2"):
        assert not reading[slot].sure
    assert reading["1N1"].state == "covered"
    light = [s for s, c in corners.items() if c[:, 0].min() > middle + 40]
    assert len(light) >= 15
    before = reader.read(game).slots
    assert [reading[s].card for s in light] == [before[s].card for s in light]


def test_a_watched_slot_in_the_dark_is_not_told(
    known: tuple[SimulatedTable, Reader], game: Image
) -> None:
    reading = known[1].read(lit(game, 0.02), ["2N1", "E"]).slots
    assert {slot: r.state for slot, r in reading.items()} == {"2N1": "covered", "E": "covered"}


def test_another_table_is_refused(known: tuple[SimulatedTable, Reader]) -> None:
    other, _ = set_up(1005)
    with pytest.raises(BadInput, match=r"^other\.jpg: hardly anything of the calibrated table"):
        known[1].read(other.photo({}, 3).image, source="other.jpg")


def test_hands_and_knocks_are_no_other_table(known: tuple[SimulatedTable, Reader]) -> None:
    simulated, reader = known
    corners = simulated.outlines()["2N1"]
    fifth = float(np.linalg.norm(corners[1] - corners[0])) / 5
    laid = dict(zip(simulated.slots, reader.cards, strict=False))
    photo = simulated.photo(laid, 21, hands=["1S2", "2N2", "4S1"], shift=(fifth, 0.0))
    assert len(reader.read(photo.image).slots) == len(simulated.slots)


def test_a_plain_table_says_nothing_of_other_tables(
    known: tuple[SimulatedTable, Reader], game: Image
) -> None:
    """Where the empty picture has no detail nothing can be found again."""
    _, reader = known
    noise = np.random.default_rng(3).normal(120, 2, (SIZE[1], SIZE[0], 3))
    table = Table(
        layout=reader.table.layout,
        size=SIZE,
        outlines=reader.table.outlines,
        empty=np.asarray(noise, np.uint8),
    )
    deck = Deck(reader.cards, np.asarray(reader.guesser.faces, np.uint8))
    assert Reader(table, deck).read(game).slots


def test_another_deck_is_refused(known: tuple[SimulatedTable, Reader], game: Image) -> None:
    printed = print_deck(1007, "pips", ranks=("3", "4", "5", "6"))
    crops = [cv2.resize(face, (80, 124)) for face in printed.faces.values()]
    deck = Deck(tuple(printed.faces), np.array(crops, np.uint8))
    with pytest.raises(BadInput, match=r"^game\.jpg: \d+ cards lie there and hardly one looks"):
        Reader(known[1].table, deck).read(game, source="game.jpg")


def test_only_what_has_the_pattern_of_the_back_is_face_down(
    known: tuple[SimulatedTable, Reader],
) -> None:
    """Something even in the colour of the back lies over one slot, a card face down in another."""
    simulated, reader = known
    image = simulated.photo({"2N1": FACE_DOWN}, 22).image
    corners = simulated.outlines()
    inside = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.round(corners["2N1"]).astype(np.int32), 1)
    colour = image[inside > 0].mean(axis=0)
    cover = np.round(corners["3S2"]).astype(np.int32)
    image = np.ascontiguousarray(image)
    cv2.fillConvexPoly(image, cover, colour.tolist(), cv2.LINE_AA)
    reading = reader.read(image).slots
    assert reading["2N1"].state == "face-down"
    assert reading["3S2"].state != "face-down"
    assert not reading["3S2"].sure


def test_a_hand_that_the_back_explains_is_no_back(known: tuple[SimulatedTable, Reader]) -> None:
    _, reader = known
    faces = len(reader.cards)
    score = np.zeros((2, faces + 1), np.float32)
    score[:, faces] = 300.0
    evidence = Evidence(
        score=score,
        best=np.array([faces, faces]),
        margin=np.array([300.0, 300.0], np.float32),
        alike=np.array([0.95, 0.3], np.float32),
        explained=np.array([1.0, 1.0], np.float32),
        bare=np.zeros(2, np.float32),
        shaded=np.zeros(2, np.float32),
        sides=np.array([0.4, 0.4], np.float32),
        apart=np.array([0.95, 0.3], np.float32),
    )
    back, hand = reader.judge(evidence)
    assert back.state == "face-down"
    assert hand.state == "covered"
    assert not hand.sure
