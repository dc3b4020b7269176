"""The journal: a real file, real kills, real damage."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from scorer.errors import BadInput
from scorer.journal import open_journal

WRITER = """
import sys
from pathlib import Path
from scorer.journal import open_journal
with open_journal(Path(sys.argv[1])) as journal:
    for number in range(100_000):
        journal.append(1, {"event": "test", "number": number}, "now")
        print(number, flush=True)
"""


def numbers(path: Path, game: int = 1) -> list[int]:
    with open_journal(path) as journal:
        return [entry.event["number"] for entry in journal.entries(game)]


def write(path: Path, count: int, game: int = 1) -> None:
    with open_journal(path) as journal:
        for number in range(count):
            journal.append(game, {"number": number, "padding": "x" * 200}, "2026-01-01")


def start_writer(path: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    )


def test_events_come_back_in_order_and_by_game(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "journal.sqlite"
    with open_journal(path) as journal:
        assert journal.games() == []
        first, second = 1, 2
        assert journal.new_game() == first
        journal.append(first, {"event": "a", "name": "Zoë"}, "10:00")
        assert journal.new_game() == second
        journal.append(second, {"event": "b"}, "10:01")
        assert journal.append(first, {"event": "c"}, "10:02").number == 1
    with open_journal(path) as journal:
        assert journal.games() == [first, second]
        assert [(e.number, e.at, e.event["event"]) for e in journal.entries(first)] == [
            (0, "10:00", "a"),
            (1, "10:02", "c"),
        ]
        assert journal.entries(first)[0].event["name"] == "Zoë"
        assert journal.rescue is None


@pytest.mark.parametrize("seed", range(4))
def test_killed_at_any_moment_it_has_all_that_was_written(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "journal.sqlite"
    for _ in range(3):
        before = len(numbers(path)) if path.exists() else 0
        writer = start_writer(path)
        assert writer.stdout is not None
        told = [writer.stdout.readline()]
        time.sleep(random.Random(seed).uniform(0, 0.1))
        writer.send_signal(signal.SIGKILL)
        told += [
            line for line in writer.stdout.read().splitlines(keepends=True) if line[-1] == "\n"
        ]
        writer.wait()
        writer.stdout.close()
        found = numbers(path)[before:]
        assert found == list(range(len(found)))
        assert len(told) <= len(found) <= len(told) + 1


def test_a_second_process_is_refused_politely(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    writer = start_writer(path)
    assert writer.stdout is not None
    writer.stdout.readline()
    try:
        with pytest.raises(BadInput, match="another Cairn uses it"):
            open_journal(path)
    finally:
        writer.kill()
        writer.wait()
        writer.stdout.close()
    assert numbers(path)


def test_a_journal_only_grows(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    write(path, 2)
    database = sqlite3.connect(path)
    for statement in ("DELETE FROM events", "UPDATE events SET event = '{}'"):
        with pytest.raises(sqlite3.IntegrityError, match="a journal only grows"):
            database.execute(statement)
    database.close()


@pytest.mark.parametrize(
    "content", [b"not a database at all", os.urandom(9000), b"SQLite format 3\0" + b"\0" * 4080]
)
def test_something_else_is_set_aside(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "journal.sqlite"
    path.write_bytes(content)
    with open_journal(path) as journal:
        assert journal.rescue is not None
        assert "was damaged: 0 events are saved" in journal.rescue
        journal.append(1, {"number": 0}, "now")
    assert (tmp_path / "journal.sqlite.damaged-1").read_bytes() == content
    assert numbers(path) == [0]


def test_what_can_be_read_of_a_damaged_file_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    write(path, 300)
    data = bytearray(path.read_bytes())
    middle = data.index(b'"number": 200')
    page = middle // 4096 * 4096
    data[page : page + 4096] = os.urandom(4096)
    path.write_bytes(data)
    with open_journal(path) as journal:
        assert journal.rescue is not None
        assert "at least" in journal.rescue
        found = [entry.event["number"] for entry in journal.entries(1)]
    assert found == list(range(len(found)))
    assert 100 < len(found) <= 200


def test_one_flipped_letter_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    write(path, 20)
    write(path, 5, game=2)
    data = path.read_bytes().replace(b'"number": 12', b'"number": 13', 1)
    path.write_bytes(data)
    with open_journal(path) as journal:
        assert journal.rescue is not None
        assert len(journal.entries(1)) == 12
        assert len(journal.entries(2)) == 5


@pytest.mark.parametrize("seed", range(12))
def test_any_damage_leaves_a_journal_that_works(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "journal.sqlite"
    write(path, 120)
    chance = random.Random(seed)
    data = bytearray(path.read_bytes())
    if chance.random() < 0.3:
        del data[chance.randrange(len(data)) :]
    for _ in range(chance.randrange(1, 40)):
        at = chance.randrange(max(1, len(data) - 8))
        data[at : at + 8] = chance.randbytes(8)
    path.write_bytes(data)
    with open_journal(path) as journal:
        found = [entry.event["number"] for entry in journal.entries(1)]
        assert found == list(range(len(found)))
        journal.append(1, {"number": len(found)}, "now")
    assert numbers(path) == [*found, len(found)]


def test_another_program_s_file_and_a_later_version_s_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE recipes (name TEXT)")
    database.close()
    before = path.read_bytes()
    with pytest.raises(BadInput, match="another program's database"):
        open_journal(path)
    newer = tmp_path / "newer.sqlite"
    write(newer, 1)
    database = sqlite3.connect(newer)
    database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(BadInput, match="newer Cairn"):
        open_journal(newer)
    assert path.read_bytes()[100:] == before[100:]


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be opened"):
        open_journal(tmp_path)
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(BadInput, match="cannot be opened"):
        open_journal(file / "journal.sqlite")


def test_what_is_written_is_plain_json(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    write(path, 1)
    database = sqlite3.connect(path)
    (text,) = database.execute("SELECT event FROM events").fetchone()
    database.close()
    assert json.loads(text)["number"] == 0
