"""A camera before the session: whose table it watches, and whether it is believed."""

import pytest

from scorer.events import See, SetSetting
from tests.webui.conftest import House
from vision.cameras.simulated import screen
from vision.simulated.evening import Evening, set_evening
from vision.simulated.film import film_game
from vision.simulated.moves import Wait
from vision.watch import Watcher
from webui.kept import HOST
from webui.layouts import layout_for
from webui.seating import first_setting
from webui.watching import seat_for_table, watch


@pytest.fixture(scope="module")
def evening() -> Evening:
    return set_evening(layout_for(2), seed=3, grade="gentle", size=(1280, 720))


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
