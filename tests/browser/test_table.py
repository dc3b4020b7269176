"""What people do at the table: warnings, corrections, shields, undo, questions."""

import statistics
import time

from playwright.sync_api import expect

from tests.browser.conftest import PHONE, TABLET, TELEVISION, OpenPhone, Served
from tests.webui.playing import tap_game
from tests.webui.test_session import Webcam, seen

START = {
    "1N2": "red-5", "1S2": "blue-3", "2N2": "green-4", "2S2": "white-6",
    "3N2": "yellow-3", "3S2": "purple-4", "4N2": "orange-5", "4S2": "red-6",
}  # fmt: skip


def begin(served: Served) -> None:
    """A game of two whose start cards lie there."""
    host = served.host()
    for slot, card in START.items():
        assert host.tap("lay", slot=slot, card=card, player=0).status_code == 200


def test_a_warning_is_on_every_phone_at_once_and_goes_when_put_right(
    served: Served, open_phone: OpenPhone, host_link: str, seat_link: str
) -> None:
    begin(served)
    television = open_phone(host_link, TELEVISION)
    ann, watcher = open_phone(seat_link), open_phone(seat_link, TABLET, "de-DE")
    ann.sit(0, "Ann")
    ann.lay("1N1", "green-6")
    expect(ann.page.locator(".warning")).to_contain_text("Green 6 in 1N1 matches nothing")
    expect(television.page.locator(".warning")).to_contain_text("Green 6 in 1N1")
    expect(watcher.page.locator(".warning")).to_contain_text("Grün 6 auf 1N1")
    expect(ann.page.locator("#warnings-said")).to_contain_text("Green 6 in 1N1")
    for phone in (ann, television, watcher):
        expect(phone.page.locator("[data-slot='1N1'].mark-wrong")).to_be_attached()
        expect(phone.page.locator("[data-slot='1N2'].mark-proof")).to_be_attached()
    expect(watcher.page.locator("[data-do='accept']")).to_have_count(0)
    ann.do("not-there")
    ann.page.locator("#sheet [data-card='red-4']").click()
    for phone in (ann, television, watcher):
        expect(phone.page.locator(".warning")).to_have_count(0)


def test_a_warning_arrives_within_half_a_second(
    served: Served, open_phone: OpenPhone, seat_link: str
) -> None:
    begin(served)
    phone = open_phone(seat_link)
    delays = []
    wrong = {"1N1": "green-6", "2N1": "red-3", "E": "blue-6"}
    for number, (slot, card) in enumerate(wrong.items()):
        began = time.perf_counter()
        served.session.see([seen(slot, "card", card)])
        phone.page.wait_for_selector(f"[data-slot='{slot}'].mark-wrong", state="attached")
        delays.append(time.perf_counter() - began)
        assert len(served.host().state()["findings"]) == number + 1
    assert statistics.median(delays) < 0.5


def test_a_warning_can_be_left_so(served: Served, open_phone: OpenPhone, host_link: str) -> None:
    begin(served)
    host = open_phone(host_link)
    host.lay("1N1", "green-6")
    host.do("accept")
    expect(host.page.locator(".warning")).to_have_count(0)
    host.go("log")
    expect(host.page.locator(".moment-finding")).to_contain_text("(left so)")


def test_a_wrong_reading_is_corrected(
    served: Served, open_phone: OpenPhone, host_link: str, seat_link: str
) -> None:
    begin(served)
    served.session.camera = Webcam()
    host, ann = open_phone(host_link, TELEVISION), open_phone(seat_link)
    ann.sit(0, "Ann")
    served.session.see([seen("1N1", "covered")])
    expect(ann.page.locator("[data-slot='1N1'] .cover")).to_be_attached()
    served.session.see([seen("1N1", "card", "red-3", False, ("red-4", "orange-3"))])
    expect(ann.page.locator("[data-slot='1N1'] .badge-question")).to_be_attached()
    ann.do("answer")
    offers = ann.page.locator("#sheet .offer")
    assert [offer.get_attribute("data-card") for offer in offers.all()] == [
        "red-3",
        "red-4",
        "orange-3",
    ]
    offers.nth(1).click()
    host.sees("1N1", "red-4")
    expect(host.page.locator(".badge-question")).to_have_count(0)
    served.session.see([seen("1N3", "card", "red-3")])
    host.sees("1N3", "red-3")
    host.tap_slot("1N3")
    host.do("another")
    host.page.locator("#sheet [data-card='blue-5']").click()
    ann.sees("1N3", "blue-5")
    served.session.see([seen("1N3", "card", "red-3")])
    ann.page.wait_for_timeout(200)
    ann.sees("1N3", "blue-5")


def test_shields_are_one_tap_and_show_what_they_take(
    served: Served, open_phone: OpenPhone, host_link: str, seat_link: str
) -> None:
    begin(served)
    host, ann = open_phone(host_link, TELEVISION), open_phone(seat_link)
    ann.sit(0, "Ann")
    ann.lay("1N1", "red-3")
    expect(ann.page.locator("[data-do='shield']")).to_contain_text("Shield on tile 1")
    ann.do("shield")
    stack = host.page.locator(".view-table [data-tile='1']")
    expect(stack.locator(".takes")).to_have_text("6")
    assert "Ann takes 6" in (stack.get_attribute("aria-label") or "")
    host.lay("2N1", "green-3")
    host.do("shield")  # for a seat without a phone
    expect(ann.page.locator(".view-table [data-tile='2'] .takes")).to_have_text("3")
    ann.page.locator(".view-table [data-tile='1']").click()
    expect(ann.page.locator(".stack-list")).to_contain_text("takes 6 points now")


def test_undo_redo_and_an_edited_turn(
    served: Served, open_phone: OpenPhone, host_link: str
) -> None:
    begin(served)
    host = open_phone(host_link, TABLET)
    host.lay("1N1", "red-3")
    host.do("undo")
    host.sees_free("1N1")
    host.do("redo")
    host.sees("1N1", "red-3")
    host.go("log")
    host.do("edit-turn")
    host.do("choose-card")
    host.page.locator("#sheet .picker [data-card='red-4']").click()
    host.page.select_option("#sheet select", "1N3")
    host.do("save-turn")
    host.sees("1N3", "red-4")
    host.sees_free("1N1")
    expect(host.page.locator(".moment-note")).to_contain_text("red 3")


def test_may_i_is_private(
    served: Served, open_phone: OpenPhone, host_link: str, seat_link: str
) -> None:
    begin(served)
    host, ann = open_phone(host_link, TELEVISION), open_phone(seat_link)
    ann.sit(0, "Ann")
    ann.do("may")
    ann.page.locator("#sheet [data-card='green-6']").click()
    expect(ann.page.locator("[data-slot='2N1'].mark-may")).to_be_attached()
    expect(ann.page.locator("[data-slot='1N1'].mark-may")).to_have_count(0)
    assert host.page.locator(".mark-may").count() == 0
    ann.do("may-done")
    ann.do("claim")
    expect(ann.page.locator("[data-verdict]")).to_be_visible()


def test_two_people_at_once_both_get_an_answer(
    served: Served, open_phone: OpenPhone, host_link: str
) -> None:
    begin(served)
    one, other = open_phone(host_link), open_phone(host_link)
    for phone, slot in ((one, "1N1"), (other, "1N3")):
        phone.tap_slot(slot)
        phone.page.wait_for_selector("#sheet .picker")
    pressed = "() => document.querySelector('#sheet [data-card=\"red-3\"]').click()"
    one.page.evaluate(pressed)
    other.page.evaluate(pressed)
    answered = one.page.locator(".toast-bad").or_(one.page.locator("[data-slot='1N1'].filled"))
    expect(answered.first).to_be_attached()
    expect(other.page.locator(".toast-bad, [data-slot='1N3'].filled").first).to_be_attached()
    laid = [slot for slot in ("1N1", "1N3") if slot in served.host().state()["cards"]]
    told = one.page.locator(".toast-bad").count() + other.page.locator(".toast-bad").count()
    assert len(laid) + told == 2


def test_points_can_be_hidden(
    served: Served, open_phone: OpenPhone, host_link: str, seat_link: str
) -> None:
    tap_game(served.host(), turns=5)
    host, phone = open_phone(host_link, TABLET), open_phone(seat_link, PHONE)
    expect(phone.page.locator(".player-points")).to_have_count(2)
    host.go("points")
    host.page.locator(".switch").filter(has=host.page.locator("[data-do='hide']")).click()
    expect(phone.page.locator(".player-points")).to_have_count(0)
    phone.go("points")
    expect(phone.page.locator(".view-points")).to_contain_text("hidden until the end")
