"""A game as its events unfold: push, undo, redo, and change the past; all after it is re-judged."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from scorer.errors import BadInput
from scorer.events import (
    Accept,
    ChangeTurn,
    LayTurn,
    RecordEvent,
    Redo,
    RemoveTurn,
    SetSetting,
    SetStart,
    Undo,
)
from scorer.findings import Finding
from scorer.game import Rules, Score, Setting, State, Turn
from scorer.games import find_game, rules_of
from scorer.record import Record

NO_CARDS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Row:
    """One line of a game: its setting, its start cards or a turn; and what was accepted of it."""

    content: Setting | Mapping[str, str] | Turn
    accepted: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Edit:
    """Rows replaced by others; read backwards it undoes itself."""

    at: int
    removed: tuple[Row, ...]
    inserted: tuple[Row, ...]

    def backwards(self) -> "Edit":
        return Edit(self.at, self.inserted, self.removed)


class Timeline:
    """The state of one game, computed from its events.

    Row 0 is the setting, row 1 the start cards, row 2 + k turn k. Only rows from the first
    changed one on are judged again, so a game that only grows costs the same for every turn.
    """

    def __init__(
        self, setting: Setting, start: Mapping[str, str] = NO_CARDS, turns: tuple[Turn, ...] = ()
    ) -> None:
        self._rows = [Row(setting), Row(start), *(Row(turn) for turn in turns)]
        self._done: list[Edit] = []
        self._undone: list[Edit] = []
        self._rules: Rules[Any, Any] = rules_of(setting)
        self._states: list[State] = []
        self._found: list[tuple[Finding, ...]] = []
        self._judge_from(0)

    @property
    def setting(self) -> Setting:
        """Who plays what, by which rulings."""
        setting = self._rows[0].content
        assert isinstance(setting, Setting)
        return setting

    @property
    def record(self) -> Record:
        """The game so far as a record."""
        turns = tuple(row.content for row in self._rows[2:] if isinstance(row.content, Turn))
        return Record(self.setting, self.start, turns)

    @property
    def start(self) -> Mapping[str, str]:
        """The start cards."""
        start = self._rows[1].content
        assert isinstance(start, Mapping)
        return start

    @property
    def turns(self) -> int:
        """How many turns there are."""
        return len(self._rows) - 2

    @property
    def state(self) -> State:
        """The table now."""
        return self._states[-1]

    @property
    def rules(self) -> Rules[Any, Any]:
        """The rules this game is judged by."""
        return self._rules

    @property
    def can_undo(self) -> bool:
        """Whether there is an event to take back."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether something was taken back and nothing happened since."""
        return bool(self._undone)

    def turn(self, number: int) -> Turn:
        """Turn `number`, counted from 0."""
        turn = self._rows[self._row_of(number)].content
        assert isinstance(turn, Turn)
        return turn

    def state_before(self, turn: int) -> State:
        """The table before that turn; `turns` gives the table now."""
        if not 0 <= turn <= self.turns:
            raise BadInput(f"turn {turn}: expected a turn from 0 to {self.turns}")
        return self._states[turn]

    def findings(self, turn: int | None) -> tuple[Finding, ...]:
        """All that is wrong with a turn, or with the start cards (None)."""
        return self._found[0 if turn is None else self._row_of(turn) - 1]

    def score(self) -> Score:
        """Who has what if the game ended now."""
        return self._rules.score(self.state)

    def all_findings(self) -> tuple[Finding, ...]:
        """All that is wrong, accepted or not."""
        return tuple(finding for found in self._found for finding in found)

    def is_accepted(self, finding: Finding) -> bool:
        """Whether the table left this finding as it is."""
        row = 1 if finding.turn is None else 2 + finding.turn
        return finding.code in self._rows[row].accepted

    def push(self, event: RecordEvent) -> None:
        """Let an event happen; one that does not fit raises BadInput and changes nothing."""
        match event:
            case Undo():
                if not self._done:
                    raise BadInput("undo: there is nothing to take back")
                edit = self._done.pop()
                self._apply(edit.backwards())
                self._undone.append(edit)
            case Redo():
                if not self._undone:
                    raise BadInput("redo: nothing was taken back")
                edit = self._undone.pop()
                self._apply(edit)
                self._done.append(edit)
            case _:
                edit = self._edit_for(event)
                self._apply(edit)
                self._done.append(edit)
                self._undone.clear()

    def _edit_for(
        self, event: SetSetting | SetStart | LayTurn | ChangeTurn | RemoveTurn | Accept
    ) -> Edit:
        match event:
            case SetSetting(setting):
                self._check_setting(setting)
                return self._replace(0, Row(setting))
            case SetStart(cards):
                return self._replace(1, Row(MappingProxyType(dict(cards))))
            case LayTurn(at, turn):
                if not 0 <= at <= self.turns:
                    raise BadInput(f"turn {at}: expected a turn from 0 to {self.turns}")
                self._check_player(turn)
                return Edit(2 + at, (), (Row(turn),))
            case ChangeTurn(at, turn):
                self._check_player(turn)
                return self._replace(self._row_of(at), Row(turn))
            case RemoveTurn(at):
                row = self._row_of(at)
                return Edit(row, (self._rows[row],), ())
            case Accept(at, code):
                if code not in [finding.code for finding in self.findings(at)]:
                    raise BadInput(f"accept: {code} is no finding of that turn")
                row = 1 if at is None else self._row_of(at)
                old = self._rows[row]
                return self._replace(row, Row(old.content, old.accepted | {code}))

    def _replace(self, at: int, row: Row) -> Edit:
        return Edit(at, (self._rows[at],), (row,))

    def _apply(self, edit: Edit) -> None:
        self._rows[edit.at : edit.at + len(edit.removed)] = edit.inserted
        self._judge_from(edit.at)

    def _judge_from(self, row: int) -> None:
        if row == 0:
            self._rules = rules_of(self.setting)
        if row <= 1:
            state, found = self._rules.begin(self.start)
            self._states, self._found = [state], [found]
        del self._states[max(row - 1, 1) :]
        del self._found[max(row - 1, 1) :]
        for later in self._rows[max(row, 2) :]:
            state, found = self._rules.play(self._states[-1], later.content)
            self._states.append(state)
            self._found.append(found)

    def _row_of(self, turn: int) -> int:
        if not 0 <= turn < self.turns:
            there = f"there are turns 0 to {self.turns - 1}" if self.turns else "there is none yet"
            raise BadInput(f"turn {turn}: {there}")
        return 2 + turn

    def _check_player(self, turn: Turn) -> None:
        if not 0 <= turn.player < len(self.setting.players):
            raise BadInput(f"player {turn.player}: there are {len(self.setting.players)} players")

    def _check_setting(self, setting: Setting) -> None:
        if setting.game != self.setting.game:
            raise BadInput(f"game {setting.game}: this is a game of {self.setting.game}")
        if len(setting.players) != len(self.setting.players) and self.turns:
            raise BadInput("players: their number cannot change once a turn was played")
        allowed = find_game(setting.game).players
        if len(setting.players) not in allowed:
            raise BadInput(f"players: expected {allowed[0]} to {allowed[-1]}")


def judge(record: Record) -> Timeline:
    """The game of a record, played through from its start cards."""
    return Timeline(record.setting, record.start, record.turns)
