"""Put a camera before the session: what it settles on becomes events of the game."""

from collections.abc import Callable, Iterable
from pathlib import Path

from calibration.deck import load_deck
from calibration.errors import BadInput as NoTable
from calibration.table import Table, load_table
from scorer.errors import BadInput
from scorer.events import See, SetSetting
from scorer.games import find_game, rules_of
from vision.cameras import Source, open_source
from vision.changes import Change
from vision.watch import Watcher
from vision.watchman import Watchman
from webui.kept import HOST
from webui.languages import machine_language
from webui.seating import first_setting
from webui.session import Session


def open_camera(session: Session, camera: str, table: Path | None, deck: Path | None) -> None:
    """Let a camera watch; without a calibrated table and a taught deck it only shows pictures."""
    if table is None or deck is None:
        watch(session, open_source(camera), None)
        return
    file = TableFile(table)
    known = load_table(table)
    seat_for_table(session, known)
    watch(session, open_source(camera), Watcher(known, load_deck(deck)), file.renewed)


def watch(
    session: Session,
    source: Source,
    watcher: Watcher | None,
    renewed: Callable[[], Table | None] = lambda: None,
) -> Watchman:
    """Give the session a watchman, who tells it all that settles."""
    see, tell = (lambda changes: session.see(sightings(changes))), session.tell
    watchman = Watchman(source, watcher, see, tell, renewed)
    session.camera = watchman
    session.tell()
    return watchman


class TableFile:
    """A table file that may be calibrated anew while the game goes on."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known = self._written()

    def renewed(self) -> Table | None:
        """The table, if the file was written anew and is complete."""
        written = self._written()
        if written in (None, self._known):
            return None
        try:
            table = load_table(self._path)
        except NoTable:
            # Half of it is there; the rest will be with one of the next frames.
            return None
        self._known = written
        return table

    def _written(self) -> tuple[int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size


def sightings(changes: Iterable[Change]) -> list[See]:
    """What changes say of slots, emptied ones first."""
    return [
        See(slot, reading.state, reading.card, reading.sure, reading.also)
        for change in changes
        for slot, reading in change.readings()
    ]


def seat_for_table(session: Session, table: Table) -> None:
    """A game that has not begun gets as many players as the table has slots for."""
    slots = set(table.layout.slots)
    with session.still():
        live = session.look().live
        setting, begun = live.timeline.setting, live.timeline.turns or live.timeline.start
    if begun or set(rules_of(setting).layout.slots) == slots:
        return
    settings = (first_setting(machine_language(), n) for n in find_game(setting.game).players)
    wanted = [own for own in settings if set(rules_of(own).layout.slots) == slots]
    if not wanted:
        raise BadInput(
            f"table: its {len(slots)} slots are those of no number of players of {setting.game}; "
            "calibrate it with --players"
        )
    session.change(HOST, None, lambda _: [SetSetting(wanted[0])])
