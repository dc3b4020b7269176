"""A simulated table is filmed and watched, from calibration to the lines of `cairn watch`."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from cairn import main
from calibration.errors import BadInput
from calibration.photo import Image
from scorer.games.clans_and_glory.players import plain_turns, play_game, seat_players
from vision.cameras.simulated import screen
from vision.changes import Change
from vision.knock import moved
from vision.measure.watching import Judge
from vision.read import Reader
from vision.reading import PhotoReading, Reading
from vision.simulated.evening import Evening, set_evening
from vision.simulated.film import Film, FilmFrame, film_game
from vision.simulated.keeping import keep_film
from vision.simulated.moves import Carry, Hover, Knock, Lay, Move, PutShield, Take, Wait
from vision.simulated.script import Played, write_script
from vision.simulated.weather import draw_weather
from vision.watch import Watcher
from webui.layouts import layout_for

SEED = 11
RANKS = ("3", "4", "5", "6")
LYING = {"1N2": "red-5", "2N2": "blue-3", "3S2": "green-6", "4S1": "white-4", "W": "yellow-3"}


@pytest.fixture(scope="module")
def evening() -> Evening:
    return set_evening(layout_for(2), SEED, "gentle", RANKS, (1280, 720))


@dataclass(frozen=True)
class Seen:
    """What was told, with the frame it was told at; and the last frame."""

    changes: list[tuple[int, Change]]
    watcher: Watcher
    last: FilmFrame

    def kinds(self) -> list[str]:
        return [change.kind for _, change in self.changes]

    def told(self) -> list[tuple[str, str | None, str | None]]:
        return [
            (c.kind, c.to_slot or c.slot, c.reading.card if c.reading else None)
            for _, c in self.changes
        ]


def decoded(frame: FilmFrame) -> Image:
    image = cv2.imdecode(np.frombuffer(frame.jpeg, np.uint8), cv2.IMREAD_COLOR)
    return np.asarray(image, np.uint8)


def watch(evening: Evening, moves: Sequence[Move], seed: int = 1, switches: int = 0) -> Seen:
    """Watch a film that begins with LYING cards; what they are is not part of the answer."""
    watcher = Watcher(evening.table, evening.deck)
    changes: list[tuple[int, Change]] = []
    film = film_game(evening.simulated, [Wait(0.7), *moves], seed, LYING, switches)
    for frame in film.frames():
        told = watcher.see(decoded(frame))
        if frame.number > 10:
            changes += [(frame.number, change) for change in told]
    changes += [(frame.number, change) for change in watcher.finish()]
    return Seen(changes, watcher, frame)


def test_what_lies_there_at_first_is_seen(evening: Evening) -> None:
    seen = watch(evening, [])
    cards = {s: r.card for s, r in seen.watcher.readings.items() if r.state == "card"}
    assert cards == LYING
    assert seen.changes == []


def test_cards_are_seen_as_they_are_laid_moved_and_taken(evening: Evening) -> None:
    moves: list[Move] = [
        *(Lay(0, "3N1", "blue-6"), Wait(0.4), Lay(1, "2S3", "face-down"), Wait(0.4)),
        *(Carry(0, "3N1", "4N3"), Wait(0.4), Take(1, "1N2"), Wait(0.5)),
    ]
    seen = watch(evening, moves)
    assert seen.told() == [
        ("placed", "3N1", "blue-6"),
        ("placed", "2S3", None),
        ("moved", "4N3", "blue-6"),
        ("removed", "1N2", None),
    ]
    # The back of this deck has the colours of the tile: it is seen, but need not be sure.
    named = [c.reading for _, c in seen.changes if c.slot != "2S3"]
    assert all(reading is not None and reading.sure for reading in named)
    assert seen.changes[2][1].slot == "3N1"
    assert not seen.watcher.busy
    upright = seen.watcher.crop("4N3")
    assert upright.shape[0] > upright.shape[1] > 60


class Dazzled(Reader):
    """Glare in its eyes: it can name no slot for certain, nor call one empty."""

    def read(
        self,
        image: Image,
        only: Sequence[str] | None = None,
        elsewhere: Collection[str] = (),
        source: str = "the picture",
    ) -> PhotoReading:
        seen = super().read(image, only, elsewhere, source)
        dim = {
            slot: Reading("covered", None, 0.6, False, ((r.card,) if r.card else ()) + r.also)
            for slot, r in seen.slots.items()
        }
        return PhotoReading(dim, seen.shifted_px)


def test_a_card_that_cannot_be_read_is_asked_for_and_seen_to_go(evening: Evening) -> None:
    watcher = Watcher(evening.table, evening.deck, Dazzled)
    lay: list[Move] = [Wait(0.7), Lay(0, "3N1", "blue-6"), Wait(1.0)]
    moves: list[Move] = [*lay, Take(0, "3N1"), Wait(1.0)]
    film = film_game(evening.simulated, moves, 1)
    changes = [c for frame in film.frames() for c in watcher.see(decoded(frame))]
    told = [(c.kind, c.slot, c.reading.card, c.reading.sure) for c in changes if c.reading]
    assert [each for each in told if each[0] != "free"] == [
        ("placed", "3N1", "blue-6", False),
        ("removed", "3N1", None, True),
    ]


def test_asking_for_a_card_where_none_lies_counts_as_invented() -> None:
    judge = Judge()
    judge.truth(FilmFrame(1, b"", {"1N1": "red-5"}, frozenset(), 0, ()))
    guess = Reading("card", "red-6", 0.5, False)
    judge.told(1, Change("placed", "1N1", reading=guess))
    judge.told(1, Change("placed", "1N2", reading=guess))
    tally = judge.end()
    assert (len(tally.asked), len(tally.invented), tally.missed) == (1, 1, [])


def test_hands_shields_lamps_and_shadows_change_nothing(evening: Evening) -> None:
    moves: list[Move] = [
        *(Hover(0, "2N2", 1.0), PutShield(1, "3S2"), Hover(1, "1S2", 0.6), Wait(2.0)),
        *(Hover(0, "4S1", 0.4), Wait(1.0)),
    ]
    assert watch(evening, moves, 2, switches=2).changes == []


def test_a_hand_that_stays_is_told_and_what_it_covers_is_still_known(evening: Evening) -> None:
    seen = watch(evening, [Hover(0, "2N2", 4.5), Wait(0.6)])
    kinds = seen.kinds()
    assert set(kinds) == {"covered", "free"}
    assert kinds.count("covered") == kinds.count("free")
    assert seen.watcher.readings["2N2"].card == "blue-3"


def test_a_knock_is_followed_and_told_once(evening: Evening) -> None:
    moves: list[Move] = [
        Knock((9, -6), 0.3),
        Wait(1.0),
        Lay(0, "3N1", "blue-6"),
        Wait(0.5),
    ]
    seen = watch(evening, moves)
    assert seen.kinds() == ["camera-moved", "placed"]
    shifted = seen.changes[0][1].shifted_px
    assert shifted is not None
    assert 7 < shifted < 15
    assert seen.watcher.readings["3N1"].card == "blue-6"


TURN = np.vstack([cv2.getRotationMatrix2D((640, 360), 35, 0.8), [0, 0, 1]])


def turned(image: Image) -> Image:
    return np.asarray(cv2.warpPerspective(image, TURN, (1280, 720)), np.uint8)


def sideways(image: Image) -> Image:
    flipped = np.ascontiguousarray(image.transpose(1, 0, 2))
    return np.asarray(cv2.resize(flipped, (1280, 720)), np.uint8)


def shoot_still(evening: Evening, seconds: float) -> list[Image]:
    film = film_game(evening.simulated, [Wait(seconds)], 1, LYING)
    return [decoded(frame) for frame in film.frames()]


def test_a_camera_that_was_turned_far_is_found_again(evening: Evening) -> None:
    watcher = Watcher(evening.table, evening.deck)
    frames = shoot_still(evening, 1.5)
    for image in frames:
        watcher.see(image)
    told = [change for image in frames for change in watcher.see(turned(image))]
    assert [change.kind for change in told] == ["camera-moved"]
    assert told[0].shifted_px is not None
    assert told[0].shifted_px > 100
    assert {s: r.card for s, r in watcher.readings.items() if r.card} == LYING
    assert not watcher.busy


def test_a_camera_that_looks_elsewhere_is_told_once_until_it_is_back(evening: Evening) -> None:
    watcher = Watcher(evening.table, evening.deck)
    frames = shoot_still(evening, 0.9)
    for image in frames:
        watcher.see(image)
    known = dict(watcher.readings)
    told = [change for image in frames * 6 for change in watcher.see(sideways(image))]
    assert told == [Change("camera-moved", shifted_px=None)]
    was_astray = watcher.astray
    assert was_astray
    assert dict(watcher.readings) == known
    assert [change for image in frames for change in watcher.see(image)] == []
    assert not watcher.astray
    assert not watcher.busy


def test_a_table_can_be_placed_anew(evening: Evening) -> None:
    watcher = Watcher(evening.table, evening.deck)
    frames = shoot_still(evening, 0.9)
    for image in frames:
        watcher.see(image)
    table = evening.table
    outlines = {slot: moved(corners, TURN) for slot, corners in table.outlines.items()}
    new = replace(table, outlines=outlines, empty=turned(table.empty), back=None)
    watcher.place(new)
    assert [change for image in frames for change in watcher.see(turned(image))] == []
    assert {s: r.card for s, r in watcher.readings.items() if r.card} == LYING
    assert not watcher.busy


def test_a_slot_that_is_not_there_has_no_picture(evening: Evening) -> None:
    with pytest.raises(KeyError):
        Watcher(evening.table, evening.deck).crop("9X9")


def test_a_frame_of_another_shape_is_refused(evening: Evening) -> None:
    with pytest.raises(BadInput, match="640x480"):
        Watcher(evening.table, evening.deck).see(np.zeros((480, 640, 3), np.uint8))


def test_a_film_is_the_same_for_the_same_seed_and_tells_the_truth(evening: Evening) -> None:
    def shoot(seed: int) -> list[FilmFrame]:
        moves: list[Move] = [Lay(0, "2S2", "red-3"), PutShield(0, "2S2")]
        weather = draw_weather("gentle", 10, seed)
        return list(Film(evening.simulated, moves, seed, weather).frames())

    one, same, other = shoot(3), shoot(3), shoot(4)
    assert [f.jpeg for f in one] == [f.jpeg for f in same]
    assert one[5].jpeg != other[5].jpeg
    assert dict(one[0].cards) == {}
    assert dict(one[-1].cards) == {"2S2": "red-3"}
    assert any("2S2" in frame.touched for frame in one)
    assert "2S2" not in one[-1].touched
    done = [type(move) for frame in one for move in frame.done]
    assert done == [Lay, PutShield]


def test_the_simulated_camera_shows_every_move(evening: Evening) -> None:
    done: list[Move] = []
    moves: list[Move] = [Wait(0.3), Lay(0, "2S2", "red-3")]
    source = screen(Film(evening.simulated, moves, 1), 20.0, done.append)
    number = 0
    while (frame := source.newest(number, 60.0)) is not None:
        number = frame.number
        assert frame.jpeg is not None
        if source.state == "ended":
            break
    source.close()
    assert number > 5
    assert done == moves
    assert "1280x720" in source.describe()


def test_a_filmed_game_becomes_lines_and_a_record(evening: Evening, tmp_path: Path) -> None:
    played = play_game(seat_players(2), 5)
    turns = [Played(*turn) for turn in plain_turns(played)[:2]]
    moves = write_script({}, turns, 1, pause=0.1, knock=None)
    film = Film(evening.simulated, moves, 1, lying=played.start)
    keep_film(evening, film, tmp_path, lambda words: None)
    record = tmp_path / "record.json"
    files = ["--table", str(tmp_path / "table"), "--deck", str(tmp_path / "deck")]
    words = [*files, "--seats", "Ann:red,Ben:blue", "--record", str(record)]
    answer = CliRunner().invoke(main, ["watch", *words, str(tmp_path / "frames")])
    assert answer.exit_code == 0, answer.output
    lines = [json.loads(line) for line in answer.stdout.splitlines()]
    assert [line["event"] for line in lines] == ["start", "placed", "placed"]
    assert lines[0]["cards"] == dict(played.start)
    for line, turn in zip(lines[1:], turns, strict=True):
        assert (line["player"], line["slot"], line["card"]) == (turn.seat, turn.slot, turn.card)
        assert line["sure"] is True
        assert line["findings"] == []
        assert (tmp_path / "frames" / line["frame"]).exists()
    written = json.loads(record.read_text())
    assert written["start"] == dict(played.start)
    assert [bool(turn.get("shield")) for turn in written["turns"]] == [
        bool(turn.shields) for turn in turns
    ]
    wrong = [*files, "--seats", "Ann:red,Ben:blue,Cid:green", str(tmp_path / "frames")]
    refused = CliRunner().invoke(main, ["watch", *wrong])
    assert refused.exit_code == 2
    assert "3 players" in refused.stderr
