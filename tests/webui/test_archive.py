"""The log, the history, and records that come and go."""

import csv
import io
import json

from scorer.games.clans_and_glory.players import play_game
from scorer.record import format_record, record_to_json
from scorer.timeline import judge
from tests.scorer.tables import setting
from tests.webui.conftest import Browser, House
from tests.webui.playing import tap_game


def send(host: Browser, text: str) -> object:
    return host.client.post("/api/import", data=text, content_type="application/json")


def test_the_story_has_the_table_after_every_turn(house: House) -> None:
    host = house.host()
    played = tap_game(host, seed=5, mistakes=0.2)
    story = host.get("/api/story").json
    timeline = judge(played)
    assert len(story["moments"]) == len(played.turns) + 1
    for number, moment in enumerate(story["moments"]):
        state = timeline.state_before(number)
        assert moment["cards"] == dict(state.cards)
        score = timeline.rules.score(state)
        assert moment["points"] == [p.points for p in score.players]
    assert story["over"]
    laid = [line for line in story["log"] if line["effect"] == "laid"]
    assert [line["turn"] for line in laid] == list(range(len(played.turns)))
    assert [moment["at"] for moment in story["moments"][1:]] == [line["at"] for line in laid]


def test_a_corrected_turn_keeps_its_time_and_says_what_it_was(house: House) -> None:
    host = house.host()
    tap_game(host, turns=3)
    times = [moment["at"] for moment in host.get("/api/story").json["moments"]]
    slot = host.get("/api/story").json["moments"][2]["turn"]["slot"]
    host.tap("correct", slot=slot, card="face-down")
    story = host.get("/api/story").json
    assert [moment["at"] for moment in story["moments"]] == times
    line = story["log"][-1]
    assert (line["effect"], line["turn"], line["now"]["card"]) == ("changed", 1, "face-down")
    host.tap("undo")
    assert host.get("/api/story").json["log"][-1]["undo"] is True
    host.tap("correct", slot=slot, card=None)
    assert host.get("/api/story").json["log"][-1]["effect"] == "removed"


def test_hidden_points_are_hidden_in_the_story_too(house: House) -> None:
    host = house.host()
    host.tap("standings", hidden=True)
    tap_game(host, turns=3)
    assert host.state()["standings"] is None
    assert {moment["points"] for moment in host.get("/api/story").json["moments"]} == {None}


def test_history_counts_games_wins_and_points(house: House) -> None:
    host = house.host()
    house.phone("Ann")
    house.phone("Ben", seat=1, shields="blue")
    for seed in (1, 2):
        tap_game(host, seed)
        host.tap("new-game", move_on=False)
    tap_game(host, 3, turns=2)
    history = host.get("/api/history").json
    assert [game["over"] for game in history["games"]] == [False, True, True]
    people = {person["name"]: person for person in history["players"]}
    assert {name: person["games"] for name, person in people.items()} == {"Ann": 2, "Ben": 2}
    assert sum(person["wins"] for person in people.values()) >= 2
    points = [
        row["points"]
        for game in history["games"][1:]
        for row in game["players"]
        if row["name"] == "Ann"
    ]
    assert people["Ann"]["average"] == round(sum(points) / 2, 1)
    assert people["Ann"]["best"] == max(points)


def test_records_go_out_and_come_in_unchanged(house: House) -> None:
    host = house.host()
    record = play_game(setting(3), 7)
    answer = send(host, format_record(record))
    assert answer.json == {"games": [2]}  # type: ignore[attr-defined]
    exported = json.loads(host.get("/api/records.json").data)
    assert exported == [record_to_json(record)]
    assert send(host, json.dumps(exported)).json == {"games": [3]}  # type: ignore[attr-defined]
    story = host.get("/api/story/2").json
    assert (story["imported"], story["over"]) == (True, True)
    assert host.state()["game"] == 1  # the evening's own game goes on
    assert house.host().get("/api/story/99").status_code == 404
    after = house.restarted()
    assert after.host().state()["game"] == 1
    after.session.close()


def test_one_bad_record_of_a_list_keeps_all_out(house: House) -> None:
    host = house.host()
    good = record_to_json(play_game(setting(2), 1))
    answer = send(host, json.dumps([good, {**good, "game": "chess"}]))
    assert answer.status_code == 400  # type: ignore[attr-defined]
    assert "record: [1].game" in answer.json["error"]["detail"]  # type: ignore[attr-defined]
    assert host.get("/api/history").json["games"] == []
    assert send(host, json.dumps({**good, "turns": good["turns"] * 20})).status_code == 400  # type: ignore[attr-defined]


def test_results_open_in_a_spreadsheet_without_formulas(house: House) -> None:
    host = house.host()
    house.phone("=cmd", seat=0)
    house.phone('Ben "B", jr', seat=1, shields="blue")
    tap_game(host)
    rows = list(csv.DictReader(io.StringIO(host.get("/api/results.csv").text)))
    assert sorted(row["name"] for row in rows) == ["'=cmd", 'Ben "B", jr']
    assert {row["place"] for row in rows} <= {"1", "2"}
