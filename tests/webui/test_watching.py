"""A film of the simulated table becomes a game on the page, by the code of a real camera."""

import time
from collections.abc import Callable

import pytest

from scorer.events import See, SetSetting
from tests.webui.conftest import House
from vision.cameras.simulated import screen
from vision.simulated.evening import Evening, set_evening
from vision.simulated.film import film_game
from vision.simulated.moves import Lay, Wait
from vision.watch import Watcher
from webui.kept import HOST
from webui.layouts import layout_for
from webui.seating import first_setting
from webui.watching import seat_for_table, watch

LAID = {"1N2": "red-5", "1S2": "blue-3", "2N2": "face-down"}


@pytest.fixture(scope="module")
def evening() -> Evening:
    return set_evening(layout_for(2), seed=3, grade="gentle", size=(1280, 720))


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_what_hands_lay_on_the_film_lies_on_the_page(house: House, evening: Evening) -> None:
    moves = [Lay(0, slot, card) for slot, card in LAID.items()]
    source = screen(film_game(evening.simulated, [Wait(1.0), *moves, Wait(3.0)], seed=3))
    watchman = watch(house.session, source, Watcher(evening.table, evening.deck))
    phone = house.phone()
    until(lambda: phone.state()["cards"] == LAID)
    for path in ("/camera.jpg", "/camera/1N2.jpg"):
        assert phone.get(path).data.startswith(b"\xff\xd8")
    assert phone.get("/camera/9N9.jpg").status_code == 404
    until(lambda: phone.state()["camera"] == "ended")
    watchman.close()


def test_a_game_that_has_not_begun_is_seated_for_its_table(house: House, evening: Evening) -> None:
    host = house.host()
    house.session.change(HOST, None, lambda _: [SetSetting(first_setting("en", 3))])
    source = screen(film_game(evening.simulated, [Wait(0.5)], seed=3))
    watchman = watch(house.session, source, Watcher(evening.table, evening.deck))
    assert host.state()["camera"] == "other-table"
    house.session.see([See("1N2", "card", "red-5", True)])
    assert host.state()["cards"] == {}
    seat_for_table(house.session, evening.table)
    assert len(host.state()["players"]) == 2
    assert host.state()["camera"] != "other-table"
    watchman.close()
