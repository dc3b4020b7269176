"""What is said of a game while it is watched, and what is recorded of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from scorer.commentary import PATIENCE, Commentary
from scorer.errors import BadInput
from scorer.events import PutShield, See
from scorer.games.clans_and_glory.players import (
    plain_turns,
    play_demo,
    play_game,
    seat_players,
    slip_up,
)
from scorer.live import LiveGame
from scorer.record import Record
from scorer.referee import Referee
from scorer.seats import read_seats, read_taps
from scorer.timeline import judge


def see(slot: str, card: str | None, sure: bool = True) -> See:
    if card is None:
        return See(slot, "empty", None, sure)
    if card == "face-down":
        return See(slot, "face-down", None, sure)
    return See(slot, "card", card, sure)


class Table:
    """A game that is watched, and all that was said of it."""

    def __init__(self, record: Record) -> None:
        self.game = LiveGame(record.setting)
        self.commentary = Commentary(self.game)
        self.lines: list[dict[str, Any]] = []
        for slot, card in record.start.items():
            self.change("start", "placed", see(slot, card))

    def change(self, frame: str, kind: str, *sees: See) -> list[dict[str, Any]]:
        lines = self.commentary.change(frame, kind, sees)
        self.commentary.frame_passed()
        self.lines += lines
        return lines


def test_a_whole_game_is_told_and_recorded_as_it_was_played() -> None:
    played = play_game(seat_players(3), 7, mistakes=0.2)
    table = Table(played)
    for number, (player, slot, card, shields) in enumerate(plain_turns(played)):
        table.change(f"{number}", "placed", see(slot, card))
        for _ in range(shields):
            tile = table.game.timeline.rules.layout.tile_of[slot]
            table.commentary.tap(PutShield(player, tile))
            assert table.commentary.frame_passed() == []
    assert [line["event"] for line in table.lines] == [
        "start",
        *["placed"] * len(played.turns),
        "over",
    ]
    assert table.lines[0]["cards"] == dict(played.start)
    placed = table.lines[1:-1]
    assert [line["player"] for line in placed] == [turn.player for turn in played.turns]
    real = judge(played)
    for turn, line in enumerate(placed):
        assert [f["code"] for f in line["findings"]] == [f.code for f in real.findings(turn)]
    watched = table.game.timeline
    assert [t.card for t in watched.record.turns] == [t.card for t in played.turns]
    assert watched.score() == real.score()


def test_a_card_laid_wrong_and_moved_is_no_finding_in_the_end() -> None:
    played = play_game(seat_players(2), 3)
    ((number, wrong),) = slip_up(played, 3).items()
    turns = plain_turns(played)
    table = Table(played)
    for player, slot, card, _ in turns[:number]:
        assert table.change("a", "placed", see(slot, card))[0]["player"] == player
    _, slot, card, _ = turns[number]
    first = table.change("b", "placed", see(wrong, card))[0]
    assert next(f["code"] for f in first["findings"]) in ("no-match", "isolated")
    second = table.change("c", "moved", see(wrong, None), see(slot, card))[0]
    assert (second["slot"], second["to"], second["card"]) == (wrong, slot, card)
    assert second["findings"] == []
    assert table.game.open_findings == ()
    assert table.game.timeline.turns == number + 1


def test_an_older_card_that_goes_is_missing_and_one_that_wanders_has_moved() -> None:
    played = play_game(seat_players(2), 4)
    table = Table(played)
    for _, slot, card, _ in plain_turns(played)[:3]:
        table.change("a", "placed", see(slot, card))
    first = played.turns[0]
    gone = table.change("b", "removed", see(first.slot, None))[0]
    assert [f["code"] for f in gone["findings"]] == ["card-missing"]
    assert gone["player"] == first.player
    free = next(s for s in table.game.timeline.rules.layout.slots if s not in table.game.recorded)
    back = table.change("c", "placed", see(free, first.card))[0]
    assert [f["code"] for f in back["findings"]] == ["card-moved"]
    assert table.game.timeline.turns == 3


def test_a_tap_before_its_card_waits_for_it() -> None:
    played = play_game(seat_players(2), 5)
    table = Table(played)
    turns = plain_turns(played)
    table.change("a", "placed", see(*turns[0][1:3]))
    tile = table.game.timeline.rules.layout.tile_of
    table.commentary.tap(PutShield(1, tile[turns[1][1]]))
    assert table.commentary.frame_passed() == []
    table.change("b", "placed", see(*turns[1][1:3]))
    assert [len(row[3:]) and row[3] for row in plain_turns(table.game.timeline.record)] == [0, 1]


def test_a_tap_on_another_tile_waits_and_then_counts_as_it_is() -> None:
    played = play_game(seat_players(2), 5)
    table = Table(played)
    _, slot, card, _ = plain_turns(played)[0]
    table.change("a", "placed", see(slot, card))
    here = table.game.timeline.rules.layout.tile_of[slot]
    table.commentary.tap(PutShield(0, here % 4 + 1))
    codes = []
    for _ in range(PATIENCE + 1):
        assert table.commentary.frame_passed() == []
        codes.append([finding.code for finding in table.game.open_findings])
    assert codes == [[]] * PATIENCE + [["shield-elsewhere"]]


def test_a_tap_of_somebody_who_has_not_played_is_complained_of() -> None:
    table = Table(play_game(seat_players(2), 5))
    table.commentary.tap(PutShield(0, 1))
    complaints = [table.commentary.frame_passed() for _ in range(PATIENCE + 1)]
    assert [len(c) for c in complaints] == [0] * PATIENCE + [1]


def test_an_unsure_card_is_said_to_be_so_and_a_free_slot_is_no_news() -> None:
    played = play_game(seat_players(2), 6)
    table = Table(played)
    _, slot, card, _ = plain_turns(played)[0]
    (line,) = table.change("a", "placed", see(slot, card, sure=False))
    assert line["sure"] is False
    assert line["findings"] == []
    (covered,) = table.change("b", "covered", See(slot, "covered", None, True))
    assert covered == {
        "frame": "b",
        "event": "covered",
        "player": 0,
        "slot": slot,
        "findings": [],
    }
    assert table.change("c", "free", see(slot, card, sure=False)) == []


def test_lines_have_words_for_people() -> None:
    played = play_game(seat_players(2), 6)
    table = Table(played)
    _, slot, card, _ = plain_turns(played)[0]
    (line,) = table.change("a", "placed", see(slot, card))
    assert table.commentary.words(line) == f"Player 1 placed {card} {slot}"
    (moved,) = table.commentary.camera_moved("b", 7.4)
    assert table.commentary.words(moved) == "camera-moved by 7 pixels"
    (lost,) = table.commentary.camera_moved("c", None)
    assert "four corners" in lost["text"]


def test_a_set_up_that_was_never_finished_is_told_at_the_end() -> None:
    played = play_game(seat_players(2), 6)
    table = Table(Record(played.setting, dict(list(played.start.items())[:3]), ()))
    assert table.lines == []
    (line,) = table.commentary.finish("z")
    assert len(line["cards"]) == 3
    assert "setup-count" in [f["code"] for f in line["findings"]]


def test_the_referee_finds_a_game_right_and_a_changed_one_wrong() -> None:
    played = play_game(seat_players(4), 8)
    for change in (False, True):
        referee = Referee(played)
        for slot, card in played.start.items():
            referee.see(see(slot, card), {})
        for number, (player, slot, card, shields) in enumerate(plain_turns(played)):
            wrong = change and number == 5
            referee.see(see(slot, "face-down" if wrong else card), {})
            for _ in range(shields):
                referee.tap(player, slot)
        figures = referee.figures()
        assert figures["turns"] == 28
        assert figures["turns_right"] == (27 if change else 28)
        assert figures["all_right"] is not change


def test_a_demo_has_a_card_face_down() -> None:
    assert "face-down" in [turn.card for turn in play_demo(seat_players(2), 1).turns]


def test_seats_are_read_from_a_line() -> None:
    setting = read_seats("Ann:red, Ben:blue", "clans-and-glory")
    assert [(p.name, p.shields) for p in setting.players] == [("Ann", "red"), ("Ben", "blue")]


@pytest.mark.parametrize("text", ["Ann", "Ann:red", "Ann:red,Ben:red", ":red,Ben:blue", ""])
def test_bad_seats_are_refused(text: str) -> None:
    with pytest.raises(BadInput, match="seats"):
        read_seats(text, "clans-and-glory")


def test_taps_are_read_by_frame(tmp_path: Path) -> None:
    path = tmp_path / "taps.jsonl"
    assert read_taps(path, 2) == {}
    tap = {"after": "0031.jpg", "shield": {"player": 1, "tile": 3}}
    path.write_text(json.dumps(tap) + "\n\n" + json.dumps(tap) + "\n")
    assert read_taps(path, 2) == {"0031.jpg": [PutShield(1, 3), PutShield(1, 3)]}


@pytest.mark.parametrize(
    "line",
    [
        "no json",
        "[]",
        '{"after": "1.jpg"}',
        '{"after": "1.jpg", "shield": {"player": 2, "tile": 1}}',
        '{"after": "1.jpg", "shield": {"player": 0, "tile": 0}}',
    ],
)
def test_bad_taps_are_refused_with_their_line(line: str, tmp_path: Path) -> None:
    path = tmp_path / "taps.jsonl"
    path.write_text(f"\n{line}\n")
    with pytest.raises(BadInput, match="line 2"):
        read_taps(path, 2)
