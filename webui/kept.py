"""A game as its journal keeps it: events and notes, each with its time and who did it."""

from dataclasses import dataclass
from typing import Any

from scorer.event_json import event_to_json, read_event
from scorer.events import Event, SetSetting
from scorer.journal import Entry, Journal
from scorer.live import LiveGame
from scorer.strict import Json
from webui.notes import Imported, Note, Notes, Seats, Standings, is_note, note_to_json, read_note

Change = Event | Note
HOST = "host"
CAMERA = "camera"


@dataclass(frozen=True)
class Line:
    """One line of a journal: when, by whom, and what changed."""

    at: str
    by: str
    tap: str | None
    change: Change


class KeptGame:
    """The state that a game's lines lead to. The first line is its setting."""

    def __init__(self, game: int, first: SetSetting, began: str) -> None:
        self.game = game
        self.began = began
        self.number = 0
        self.live = LiveGame(first.setting)
        self.notes = Notes()
        self.taps: set[str] = set()

    @property
    def over(self) -> bool:
        """Whether it was played to its end."""
        return self.live.timeline.state.next_player is None

    def push(self, line: Line) -> None:
        """Let a line happen; a change that does not fit raises BadInput and changes nothing."""
        change = line.change
        if isinstance(change, Seats | Standings | Imported):
            self.notes = self.notes.with_note(change)
        elif self.number:
            self.live.push(change)
        self.number += 1
        if line.tap:
            self.taps.add(line.tap)


def line_to_json(line: Line, kept: KeptGame) -> dict[str, Any]:
    """A line's event as the journal keeps it."""
    change = line.change
    if isinstance(change, Seats | Standings | Imported):
        data = note_to_json(change)
    else:
        data = event_to_json(change, kept.live.timeline.setting)
    return {"by": line.by, **({"tap": line.tap} if line.tap else {}), **data}


def read_line(entry: Entry, kept: KeptGame | None) -> Line:
    """A line from the journal; the first one is read without a game."""
    data = dict(entry.event)
    by, tap = str(data.pop("by", HOST)), data.pop("tap", None)
    source = Json(data, f"game {entry.game}, event {entry.number}")
    setting = None if kept is None else kept.live.timeline.setting
    change = read_note(source) if is_note(data) and kept else read_event(source, setting)
    return Line(entry.at, by, tap, change)


def read_lines(journal: Journal, game: int) -> list[Line]:
    """All lines of a game."""
    return _read(journal, game)[1]


def load_game(journal: Journal, game: int) -> KeptGame:
    """The game of that number, as it was left."""
    return _read(journal, game)[0]


def _read(journal: Journal, game: int) -> tuple[KeptGame, list[Line]]:
    kept: KeptGame | None = None
    lines = []
    for entry in journal.entries(game):
        line = read_line(entry, kept)
        if kept is None:
            assert isinstance(line.change, SetSetting)
            kept = KeptGame(game, line.change, line.at)
        kept.push(line)
        lines.append(line)
    assert kept is not None
    return kept, lines
