"""Put a camera before the session: what it settles on becomes events of the game."""

from collections.abc import Iterable
from pathlib import Path

from calibration.deck import load_deck
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
    watcher = None
    if table is not None and deck is not None:
        known = load_table(table)
        seat_for_table(session, known)
        watcher = Watcher(known, load_deck(deck))
    watch(session, open_source(camera), watcher)


def watch(session: Session, source: Source, watcher: Watcher | None) -> Watchman:
    """Give the session a watchman, who tells it all that settles."""
    watchman = Watchman(source, watcher, lambda c: session.see(sightings(c)), session.tell)
    session.camera = watchman
    session.tell()
    return watchman


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
