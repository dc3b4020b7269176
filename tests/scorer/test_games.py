"""Whole games kept as text, replayed line by line.

A file begins with its record's setting; then `start SLOT CARD` lines, then a line a turn (as in
`tables.turn`), each followed by `! CODE SLOT...` for every finding; `= POSITION` lines show the
table at that moment; the last line is `score` with everybody's points.
"""

from pathlib import Path

import pytest

from scorer.findings import Finding
from scorer.game import Setting, Turn
from scorer.games.clans_and_glory.turns import HERE, ClansTurn
from scorer.position import format_position, position_of
from scorer.record import Record
from scorer.timeline import Timeline, judge
from tests.scorer.tables import setting, turn

FILES = sorted(Path(__file__).parent.joinpath("games").glob("*.txt"))


def read_game(text: str) -> Record:
    lines = text.splitlines()
    _, players, *rulings = lines[0].split()
    agreed = setting(int(players), **{name.replace("-", "_"): False for name in rulings})
    start = [line.split()[1:] for line in lines if line.startswith("start ")]
    turns = tuple(turn(line) for line in lines if line[:1].isdigit())
    return Record(agreed, {slot: card for slot, card in start}, turns)  # noqa: C416


def write_game(timeline: Timeline) -> str:
    lines = [write_setting(timeline.setting)]
    lines += [f"start {slot} {card}" for slot, card in timeline.start.items()]
    lines += [write_finding(finding) for finding in timeline.findings(None)]
    for number in range(timeline.turns + 1):
        if number % 8 == 0 or number == timeline.turns:
            state = timeline.state_before(number)
            lines.append(f"= {format_position(position_of(state, timeline.setting))}")
        if number < timeline.turns:
            lines.append(write_turn(timeline.turn(number)))
            lines += [write_finding(finding) for finding in timeline.findings(number)]
    points = [str(player.points) for player in timeline.score().players]
    return "\n".join([*lines, f"score {' '.join(points)}", ""])


def write_setting(agreed: Setting) -> str:
    without = [name for name, ruling in agreed.rulings.items() if not ruling]
    return " ".join([agreed.game, str(len(agreed.players)), *without])


def write_turn(played: Turn) -> str:
    assert isinstance(played, ClansTurn)
    shields = ["*" if tile == HERE else f"*{tile}" for tile in played.shields]
    return " ".join([str(played.player), played.slot, played.card, *shields])


def write_finding(finding: Finding) -> str:
    return " ".join(["!", finding.code, *finding.slots])


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_kept_game_is_judged_as_it_was(file: Path) -> None:
    text = file.read_text("utf-8")
    assert write_game(judge(read_game(text))) == text


def test_there_are_games_of_every_size_right_and_wrong() -> None:
    assert {file.stem for file in FILES} >= {
        f"{kind}-{players}" for kind in ("legal", "faulty") for players in (2, 3, 4)
    }
