"""Records: what is read, what is refused, and that nothing gets lost on the way."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.errors import BadInput
from scorer.games.clans_and_glory.players import play_game
from scorer.record import format_record, read_record, record_to_json
from scorer.strict import Json, parse_json
from tests.scorer.tables import setting


def good() -> dict[str, Any]:
    return {
        "game": "clans-and-glory",
        "players": [{"name": "Ann", "shields": "red"}, {"name": "Ben", "shields": "blue"}],
        "rulings": {"neighbours-cross-tiles": True, "last-shield": True},
        "start": {"1N2": "red-5", "1S2": "blue-3"},
        "turns": [
            {"player": 0, "slot": "1N1", "card": "red-3", "shield": True},
            {"player": 1, "slot": "2S1", "card": "face-down"},
            {"player": 0, "slot": "2N3", "card": "green-4", "shield": 3},
            {"player": 1, "slot": "2N1", "card": "green-5", "shield": [True, 2]},
        ],
    }


def refusal(data: Any) -> str:
    with pytest.raises(BadInput) as caught:
        read_record(Json(data, "r.json"))
    return str(caught.value)


def test_a_record_comes_back_as_it_was() -> None:
    record = read_record(Json(good(), "r.json"))
    assert record_to_json(record) == {"version": 1, **good()}
    assert read_record(parse_json(format_record(record), "r.json")) == record


def test_rulings_and_version_may_be_missing() -> None:
    data = good()
    del data["rulings"]
    assert read_record(Json(data, "r")).setting.rulings["last-shield"]
    assert read_record(Json({**data, "version": 1}, "r")) == read_record(Json(data, "r"))


@pytest.mark.parametrize("shield", [False, []])
def test_no_shield(shield: Any) -> None:
    data = good()
    data["turns"] = [{"player": 0, "slot": "1N1", "card": "red-3", "shield": shield}]
    written = record_to_json(read_record(Json(data, "r")))
    assert written["turns"] == [{"player": 0, "slot": "1N1", "card": "red-3"}]


def changed(place: str, value: Any) -> dict[str, Any]:
    """The good record with one value replaced: `turns.3.card`."""
    data = good()
    at: Any = data
    *path, last = place.split(".")
    for key in path:
        at = at[int(key)] if isinstance(at, list) else at[key]
    at[int(last) if isinstance(at, list) else last] = value
    return data


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        ("turns.3.card", 7, 'turns[3].card: expected "colour-rank" or "face-down", got 7'),
        ("turns.3.card", "red", 'turns[3].card: expected "colour-rank" or "face-down"'),
        ("turns.3.card", "red 5-6", 'turns[3].card: expected "colour-rank"'),
        ("turns.0.player", 2, "turns[0].player: expected a player's number from 0 to 1, got 2"),
        ("turns.0.player", True, "turns[0].player: expected a player's number"),
        ("turns.0.player", 0.0, "turns[0].player: expected a player's number"),
        ("turns.0.slot", 12, "turns[0].slot: expected 0 to 60 printable characters, got 12"),
        ("turns.0.slot", "x" * 99, "turns[0].slot: expected 0 to 60 printable characters"),
        ("turns.0.shield", 9, "turns[0].shield: expected true or a tile's number from 1 to 4"),
        ("turns.0.shield", 0, "turns[0].shield: expected true or a tile's number from 1 to 4"),
        ("turns.0.shield", "yes", "turns[0].shield: expected true or a tile's number"),
        ("turns.3.shield", [True, None], "turns[3].shield[1]: expected true or a tile's number"),
        ("turns.1", 5, "turns[1]: expected an object with player, slot, card"),
        ("turns", {}, "turns: expected a list"),
        ("start", [], "start: expected an object"),
        ("start.1N2", None, 'start.1N2: expected "colour-rank" or "face-down", got null'),
        ("players.1.name", "", "players[1].name: expected 1 to 60 printable characters"),
        ("players.1.name", "\ud800", "players[1].name: expected 1 to 60 printable characters"),
        ("players.1.shields", "red", "players[1].shields: expected a colour of this player's own"),
        ("players", [], "players: expected a list of 2 to 4"),
        ("rulings.last-shield", 1, "rulings.last-shield: expected true or false, got 1"),
        ("rulings", {"free-beer": True}, "rulings: expected only the keys"),
        ("game", "chess", 'game: expected "clans-and-glory", got "chess"'),
        ("game", [], 'game: expected "clans-and-glory", got []'),
        ("version", 2, "version: expected a version this program reads, from 1 to 1, got 2"),
        ("extra", 1, "expected only the keys game, players, start, turns"),
        ("turns.0.extra", 1, "turns[0]: expected only the keys player, slot, card"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(place: str, value: Any, words: str) -> None:
    assert refusal(changed(place, value)).startswith(f"r.json: {words}")


@pytest.mark.parametrize("key", ["game", "players", "start", "turns"])
def test_a_missing_key_is_named(key: str) -> None:
    data = good()
    del data[key]
    assert f"{key} is missing" in refusal(data)


@pytest.mark.parametrize("data", [None, 5, "x", [], {}])
def test_something_else_entirely(data: Any) -> None:
    assert "expected an object with game" in refusal(data)


def test_absurd_sizes() -> None:
    assert "a list of 0 to 10000" in refusal({**good(), "turns": [good()["turns"][0]] * 10_001})
    many = {f"s{n}": "red-5" for n in range(1_001)}
    assert "at most 1000 entries" in refusal({**good(), "start": many})


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is not JSON"),
        (b"\xff\xfe", "is not UTF-8 text (byte 0)"),
        (b'{"a": 1, "a": 2}', 'the key "a" stands twice'),
        (b'{"a": NaN}', "NaN is no JSON number"),
        (b"[" * 100_000, "is nested too deeply"),
        (b"9" * 5_000, "is not JSON"),
    ],
)
def test_no_json(data: bytes, words: str) -> None:
    with pytest.raises(BadInput, match=r"^r\.json: ") as caught:
        parse_json(data, "r.json")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_byte_order_mark_is_no_fault() -> None:
    data = b"\xef\xbb\xbf" + json.dumps(good()).encode()
    assert read_record(parse_json(data, "r")) == read_record(Json(good(), "r"))


@given(seed=st.integers(0, 2**32), players=st.integers(2, 4), mistakes=st.floats(0, 1))
def test_any_game_survives_being_written_and_read(seed: int, players: int, mistakes: float) -> None:
    record = play_game(setting(players), seed, mistakes)
    assert read_record(parse_json(format_record(record), "r")) == record
