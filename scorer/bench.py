"""Measure the rules: placements judged and games replayed per second, and how cost grows."""

import json
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scorer.event_json import event_to_json, read_event
from scorer.events import Event, LayTurn, SetSetting
from scorer.game import Setting
from scorer.games.clans_and_glory.players import play_game, seat_players
from scorer.games.clans_and_glory.turns import ClansTurn
from scorer.journal import Journal, open_journal
from scorer.live import replay
from scorer.record import format_record
from scorer.strict import Json
from scorer.timeline import judge

GAMES = 60
TURNS = (1, 10, 100, 1_000, 10_000)


@dataclass(frozen=True)
class Growth:
    """What a journal of `turns` turns costs, in seconds."""

    turns: int
    write: float
    read_and_judge: float


def bench_rules(report: Callable[[str], None]) -> dict[str, Any]:
    """All figures of `cairn bench rules`; `report` is told how far it is."""
    settings = [seat_players(2 + number % 3) for number in range(GAMES)]
    report(f"playing {GAMES} games")
    records = [play_game(setting, seed) for seed, setting in enumerate(settings)]
    turns = sum(len(record.turns) for record in records)
    seconds = _seconds(lambda: [judge(record) for record in records])
    texts = [format_record(record) for record in records]
    parsing = _seconds(lambda: [json.loads(text) for text in texts])
    growth = []
    for count in TURNS:
        report(f"a journal of {count} turns")
        growth.append(_measure_journal(count))
    return {
        "placements_per_second": round(turns / seconds),
        "games_per_second": round(len(records) / seconds),
        "judging_to_parsing_its_json": round(seconds / parsing, 1),
        "journal": [
            {
                "turns": g.turns,
                "write_us_per_turn": round(1e6 * g.write / g.turns, 1),
                "read_and_judge_us_per_turn": round(1e6 * g.read_and_judge / g.turns, 1),
            }
            for g in growth
        ],
        "growth_of_cost_per_turn_from_1000_to_10000": round(
            growth[-1].read_and_judge / growth[-2].read_and_judge / 10, 2
        ),
    }


def _measure_journal(turns: int) -> Growth:
    setting = seat_players(4)
    events: list[Event] = [SetSetting(setting)]
    events += [LayTurn(number, _any_turn(number)) for number in range(turns)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite"
        with open_journal(path) as journal:
            rows = [event_to_json(event, setting) for event in events]
            write = _seconds(lambda: [journal.append(1, row, "") for row in rows])
        with open_journal(path) as journal:
            read_and_judge = _seconds(lambda: _load(journal, setting))
    return Growth(turns, write, read_and_judge)


def _any_turn(number: int) -> ClansTurn:
    """Turns that go on for ever: cards over one another, judged like any other."""
    return ClansTurn(number % 4, f"{1 + number % 6}N{1 + number % 3}", f"red-{3 + number % 6}")


def _load(journal: Journal, setting: Setting) -> None:
    entries = journal.entries(1)
    replay([read_event(Json(entry.event, "journal"), setting) for entry in entries])


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
