"""The one-line text form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.drawing import draw_table
from scorer.errors import BadInput
from scorer.games.clans_and_glory.players import play_game
from scorer.position import format_position, parse_position, position_of
from scorer.timeline import judge
from tests.scorer.tables import game, setting


def test_a_table_in_one_line() -> None:
    timeline = game("0 1N1 red-3 *", "1 2S1 face-down", start="1N2 red-5")
    line = format_position(position_of(timeline.state, timeline.setting))
    assert line == "clans-and-glory 2 1N2=red-5,1N1=red-3,2S1=face-down 1=0 0"


@given(st.integers(0, 2**32), st.integers(2, 4), st.integers(0, 30))
def test_any_table_comes_back(seed: int, players: int, turn: int) -> None:
    timeline = judge(play_game(setting(players), seed, mistakes=0.2))
    state = timeline.state_before(min(turn, timeline.turns))
    position = position_of(state, timeline.setting)
    assert parse_position(format_position(position)) == position


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "got 0 parts instead of 5"),
        ("chess 2 - - 0", "chess: no such game"),
        ("clans-and-glory 9 - - 0", "9: expected 2 to 4 players"),
        ("clans-and-glory ² - - 0", "²: expected 2 to 4 players"),
        ("clans-and-glory 2 - - 2", "2: expected who is next, 0 to 1 or over"),
        ("clans-and-glory 2 1N2 - 0", "1N2: expected NAME=VALUE"),
        ("clans-and-glory 2 1N2=red - 0", "red: expected colour-rank or face-down"),
        ("clans-and-glory 2 1N2=red-5,1N2=red-6 - 0", "1N2 stands twice"),
        ("clans-and-glory 2 - x=0 0", "x: expected a tile's number"),
        ("clans-and-glory 2 - 1=09 0", "09: expected a stack of players"),
    ],
)
def test_what_is_wrong_with_a_line(line: str, words: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_position(line)
    assert words in str(caught.value)


def test_the_table_drawn() -> None:
    timeline = game("0 1N1 red-3 *", "1 2S1 face-down", "0 W red-4 *", start="1N2 red-5")
    drawn = draw_table(position_of(timeline.state, timeline.setting), timeline.rules.layout)
    assert drawn == "\n".join(
        [
            "      tile 1      tile 2      tile 3      tile 4",
            "   +-----------+-----------+-----------+-----------+",
            "   |R3  R5   . | .   .   . | .   .   . | .   .   . |",
            "R4 |    00     |           |           |           | .",
            "   | .   .   . | #   .   . | .   .   . | .   .   . |",
            "   +-----------+-----------+-----------+-----------+",
        ]
    )
