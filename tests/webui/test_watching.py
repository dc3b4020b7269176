"""A camera before the session: whose table it watches, what it tells, whether it is believed."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from calibration.table import save_table
from scorer.events import See, SetSetting
from tests.webui.conftest import House
from vision.cameras import Source
from vision.cameras.simulated import screen
from vision.simulated.evening import Evening, set_evening
from vision.simulated.film import film_game
from vision.simulated.moves import Lay, Move, Wait
from vision.watch import Watcher
from webui.kept import HOST
from webui.layouts import layout_for
from webui.seating import first_setting
from webui.watching import TableFile, seat_for_table, watch

LAID = {"1N2": "red-5", "1S2": "blue-3", "2N2": "face-down"}
FAST = 1000.0  # times real time: far too fast to look at every frame
HANGS = 120.0  # seconds


@pytest.fixture(scope="module")
def evening() -> Evening:
    return set_evening(layout_for(2), seed=3, grade="gentle", size=(1280, 720))


def show(evening: Evening, moves: list[Move], lying: Mapping[str, str]) -> Source:
    return screen(film_game(evening.simulated, moves, seed=3, lying=lying), FAST)


def wait_for(house: House, key: str, wanted: object) -> None:
    """Wait until every phone is told of this state."""
    seen: str | None = None
    while house.host().state()[key] != wanted:
        frame = house.session.wait(seen, "en", HANGS)
        assert frame is not None, f"{key} is still {house.host().state()[key]}"
        seen = frame.id


def test_what_hands_lay_on_the_film_lies_on_the_page(house: House, evening: Evening) -> None:
    lay: list[Move] = [Lay(0, slot, card) for slot, card in LAID.items()]
    source = show(evening, [Wait(0.5), *lay], {})
    watchman = watch(house.session, source, watcher_of(evening))
    # However few frames were looked at, the film ends with these cards in plain view.
    wait_for(house, "cards", LAID)
    phone = house.phone()
    for path in ("/camera.jpg", "/camera/1N2.jpg"):
        assert phone.get(path).data.startswith(b"\xff\xd8")
    assert phone.get("/camera/9N9.jpg").status_code == 404
    wait_for(house, "camera", "ended")
    watchman.close()


def test_a_card_taken_while_the_program_was_down_is_missed(house: House, evening: Evening) -> None:
    for slot, card in {"1N2": "red-5", "1S2": "blue-3", "2N2": "green-4"}.items():
        house.session.see([See(slot, "card", card, True)])
    after = house.restarted()
    left = {"1N2": "red-5", "2N2": "green-4"}
    watchman = watch(after.session, show(evening, [Wait(0.5)], left), watcher_of(evening))
    wait_for(after, "cards", left)
    watchman.close()
    after.session.close()


def test_a_game_that_has_not_begun_is_seated_for_its_table(house: House, evening: Evening) -> None:
    host = house.host()
    house.session.change(HOST, None, lambda _: [SetSetting(first_setting("en", 3))])
    source = screen(film_game(evening.simulated, [Wait(0.5)], seed=3))
    watchman = watch(house.session, source, watcher_of(evening))
    assert host.state()["camera"] == "other-table"
    house.session.see([See("1N2", "card", "red-5", True)])
    assert host.state()["cards"] == {}
    seat_for_table(house.session, evening.table)
    assert len(host.state()["players"]) == 2
    assert host.state()["camera"] != "other-table"
    watchman.close()


def test_a_table_that_is_calibrated_anew_is_noticed(evening: Evening, tmp_path: Path) -> None:
    path = tmp_path / "table"
    save_table(evening.table, path)
    file = TableFile(path)
    assert file.renewed() is None
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert file.renewed() is None
    save_table(evening.table, path)
    path.touch()
    table = file.renewed()
    assert table is not None
    assert table.layout == evening.table.layout
    assert file.renewed() is None


def watcher_of(evening: Evening) -> Watcher:
    return Watcher(evening.table, evening.deck)
