"""The simulated table as the session's camera: it plays game after game by itself."""

import contextlib
import threading
import time
from queue import Empty, SimpleQueue

from calibration.errors import BadInput as NoTable
from scorer.errors import BadInput
from scorer.events import PutShield, SetSetting
from scorer.game import Setting
from vision.cameras.simulated import screen
from vision.changes import Change
from vision.simulated.keeping import shield_of
from vision.simulated.moves import Move
from vision.watch import Watcher
from vision.watchman import Watchman
from webui.camera import CameraState
from webui.kept import HOST
from webui.languages import machine_language
from webui.rehearsal import rehearse
from webui.seating import first_setting
from webui.session import Session
from webui.watching import sightings

_LATE = 3.0  # seconds after which a tap goes to the turn that is there
_TICK = 0.2
_PLAYERS = 3


class SimulatedCamera:
    """Plays a game whenever the session has one that has not begun.

    Hands on the film put shields down too; the taps for them are made here.
    """

    def __init__(
        self,
        session: Session,
        seed: int,
        speed: float,
    ) -> None:
        self._session = session
        self._seed = seed
        self._speed = speed
        self._watchman: Watchman | None = None
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._play, name="simulated table", daemon=True)

    def start(self) -> None:
        """Begin to play, on a new game if the last one has cards on the table."""
        if self._new_game() is None:
            setting = first_setting(machine_language(), _PLAYERS)
            self._session.new_game(HOST, None, lambda _: (SetSetting(setting), []))
        self._thread.start()

    @property
    def slots(self) -> frozenset[str]:
        """The slots of the game that is being played."""
        return self._watchman.slots if self._watchman else frozenset()

    @property
    def state(self) -> CameraState:
        """Starting until the table is set."""
        return self._watchman.state if self._watchman else "starting"

    def latest_jpeg(self) -> bytes | None:
        """The table now."""
        return self._watchman.latest_jpeg() if self._watchman else None

    def crop_jpeg(self, slot: str) -> bytes | None:
        """One slot of the latest picture."""
        return self._watchman.crop_jpeg(slot) if self._watchman else None

    def close(self) -> None:
        """Stop playing. A table that is just being set is set first: threads must end in order."""
        self._closed.set()
        if self._watchman:
            self._watchman.close()
        self._thread.join()

    def _play(self) -> None:
        seed = self._seed
        while not self._closed.is_set():
            setting = self._wait_for_new_game()
            if setting is None:
                continue
            # Where calibration refuses the photographs of a simulated table, another is set.
            with contextlib.suppress(NoTable):
                self._play_game(setting, seed)
            seed += 1

    def _wait_for_new_game(self) -> Setting | None:
        while not self._closed.wait(_TICK):
            if (setting := self._new_game()) is not None:
                return setting
        return None

    def _new_game(self) -> Setting | None:
        """The setting of a game on whose table nothing lies yet."""
        with self._session.still():
            timeline = self._session.look().live.timeline
            return None if timeline.start or timeline.turns else timeline.setting

    def _play_game(self, setting: Setting, seed: int) -> None:
        rehearsal = rehearse(setting, seed)
        if self._closed.is_set():
            return
        evening = rehearsal.evening
        done: SimpleQueue[Move] = SimpleQueue()
        source = screen(rehearsal.film, self._speed, done.put)
        game = self._session.look().game
        watcher = Watcher(evening.table, evening.deck)
        if self._watchman:
            self._watchman.close()
        self._watchman = watchman = Watchman(source, watcher, self._see, self._session.tell)
        self._session.tell()
        while not self._closed.is_set() and self._session.look().game == game:
            try:
                shield = shield_of(evening, done.get(timeout=_TICK))
            except Empty:
                if watchman.state == "ended":
                    return
                continue
            if shield is not None:
                self._tap(PutShield(*shield))
        watchman.close()

    def _see(self, changes: tuple[Change, ...]) -> None:
        self._session.see(sightings(changes))

    def _tap(self, shield: PutShield) -> None:
        """Tap when the card has been seen: hands are quicker than eyes."""
        until = time.monotonic() + _LATE
        while self._last_player() != shield.player and time.monotonic() < until:
            self._closed.wait(_TICK)
        with contextlib.suppress(BadInput):
            self._session.change(HOST, None, lambda _: [shield])

    def _last_player(self) -> int | None:
        with self._session.still():
            timeline = self._session.look().live.timeline
            return timeline.turn(timeline.turns - 1).player if timeline.turns else None
