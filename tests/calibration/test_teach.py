"""Teaching: a deck from photographs, cards composed from colour and rank, decks on disk."""

import json
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.deck import Deck, load_deck, save_deck, split_name
from calibration.entries import check_entries, named_often, read_entries
from calibration.errors import BadInput
from calibration.looks import compose
from calibration.photo import Image
from calibration.teach import Taught, teach
from vision.simulated import print_deck

COLOURS = {"red": (40, 40, 200), "green": (60, 160, 60), "blue": (200, 90, 40)}
RANKS = ("3", "5", "7")


def face(card: str) -> Image:
    colour, rank = split_name(card)
    picture = np.full((150, 100, 3), 235, np.uint8)
    cv2.rectangle(picture, (8, 8), (91, 141), COLOURS[colour], -1)
    cv2.putText(picture, rank, (26, 104), cv2.FONT_HERSHEY_DUPLEX, 2.4, (250, 250, 250), 8)
    cv2.circle(picture, (20, 20), 7, (20, 20, 20), -1)
    return picture


def photo(card: str, turn: float, seed: int) -> Image:
    """One card somewhere on a dark ground."""
    rng = np.random.default_rng(seed)
    ground = rng.normal(50, 3, (480, 640, 3)).clip(0, 255).astype(np.uint8)
    spin = np.array(cv2.getRotationMatrix2D((50, 75), turn, 1.6), np.float64)
    spin[:, 2] += np.array([320, 240]) + rng.uniform(-40, 40, 2) - (50, 75)
    picture = cv2.warpAffine(face(card), spin, (640, 480), flags=cv2.INTER_AREA)
    inside = cv2.warpAffine(np.full((150, 100), 255, np.uint8), spin, (640, 480)) > 127
    ground[inside] = picture[inside]
    return ground


@pytest.fixture(scope="module")
def taught() -> Taught:
    cards = [f"{colour}-{rank}" for colour in COLOURS for rank in RANKS]
    cards.remove("green-5")
    photos = {f"{k}.jpg": photo(card, 60.0 * k, k) for k, card in enumerate(cards)}
    entries = [{"photo": f"{k}.jpg", "card": card} for k, card in enumerate(cards)]
    return teach(photos, entries, None)


def test_cards_shown_in_any_turn_end_up_the_same_way(taught: Taught) -> None:
    """The dot in one corner tells: it is in the same corner of every sample."""
    corners = []
    for crop in taught.deck.crops.astype(float).mean(axis=3):
        h, w = crop.shape
        top, bottom = crop[8 : h // 4, 8 : w // 3].mean(), crop[-h // 4 : -8, -w // 3 : -8].mean()
        corners.append(top < bottom)
    assert len(set(corners)) == 1


def test_a_card_never_shown_is_composed(taught: Taught) -> None:
    assert "green-5" in taught.to_json()["composed"]
    samples = taught.deck.crops.astype(np.float32)
    looks = compose(taught.deck.names, samples)
    made = looks.pictures[looks.cards.index("green-5")]
    names = list(taught.deck.names)
    ground = (slice(-24, -14), slice(30, 50))
    green, red = (samples[names.index(f"{c}-3")][ground].mean((0, 1)) for c in ("green", "red"))
    assert np.abs(made[ground].mean((0, 1)) - green).max() < 15
    assert np.abs(made[ground].mean((0, 1)) - red).max() > 60


def test_a_deck_survives_its_file(taught: Taught, tmp_path: Path) -> None:
    save_deck(taught.deck, tmp_path / "deck")
    again = load_deck(tmp_path / "deck")
    assert again.names == taught.deck.names
    assert again.copies == taught.deck.copies
    assert np.array_equal(again.crops, taught.deck.crops)


def test_equal_decks_are_equal_files(taught: Taught, tmp_path: Path) -> None:
    save_deck(taught.deck, tmp_path / "one")
    save_deck(taught.deck, tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "cannot be read"),
        (b"no zip", "is not a deck file"),
        ({"kind": "cairn-table", "version": 1}, "is not a deck file"),
        ({"kind": "cairn-deck", "version": 99}, "is a deck of version 99"),
        ({"kind": "cairn-deck", "version": 1, "copies": False, "samples": []}, "is damaged"),
    ],
)
def test_says_what_is_wrong_with_a_deck_file(
    tmp_path: Path, content: bytes | dict[str, object] | None, words: str
) -> None:
    path = tmp_path / "deck"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content is not None:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("deck.json", json.dumps(content))
    with pytest.raises(BadInput, match=words):
        load_deck(path)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "expected a list"),
        ([{"card": "red-3"}], "an object with photo"),
        ([{"photo": "a.jpg"}], "either card or cards"),
        ([{"photo": "a.jpg", "card": "red"}], "such as red-5"),
        ([{"photo": "a.jpg", "card": "face-down"}], "face-down is no card"),
        ([{"photo": "a.jpg", "cards": {"E": "Face-down"}}], r"cards\.E: Face-down is no card"),
        ([{"photo": "a.jpg", "cards": {"1N1": 3}}], r"cards\.1N1: expected a card"),
    ],
)
def test_says_what_is_wrong_with_the_entries(data: object, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        check_entries(data, "teach.json")


def test_says_what_is_wrong_with_a_teach_file(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        read_entries(tmp_path / "none.json")
    (tmp_path / "bad.json").write_text("{", "utf-8")
    with pytest.raises(BadInput, match="is not JSON"):
        read_entries(tmp_path / "bad.json")


def test_reads_a_teach_file_with_a_byte_order_mark(tmp_path: Path) -> None:
    entries = [{"photo": "a.jpg", "card": "red-3"}]
    (tmp_path / "teach.json").write_text(json.dumps(entries), "utf-8-sig")
    assert read_entries(tmp_path / "teach.json") == entries


def test_a_card_named_in_many_slots_is_doubted() -> None:
    cards = {"1N1": "red-3", "1N2": "red-3", "1N3": "blue-3", "E": "blue-3", "W": "red-3"}
    assert named_often({"photo": "a.jpg", "cards": cards}) == [
        "a.jpg: red-3 is named in 3 slots; name each card where it lies"
    ]
    assert not named_often({"photo": "a.jpg", "card": "red-3"})


def test_slots_need_a_table() -> None:
    photos = {"a.jpg": photo("red-3", 0, 1)}
    with pytest.raises(BadInput, match="give the table"):
        teach(photos, [{"photo": "a.jpg", "cards": {"1N1": "red-3"}}], None)


def test_a_picture_without_a_card_is_named() -> None:
    blank = np.full((480, 640, 3), 90, np.uint8)
    with pytest.raises(BadInput, match=r"a\.jpg: no card"):
        teach({"a.jpg": blank}, [{"photo": "a.jpg", "card": "red-3"}], None)


def test_a_deck_needs_a_name_for_each_crop() -> None:
    with pytest.raises(ValueError, match="one name"):
        Deck(("red-3",), np.zeros((2, 3, 2, 3), np.uint8))


def test_glare_on_all_cards_of_a_colour_is_not_learned_with_them() -> None:
    faces = print_deck(1320, "disc-corner", ranks=("3", "4", "5")).faces
    small = {
        name: cv2.resize(f, (80, 120), interpolation=cv2.INTER_AREA) for name, f in faces.items()
    }
    clean = np.array(list(small.values()), np.float32)
    shown = clean.copy()
    hit = [i for i, name in enumerate(small) if name.startswith("orange")]
    for i, edge in zip(hit, (60, 80, 110), strict=True):
        shown[i, edge - 60 : edge] += 22
    looks = compose(list(small), shown)
    off = np.abs(
        looks.pictures[[looks.cards.index(list(small)[i]) for i in hit]] - clean[hit]
    ).mean()
    assert off < 0.2 * np.abs(shown[hit] - clean[hit]).mean()


def test_what_one_colour_alone_shows_is_learned() -> None:
    faces = print_deck(1320, "disc-corner", ranks=("3", "4", "5")).faces
    small = {
        name: cv2.resize(f, (80, 120), interpolation=cv2.INTER_AREA) for name, f in faces.items()
    }
    samples = np.array(list(small.values()), np.float32)
    marked = [i for i, name in enumerate(small) if name.startswith("white")]
    samples[marked, 3:9, 40:70] = (40, 160, 40)
    looks = compose(list(small), samples)
    for i in marked:
        seen = looks.pictures[looks.cards.index(list(small)[i]), 5:7, 44:66]
        assert np.median(np.abs(seen - (40, 160, 40))) < 12
