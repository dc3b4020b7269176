"""Whatever is posted gets an answer in the one shape, and never a fault of ours."""

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.webui.conftest import House
from tests.webui.playing import tap_game

KEYS = {
    "lay": ("player", "slot", "card"),
    "shield": ("player", "tile", "turn"),
    "correct": ("slot", "card"),
    "accept": ("turn", "code", "slot"),
    "change-turn": ("turn", "player", "slot", "card", "shields"),
    "insert-turn": ("turn", "player", "slot", "card", "shields"),
    "remove-turn": ("turn",),
    "undo": (),
    "redo": (),
    "begin": (),
    "sit": ("seat", "name", "shields"),
    "stand": ("seat",),
    "arrange": ("players", "rulings"),
    "standings": ("hidden",),
    "new-game": ("move_on",),
}
PLAIN = (0, 1, 2, 3, -1, 99, True, False, None, "1N1", "W", "9X9", "red-3", "face-down", "blue")
ODD: tuple[Any, ...] = (
    "",
    "no-match",
    "\x00",
    "Ann",
    [1],
    [0, 2],
    {},
    {"last-shield": False},
    {"x": 1},
)
LIKELY = st.sampled_from((*PLAIN, *ODD))
PLAYER = st.fixed_dictionaries({"name": LIKELY, "shields": LIKELY, "was": LIKELY})
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda some: st.lists(some, max_size=3) | st.dictionaries(st.text(max_size=4), some),
    max_leaves=5,
)
VALUES = LIKELY | st.lists(PLAYER, max_size=5) | ANYTHING
ANSWERS = {200, 400, 403, 404, 409}


@st.composite
def taps(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    path = draw(st.sampled_from(sorted(KEYS)))
    return path, {key: draw(VALUES) for key in KEYS[path]}


@settings(max_examples=12, suppress_health_check=list(HealthCheck))
@given(st.lists(taps(), min_size=5, max_size=30))
def test_any_taps_are_answered_and_the_journal_can_be_read_again(
    wanted: list[tuple[str, dict[str, Any]]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder))
        host, ann = house.host(), house.phone("Ann")
        tap_game(host, turns=3)
        for number, (path, body) in enumerate(wanted):
            browser = host if number % 2 else ann
            answer = browser.tap(path, **body)
            assert answer.status_code in ANSWERS, (path, body, answer.json)
            if answer.status_code != 200:
                assert set(answer.json["error"]) == {"code", "message", "detail"}
            assert host.get("/api/story").status_code == 200
            assert host.get("/api/history").status_code == 200
        before = host.state()
        after = house.restarted()
        now = after.host().state()
        after.session.close()
        assert {**now, "id": 0} == {**before, "id": 0}
