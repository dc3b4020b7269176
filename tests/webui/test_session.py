"""The session: journal first, the camera's word and people's, and going on after a restart."""

import pytest

from scorer.errors import BadInput
from scorer.events import See
from scorer.journal import Journal
from tests.webui.conftest import House
from tests.webui.playing import tap_game
from webui.camera import CameraState


def sighting(
    slot: str,
    state: str,
    card: str | None = None,
    sure: bool = True,
    also: tuple[str, ...] = (),
) -> See:
    """What a camera settles on."""
    return See(slot, state, card, sure, also)


class Webcam:
    """A camera that shows one picture."""

    slots: frozenset[str] = frozenset()
    state: CameraState = "live"

    def latest_jpeg(self) -> bytes:
        return b"whole"

    def crop_jpeg(self, slot: str) -> bytes | None:
        return slot.encode() if slot == "1N1" else None

    def close(self) -> None:
        pass


def test_a_restart_goes_on_where_it_was(house: House) -> None:
    ann = house.phone("Ann")
    tap_game(house.host(), turns=7)
    before = ann.state()
    after = house.restarted()
    again = after.host()
    now = again.state()
    assert now.pop("id") != before.pop("id")
    assert now == before
    # The phone's cookie is still good, and its seat still its own.
    ann.client.application = after.app
    assert ann.get("/api/state").status_code == 200
    assert again.tap("undo").status_code == 200
    after.session.close()


def test_an_event_that_cannot_be_written_is_not_shown(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = house.host()
    host.tap("lay", slot="1N2", card="red-5", player=0)
    before = host.state()

    def fail(*_: object) -> None:
        raise BadInput("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "append", fail)
        answer = host.tap("lay", slot="1N1", card="red-3", player=0)
    assert (answer.status_code, answer.json["error"]["detail"]) == (400, "the disk is full")
    assert host.state() == before
    assert host.tap("lay", slot="1N1", card="red-3", player=0).status_code == 200


def test_nobody_is_told_before_it_is_on_disk(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = []
    append = Journal.append

    def look_first(self: Journal, game: int, event: dict[str, object], at: str) -> object:
        shown.append(house.session.frame("en").id)
        return append(self, game, event, at)

    host = house.host()
    before = host.state()["id"]
    monkeypatch.setattr(Journal, "append", look_first)
    host.tap("lay", slot="1N2", card="red-5", player=0)
    assert shown == [before]
    assert host.state()["id"] != before


def test_the_camera_lays_cards_and_people_overrule_it(house: House) -> None:
    host = house.host()
    tap_game(host, turns=0)
    house.session.camera = Webcam()
    free = next(s for s in host.get("/api/board").json["slots"] if s not in host.state()["cards"])
    house.session.see([sighting(free, "covered")])
    assert host.state()["covered"] == [free]
    unseen = [
        c for c in host.get("/api/board").json["cards"] if c not in host.state()["cards"].values()
    ]
    house.session.see([sighting(free, "card", unseen[0], False, (unseen[1],))])
    state = host.state()
    assert state["questions"] == {free: {"card": unseen[0], "also": [unseen[1]]}}
    assert state["findings"] == []  # nothing is said of a card in question
    state = host.tap("correct", slot=free, card=unseen[1]).json
    assert (state["cards"][free], state["questions"]) == (unseen[1], {})
    house.session.see([sighting(free, "card", unseen[0], False)])
    assert host.state()["cards"][free] == unseen[1]
    lines = host.get("/api/story").json["log"]
    assert [line["by"] for line in lines][-2:] == ["camera", "host"]


def test_a_moved_card_is_a_warning_until_it_is_left_so(house: House) -> None:
    host = house.host()
    record = tap_game(host, turns=0)
    slot, card = next(iter(record.start.items()))
    house.session.see([sighting(slot, "card", card)])
    tap = host.tap("lay", player=0, slot="1N1", card="face-down")
    assert tap.status_code == 200
    house.session.see([sighting(slot, "empty")])
    found = host.state()["findings"]
    assert [(f["code"], f["difference"]) for f in found] == [("card-missing", True)]
    state = host.tap("accept", turn=None, code="card-missing", slot=slot).json
    assert state["findings"] == []


def test_pictures_come_from_the_camera(house: House) -> None:
    phone = house.phone()
    assert phone.state()["camera"] == "none"
    assert phone.get("/camera.jpg").status_code == 404
    house.session.camera = Webcam()
    assert phone.get("/camera.jpg").data == b"whole"
    assert phone.get("/camera/1N1.jpg").data == b"1N1"
    assert phone.get("/camera/2N1.jpg").status_code == 404
    house.session.tell()
    assert phone.state()["camera"] == "live"
