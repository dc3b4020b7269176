"""Who may do what."""

from pathlib import Path
from typing import Any

import pytest

from tests.webui.conftest import Browser, House
from tests.webui.playing import tap_game
from webui.links import load_links
from webui.roles import Role


def test_every_route_names_the_role_it_needs(house: House) -> None:
    views = {rule.endpoint for rule in house.app.url_map.iter_rules()}
    unnamed = [name for name in views if not hasattr(house.app.view_functions[name], "role")]
    assert unnamed == []


def test_nothing_opens_without_a_link(house: House) -> None:
    stranger = Browser(house.app.test_client())
    for rule in house.app.url_map.iter_rules():
        if vars(house.app.view_functions[rule.endpoint])["role"] is Role.NOBODY:
            continue
        method = "GET" if "GET" in (rule.methods or ()) else "POST"
        path = rule.rule.replace("<int:game>", "1").replace("<path:name>", "main.js")
        answer = stranger.client.open(path, method=method, json={} if method == "POST" else None)
        assert answer.status_code == 403, rule
        assert answer.json is not None
        assert answer.json["error"]["code"] == "no-link"


def test_only_joining_is_for_everybody(house: House) -> None:
    views = house.app.view_functions
    assert [n for n, v in views.items() if vars(v)["role"] is Role.NOBODY] == ["pages.join"]


def test_a_wrong_link_opens_nothing(house: House) -> None:
    stranger = Browser(house.app.test_client())
    assert stranger.get("/join/guessed").status_code == 404
    assert stranger.get("/api/state").status_code == 403


@pytest.mark.parametrize("path", ["arrange", "standings", "new-game", "import"])
def test_a_seat_does_not_run_the_evening(house: House, path: str) -> None:
    answer = house.phone("Ann").tap(path)
    assert answer.status_code == 403
    assert answer.json["error"]["code"] == "host-only"


def test_the_host_stays_host_when_scanning_the_seat_code(house: House) -> None:
    host = house.host()
    host.get(f"/join/{house.links.seat}")
    assert host.tap("standings", hidden=True).status_code == 200


def test_people_tap_for_themselves_and_the_host_for_anybody(house: House) -> None:
    tap_game(house.host(), turns=1)
    ben = house.phone("Ben", seat=1, shields="blue")
    refused = ben.tap("shield", player=0, tile=1, turn=0)
    assert (refused.status_code, refused.json["error"]["code"]) == (403, "not-your-seat")
    refused = ben.tap("lay", player=0, slot="1N1", card="red-3")
    assert refused.json["error"]["code"] == "not-your-seat"
    free = next(
        s for s in house.host().get("/api/board").json["slots"] if s not in ben.state()["cards"]
    )
    assert house.host().tap("lay", player=1, slot=free, card="face-down").status_code == 200


def test_who_watches_changes_nothing(house: House) -> None:
    watcher = house.phone()
    taps: dict[str, dict[str, Any]] = {
        "undo": {},
        "begin": {},
        "correct": {"slot": "1N1", "card": None},
        "lay": {"player": 0, "slot": "1N1", "card": "red-3"},
    }
    for path, body in taps.items():
        answer = watcher.tap(path, **body)
        assert (answer.status_code, answer.json["error"]["code"]) == (403, "no-seat"), path
    assert watcher.state()["number"] == 1


def test_a_seat_belongs_to_the_phone_that_took_it(house: House) -> None:
    house.phone("Ann")
    other = house.phone()
    refused = other.tap("sit", seat=0, name="Eve", shields="red")
    assert (refused.status_code, refused.json["error"]["code"]) == (409, "seat-taken")
    assert house.host().tap("stand", seat=0).status_code == 200
    assert other.tap("sit", seat=0, name="Eve", shields="red").status_code == 200
    assert other.state()["players"][0]["name"] == "Eve"


def test_links_last_and_nobody_else_reads_them(tmp_path: Path) -> None:
    links = load_links(tmp_path)
    assert load_links(tmp_path) == links
    assert (tmp_path / "links.json").stat().st_mode & 0o077 == 0
