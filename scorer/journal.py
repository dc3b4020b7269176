"""The journal: every event of every game, on disk before the call returns."""

import json
import os
import sqlite3
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scorer.errors import BadInput

VERSION = 1
MOST_VERSIONS = 1_000
CANNOT_OPEN = (
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
)
APPLICATION = 0x43524E31
SCHEMA = f"""
BEGIN;
CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    game INTEGER NOT NULL,
    number INTEGER NOT NULL,
    at TEXT NOT NULL,
    event TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    UNIQUE (game, number)
);
CREATE TRIGGER never_change BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'a journal only grows'); END;
CREATE TRIGGER never_delete BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'a journal only grows'); END;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
COMMIT;
"""


@dataclass(frozen=True)
class Entry:
    """One event of one game, numbered from 0, with the time its caller gave."""

    game: int
    number: int
    at: str
    event: Mapping[str, Any]


class Damaged(Exception):
    """What is in the file is not what was written to it."""


# SQLite's own messages about a damaged file can hold bytes that are no text: a ValueError.
DAMAGE = (Damaged, sqlite3.DatabaseError, ValueError)


class Journal:
    """An open journal; nobody else can open it meanwhile. Close it, or use it in a `with`.

    `rescue` says what was saved if the file had been damaged and was set aside.
    """

    def __init__(self, path: Path, database: sqlite3.Connection, rescue: str | None) -> None:
        self.path = path
        self.rescue = rescue
        self._database = database
        rows = database.execute("SELECT game, max(number) FROM events GROUP BY game")
        self._last: dict[int, int] = dict(rows.fetchall())

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let others open the journal."""
        self._database.close()

    def games(self) -> list[int]:
        """The numbers of all games, oldest first."""
        return sorted(self._last)

    def new_game(self) -> int:
        """A number for a game that is about to get its first event."""
        return max(self._last, default=0) + 1

    def append(self, game: int, event: Mapping[str, Any], at: str) -> Entry:
        """Write one event; when this returns it is on disk."""
        entry = Entry(game, self._last.get(game, -1) + 1, at, event)
        try:
            _insert(self._database, entry)
        except sqlite3.Error as error:
            raise BadInput(
                f"{self.path}: the event could not be written ({error}); make room on the disk "
                "or choose another data folder"
            ) from error
        self._last[game] = entry.number
        return entry

    def entries(self, game: int) -> list[Entry]:
        """All events of a game, in order."""
        rows = self._database.execute(
            "SELECT game, number, at, event, checksum FROM events WHERE game = ? ORDER BY number",
            (game,),
        )
        return [_checked(row) for row in rows]


def open_journal(path: Path) -> Journal:
    """Open or make the journal at `path`; a damaged file is set aside and what is left is saved."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return Journal(path, _connect(path), rescue=None)
    except DAMAGE as error:
        code = getattr(error, "sqlite_errorcode", None)
        if code == sqlite3.SQLITE_BUSY:
            raise BadInput(
                f"{path}: another Cairn uses it; close that or choose another"
            ) from error
        if code in CANNOT_OPEN:
            raise BadInput(f"{path}: cannot be opened ({error}); choose another") from error
    except OSError as error:
        raise BadInput(f"{path}: cannot be opened ({error.strerror}); choose another") from error
    aside = _set_aside(path)
    database = _connect(path)
    saved, lost = _rescue(aside, database)
    return Journal(
        path,
        database,
        rescue=f"{path} was damaged: {saved} events are saved and go on here"
        f"{f', at least {lost} could not be' if lost else ''}; the old file is kept as {aside}",
    )


def _connect(path: Path) -> sqlite3.Connection:
    """Open, lock and check; Damaged or sqlite3.DatabaseError if the content is not sound."""
    database = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    try:
        database.execute("PRAGMA locking_mode = EXCLUSIVE")
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("BEGIN EXCLUSIVE")
        database.execute("COMMIT")
        _check_kind(path, database)
        _check_content(database)
    except BaseException:
        database.close()
        raise
    return database


def _check_kind(path: Path, database: sqlite3.Connection) -> None:
    """A new file gets its table; another program's file or a later version's is left alone."""
    (application,) = database.execute("PRAGMA application_id").fetchone()
    (version,) = database.execute("PRAGMA user_version").fetchone()
    names = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    if not names and not application:
        database.executescript(SCHEMA)
    elif application != APPLICATION and "never_delete" not in names:
        raise BadInput(f"{path}: is another program's database; choose another file")
    elif application == APPLICATION and VERSION < version < MOST_VERSIONS:
        raise BadInput(f"{path}: was written by a newer Cairn (version {version}); update Cairn")
    elif (application, version) != (APPLICATION, VERSION):
        raise Damaged


def _check_content(database: sqlite3.Connection) -> None:
    if database.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise Damaged
    last: dict[int, int] = {}
    rows = database.execute("SELECT game, number, at, event, checksum FROM events ORDER BY id")
    for row in rows:
        entry = _checked(row)
        if entry.number != last.get(entry.game, -1) + 1:
            raise Damaged
        last[entry.game] = entry.number


def _insert(database: sqlite3.Connection, entry: Entry) -> None:
    text = json.dumps(entry.event, ensure_ascii=False)
    database.execute(
        "INSERT INTO events (game, number, at, event, checksum) VALUES (?, ?, ?, ?, ?)",
        (entry.game, entry.number, entry.at, text, _checksum(entry.game, entry.number, text)),
    )


def _checked(row: tuple[Any, ...]) -> Entry:
    game, number, at, text, checksum = row
    if not isinstance(text, str) or checksum != _checksum(game, number, text):
        raise Damaged
    return Entry(game, number, at, json.loads(text))


def _checksum(game: int, number: int, text: str) -> int:
    return zlib.crc32(f"{game} {number} {text}".encode())


def _set_aside(path: Path) -> Path:
    """Rename the file, and the log that SQLite keeps beside it, to a name that is free."""
    count = 1
    while (aside := path.with_name(f"{path.name}.damaged-{count}")).exists():
        count += 1
    os.replace(path, aside)
    for ending in ("-wal", "-shm"):
        log = path.with_name(path.name + ending)
        if log.exists():
            os.replace(log, aside.with_name(aside.name + ending))
    return aside


def _rescue(aside: Path, database: sqlite3.Connection) -> tuple[int, int]:
    """Copy each game's unbroken beginning; counts of events saved and lost as far as one sees."""
    entries, unreadable = _read_what_is_left(aside)
    last: dict[int, int] = {}
    lost = unreadable
    for entry in sorted(entries, key=lambda e: (e.game, e.number)):
        if entry.number == last.get(entry.game, -1) + 1:
            _insert(database, entry)
            last[entry.game] = entry.number
        else:
            lost += 1
    return len(entries) + unreadable - lost, lost


def _read_what_is_left(aside: Path) -> tuple[list[Entry], int]:
    """Ask for every row by itself, so that one bad page does not hide the others."""
    entries: list[Entry] = []
    unreadable = 0
    database = sqlite3.connect(aside, timeout=0)
    try:
        (most,) = database.execute("SELECT max(id) FROM events").fetchone()
        # A damaged file may name any number as its last; it cannot hold more rows than bytes.
        for number in range(1, min(most or 0, aside.stat().st_size) + 1):
            try:
                row = database.execute(
                    "SELECT game, number, at, event, checksum FROM events WHERE id = ?", (number,)
                ).fetchone()
                entries.append(_checked(row))
            except (TypeError, *DAMAGE):
                unreadable += 1
    except DAMAGE:
        pass
    finally:
        database.close()
    return entries, unreadable
