"""Taps: a whole game, two people at once, and nothing doubled or lost."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from scorer.games.clans_and_glory.players import play_game
from scorer.record import read_record
from scorer.strict import parse_json
from scorer.timeline import judge
from tests.scorer.tables import setting
from tests.webui.conftest import House
from tests.webui.playing import lay_start, tap_game


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_tapped_game_is_the_game_that_was_played(house: House, seed: int) -> None:
    host = house.host()
    played = tap_game(host, seed, mistakes=0.1)
    state = host.state()
    assert state["phase"] == "over"
    kept = read_record(parse_json(host.get("/api/record/1.json").data, "record"))
    assert judge(kept).score() == judge(played).score()
    assert [f["code"] for f in state["findings"]] == [f.code for f in judge(played).all_findings()]


def test_a_tap_on_an_old_state_is_refused_and_changes_nothing(house: House) -> None:
    host = house.host()
    old = host.state()
    assert host.tap("lay", old, slot="1N2", card="red-5", player=0).status_code == 200
    answer = host.tap("lay", old, slot="1N1", card="red-3", player=0)
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "stale")
    assert list(host.state()["cards"]) == ["1N2"]


def test_a_tap_that_is_sent_again_is_done_once(house: House) -> None:
    host = house.host()
    on = host.state()
    body = {"slot": "1N2", "card": "red-5", "player": 0}
    first = host.tap("lay", on, tap="same", **body).json
    again = host.tap("lay", on, tap="same", **body)
    assert again.status_code == 200
    assert again.json["number"] == first["number"]


def test_a_tap_that_is_sent_again_after_a_restart_is_done_once(house: House) -> None:
    on = house.host().state()
    house.host().tap("lay", on, tap="same", slot="1N2", card="red-5", player=0)
    after = house.restarted()
    answer = after.host().tap("lay", on, tap="same", slot="1N2", card="red-5", player=0)
    assert (answer.status_code, answer.json["number"]) == (200, 2)
    after.session.close()


def test_of_many_taps_at_once_one_is_done_and_all_are_answered(house: House) -> None:
    hosts = [house.host() for _ in range(8)]
    on = hosts[0].state()
    with ThreadPoolExecutor(8) as pool:
        answers = list(
            pool.map(lambda h: h.tap("lay", on, slot="1N2", card="red-5", player=0), hosts)
        )
    codes = sorted(answer.status_code for answer in answers)
    assert codes == [200] + [409] * 7
    assert hosts[0].state()["number"] == on["number"] + 1


def test_shields_warnings_and_leaving_it_so(house: House) -> None:
    host = house.host()
    tap_game(host, seed=4, turns=0)
    board = host.get("/api/board").json
    taken = host.state()["cards"]
    free = [s for s in board["slots"] if s not in taken]
    unfit = next(
        (slot, card)
        for slot in free
        for card in board["cards"]
        if card not in taken.values() and slot not in fitting(house, card)
    )
    state = host.tap("lay", player=0, slot=unfit[0], card=unfit[1]).json
    assert [f["code"] for f in state["findings"]] in (["no-match"], ["isolated"])
    assert state["findings"][0]["slots"][0] == unfit[0]
    state = host.tap("shield", player=0, tile=state["last"]["tile"], turn=0).json
    assert [m["player"] for m in state["stacks"][str(state["last"]["tile"])]] == [0]
    code = state["findings"][0]["code"]
    state = host.tap("accept", turn=0, code=code, slot=None).json
    assert state["findings"] == []
    log = host.get("/api/story").json["log"]
    assert log[-1]["effect"] == "accepted"
    assert log[-1]["accepted"].endswith(".")


def fitting(house: House, card: str) -> list[str]:
    slots: list[str] = house.host().get(f"/api/may-i?card={card}").json["slots"]
    return slots


def test_correcting_undoing_and_editing_the_past(house: House) -> None:
    host = house.host()
    tap_game(host, turns=4)
    before = host.state()
    slot = next(s for s, laid in before["laid"].items() if laid["turn"] == 1)
    other = next(
        c for c in host.get("/api/board").json["cards"] if c not in before["cards"].values()
    )
    assert host.tap("correct", slot=slot, card=other).json["cards"][slot] == other
    assert host.tap("undo").json["cards"] == before["cards"]
    assert host.tap("redo").json["cards"][slot] == other
    assert slot not in host.tap("correct", slot=slot, card=None).json["cards"]
    state = host.tap("insert-turn", turn=1, player=1, slot=slot, card=other, shields=[]).json
    assert state["laid"][slot]["turn"] == 1
    state = host.tap("change-turn", turn=1, player=0, slot=slot, card="face-down", shields=[2]).json
    assert state["cards"][slot] == "face-down"
    assert {f["code"] for f in state["findings"]} >= {"not-your-turn"}
    assert slot not in host.tap("remove-turn", turn=1).json["cards"]


def test_asking_in_private_changes_nothing(house: House) -> None:
    ann = house.phone("Ann")
    lay_start(house.host(), play_game(setting(2), 1))
    number = ann.state()["number"]
    slots = ann.get("/api/may-i?card=red-3").json["slots"]
    assert all("red-3" in ann.get(f"/api/fitting/{slot}").json["cards"] for slot in slots)
    assert ann.get("/api/claim?player=0").json["verdict"] == "impossible"
    assert ann.get("/api/claim?player=7").status_code == 400
    assert ann.get("/api/may-i?card=nonsense").status_code == 400
    assert ann.state()["number"] == number


def test_seats_can_be_added_named_and_moved(house: House) -> None:
    ann = house.phone("Ann", seat=0, shields="red")
    cleo = house.phone("Cleo", seat=2, shields="green")
    state = cleo.state()
    assert [p["name"] for p in state["players"]] == ["Ann", "Seat 2", "Cleo"]
    refused = ann.tap("sit", seat=0, name="Ann", shields="green")
    assert (refused.status_code, refused.json["error"]["code"]) == (400, "does-not-fit")
    order = [{**state["players"][was], "was": was} for was in (2, 0, 1)]
    state = house.host().tap("arrange", players=order, rulings={"last-shield": False}).json
    assert [p["name"] for p in state["players"]] == ["Cleo", "Ann", "Seat 2"]
    assert [device is not None for device in state["seats"]] == [True, True, False]
    assert state["rulings"]["last-shield"] is False
    assert ann.tap("stand", seat=1).json["seats"][1] is None


def test_playing_again_moves_seats_on_by_one(house: House) -> None:
    ann, host = house.phone("Ann"), house.host()
    house.phone("Ben", seat=1, shields="blue")
    host.tap("standings", hidden=True)
    tap_game(host)
    on = host.state()
    assert on["standings"] is not None  # the game is over
    state = host.tap("new-game", on, tap="again", move_on=True).json
    assert (state["game"], state["phase"]) == (2, "set-up")
    assert [p["name"] for p in state["players"]] == ["Ben", "Ann"]
    assert state["seats"] == [on["seats"][1], on["seats"][0]]
    assert state["standings"] is None  # still hidden
    assert host.tap("new-game", on, tap="again", move_on=True).json["game"] == 2
    assert ann.tap("begin").status_code == 200
