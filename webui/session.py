"""The session of an evening: it owns the game, its journal and the camera, and tells everybody."""

import json
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from scorer.events import Event, LayTurn, See, SetSetting, SetStart
from scorer.game import Setting
from scorer.journal import Journal
from scorer.record import Record
from webui.camera import Camera, CameraState
from webui.errors import Refusal
from webui.kept import CAMERA, HOST, Change, KeptGame, Line, line_to_json, load_game, read_lines
from webui.notes import Imported
from webui.view import state_to_json


@dataclass(frozen=True)
class Tap:
    """A tap and the state it was made on; its id makes a repeated one harmless."""

    id: str
    game: int
    number: int


@dataclass(frozen=True)
class Frame:
    """The state as every phone gets it, and the name of this state."""

    id: str
    data: bytes


class Session:
    """One evening. Every change is in the journal before anybody is told of it."""

    def __init__(
        self,
        journal: Journal,
        first_setting: Setting,
        clock: Callable[[], str] = lambda: datetime.now(UTC).isoformat(timespec="milliseconds"),
    ) -> None:
        self.camera: Camera | None = None
        self._journal = journal
        self._clock = clock
        self._told = threading.Condition()
        self._boot = secrets.token_hex(3)
        self._version = 0
        self._frames: dict[str, Frame] = {}
        self._closed = False
        self._put_away: dict[int, KeptGame] = {}
        self._kept = self._newest() or self._open_game([SetSetting(first_setting)], HOST, None)

    @property
    def camera_state(self) -> CameraState:
        """Whether a camera watches."""
        return self.camera.state if self.camera else "none"

    def look(self) -> KeptGame:
        """The game now; it may only be read, and only inside `with session.still()`."""
        return self._kept

    def still(self) -> threading.Condition:
        """Nothing changes while this is held."""
        return self._told

    def change(
        self,
        by: str,
        tap: Tap | None,
        make: Callable[[KeptGame], Iterable[Change]],
    ) -> None:
        """Let a tap's changes happen, once, on the state it was made on, or Refusal."""
        with self._told:
            if tap and tap.id in self._kept.taps:
                return
            self._check_fresh(tap)
            with self._all_or_as_written():
                for change in make(self._kept):
                    self._write(self._kept, change, by, tap)
            self._tell()

    def new_game(
        self, by: str, tap: Tap, make: Callable[[KeptGame], tuple[SetSetting, list[Change]]]
    ) -> None:
        """Put the game away and begin another."""
        with self._told:
            if tap.id in self._kept.taps:
                return
            self._check_fresh(tap)
            setting, rest = make(self._kept)
            with self._all_or_as_written():
                self._kept = self._open_game([setting, *rest], by, tap)
            self._tell()

    def see(self, seen: Sequence[See]) -> None:
        """What the camera settled on, all at once."""
        self.change(CAMERA, None, lambda _: seen)

    def keep_record(self, record: Record, by: str) -> int:
        """Put a game that was played elsewhere into the journal; its number."""
        turns = [LayTurn(number, turn) for number, turn in enumerate(record.turns)]
        events: list[Event] = [SetStart(record.start), *turns]
        with self._told:
            kept = self._open_game([SetSetting(record.setting), Imported(), *events], by, None)
        return kept.game

    def games(self) -> list[KeptGame]:
        """All games of the journal, oldest first; put-away ones are read once."""
        with self._told:
            self._put_away[self._kept.game] = self._kept
            for game in self._journal.games():
                if game not in self._put_away:
                    self._put_away[game] = load_game(self._journal, game)
            return [self._put_away[game] for game in self._journal.games()]

    def lines(self, game: int) -> list[Line]:
        """All that happened in a game, or Refusal if there is none of that number."""
        with self._told:
            if game not in self._journal.games():
                raise Refusal(404, "not-found", f"game {game}")
            return read_lines(self._journal, game)

    def tell(self) -> None:
        """Something changed that is no event: the camera was lost or came back."""
        with self._told:
            self._tell()

    def frame(self, language: str) -> Frame:
        """The state now."""
        with self._told:
            return self._frame(language)

    def wait(self, seen: str | None, language: str, seconds: float) -> Frame | None:
        """The state as soon as it is another than `seen`; None if that takes too long."""
        with self._told:
            self._told.wait_for(lambda: self._closed or self._name() != seen, seconds)
            return None if self._closed or self._name() == seen else self._frame(language)

    @property
    def closed(self) -> bool:
        """Whether the evening is over and streams should end."""
        return self._closed

    def close(self) -> None:
        """End all streams and let others open the journal."""
        with self._told:
            self._closed = True
            self._told.notify_all()
            self._journal.close()

    def _check_fresh(self, tap: Tap | None) -> None:
        if tap and (tap.game, tap.number) != (self._kept.game, self._kept.number):
            raise Refusal(409, "stale", f"the state is number {self._kept.number} now")

    def _newest(self) -> KeptGame | None:
        """The newest game of this table, as the journal has it."""
        own = (load_game(self._journal, game) for game in reversed(self._journal.games()))
        return next((game for game in own if not game.notes.imported), None)

    @contextmanager
    def _all_or_as_written(self) -> Iterator[None]:
        """Whatever goes wrong, what people see is what is on disk."""
        try:
            yield
        except Exception:
            self._kept = self._newest() or self._kept
            raise

    def _open_game(self, changes: list[Change], by: str, tap: Tap | None) -> KeptGame:
        first = changes[0]
        assert isinstance(first, SetSetting)
        kept = KeptGame(self._journal.new_game(), first, self._clock())
        for change in changes:
            self._write(kept, change, by, tap)
        return kept

    def _write(self, kept: KeptGame, change: Change, by: str, tap: Tap | None) -> None:
        """Judge first, so that no unfit event is written; write before anybody is told."""
        line = Line(self._clock(), by, tap.id if tap else None, change)
        data = line_to_json(line, kept)
        kept.push(line)
        self._journal.append(kept.game, data, line.at)

    def _tell(self) -> None:
        self._version += 1
        self._frames.clear()
        self._told.notify_all()

    def _name(self) -> str:
        return f"{self._boot}.{self._version}"

    def _frame(self, language: str) -> Frame:
        if language not in self._frames:
            state = state_to_json(self._kept, self.camera_state, language)
            data = json.dumps({"id": self._name(), **state}, ensure_ascii=False)
            self._frames[language] = Frame(self._name(), data.encode())
        return self._frames[language]
