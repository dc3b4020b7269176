"""A game watched in the terminal: a film somebody kept, or the simulated table."""

from collections.abc import Callable, Iterable
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from calibration.deck import load_deck
from calibration.table import load_table
from scorer.commentary import Commentary
from scorer.drawing import draw_score, draw_table
from scorer.errors import BadInput
from scorer.events import PutShield
from scorer.game import Setting
from scorer.live import LiveGame
from scorer.position import position_of
from scorer.report import score_to_json
from scorer.seats import read_taps
from vision.cameras import read_frames
from vision.cameras.simulated import screen
from vision.changes import Change
from vision.simulated.keeping import shield_of
from vision.simulated.moves import Move
from vision.watch import Watcher
from webui.rehearsal import Rehearsal
from webui.watching import sightings

_PATIENCE = 0.5  # seconds to wait for a frame before looking whether the film is over

Say = Callable[[str], None]
Tell = Callable[[dict[str, Any]], None]


def watch_film(
    setting: Setting, table_file: Path, deck_file: Path, film: Path, tell: Tell, complain: Say
) -> LiveGame:
    """Watch every frame of a film, tell all that happens, and give the game it was."""
    game = LiveGame(setting)
    table = load_table(table_file)
    if set(table.layout.slots) != set(game.timeline.rules.layout.slots):
        players = len(setting.players)
        raise BadInput(f"{table_file}: is not a table for {players} players; give as many seats")
    watcher, commentary = Watcher(table, load_deck(deck_file)), Commentary(game)
    beside = film if film.is_dir() else film.parent
    taps = read_taps(beside / "taps.jsonl", len(setting.players))
    name = ""
    for frame in read_frames(film):
        name = frame.name
        _comment(commentary, name, watcher.see(frame.image), tell)
        for shield in taps.get(name, ()):
            commentary.tap(shield)
        for words in commentary.frame_passed():
            complain(words)
    _comment(commentary, name, watcher.finish(), tell)
    for words in commentary.frame_passed(at_end=True):
        complain(words)
    for line in commentary.finish(name):
        tell(line)
    return game


def show_rehearsal(setting: Setting, rehearsal: Rehearsal, speed: float, say: Say) -> None:
    """Play the simulated table's film and say in words what Cairn sees of it."""
    done: SimpleQueue[Move] = SimpleQueue()
    evening = rehearsal.evening
    source = screen(rehearsal.film, speed, done.put)
    game = LiveGame(setting)
    watcher, commentary = Watcher(evening.table, evening.deck), Commentary(game)

    def tell(line: dict[str, Any]) -> None:
        say(commentary.words(line))

    number, name, over = 0, "", False
    while not over:
        frame = source.newest(number, _PATIENCE)
        if frame is not None:
            if number == 0:
                say(source.describe())
            number, name = frame.number, frame.name
            _comment(commentary, name, watcher.see(frame.image), tell)
        elif source.state == "ended":
            over = True
            _comment(commentary, name, watcher.finish(), tell)
        while not done.empty():
            shield = shield_of(evening, done.get())
            if shield is not None:
                commentary.tap(PutShield(*shield))
        for words in commentary.frame_passed(at_end=over):
            say(words)
    source.close()
    timeline = game.timeline
    say(f"\n{draw_table(position_of(timeline.state, setting), timeline.rules.layout)}")
    say(f"\n{draw_score(score_to_json(timeline), 'en')}")


def _comment(commentary: Commentary, frame: str, changes: Iterable[Change], tell: Tell) -> None:
    """Let changes of the table happen in the game, and tell what each of them was."""
    for change in changes:
        if change.kind == "camera-moved":
            lines = commentary.camera_moved(frame, change.shifted_px)
        else:
            lines = commentary.change(frame, change.kind, sightings([change]))
        for line in lines:
            tell(line)
