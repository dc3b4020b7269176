"""Every size, three languages, light and dark: readable, reachable, and checked with axe."""

from collections.abc import Callable
from importlib.resources import files

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, TABLET, TELEVISION, OpenPhone, Phone, Served
from tests.webui.playing import tap_game

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
VIEWS = ("table", "points", "log", "history", "more")
SIZES = pytest.mark.parametrize("size", [PHONE, TABLET, TELEVISION], ids=["phone", "tablet", "tv"])


def faults(page: Page) -> list[str]:
    """What axe finds wrong, a line each."""
    page.evaluate(AXE)
    found = page.evaluate(
        "async () => (await axe.run(document, {resultTypes: ['violations']})).violations"
        ".flatMap(v => v.nodes.map(n => `${v.id}: ${n.target} ${n.failureSummary}`))"
    )
    return [str(line) for line in found]


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, TELEVISION], ids=["phone", "tv"])
def test_axe_finds_nothing(
    served: Served, open_phone: OpenPhone, host_link: str, size: tuple[int, int], colours: str
) -> None:
    tap_game(served.host(), seed=4, mistakes=0.5)
    phone = open_phone(host_link, size, colours=colours)
    phone.page.wait_for_selector(".warning")
    for view in VIEWS:
        phone.go(view)
        phone.page.wait_for_selector(f".view-{view} > :not(.hint)")
        assert faults(phone.page) == [], view
    phone.go("points")
    phone.do("all")
    assert faults(phone.page) == []


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_axe_finds_nothing_in_sheets(
    served: Served, open_phone: OpenPhone, seat_link: str, colours: str
) -> None:
    phone = open_phone(seat_link, colours=colours)
    assert faults(phone.page) == []
    phone.page.locator("[data-do='sit']").first.click()
    assert faults(phone.page) == []
    phone.page.fill("#seat-name", "Ann")
    phone.do("save-seat")
    expect(phone.page.locator(".player.me")).to_contain_text("Ann")
    tap_game(served.host(), turns=3)
    phone.page.wait_for_selector("[data-do='may']")
    gestures: tuple[Callable[[], None], ...] = (
        lambda: phone.page.locator(".slot.free").first.click(),
        lambda: phone.page.locator(".slot.filled").first.click(),
        lambda: phone.page.locator(".stack").first.click(),
        lambda: phone.do("may"),
        lambda: phone.do("claim"),
    )
    for open_it in gestures:
        open_it()
        phone.page.wait_for_selector("#sheet[open] .sheet-body > *")
        assert faults(phone.page) == []
        phone.page.keyboard.press("Escape")


@SIZES
def test_the_page_fits_and_fingers_can_hit_it(
    served: Served, open_phone: OpenPhone, host_link: str, size: tuple[int, int]
) -> None:
    host = served.host()
    names = [("Ann", "red"), ("Ben", "blue"), ("Cleo", "green"), ("Dora", "yellow")]
    seats = [{"name": name, "shields": colour, "was": None} for name, colour in names]
    host.tap("arrange", players=seats, rulings={})
    phone = open_phone(host_link, size)
    for view in VIEWS:
        phone.go(view)
        wide = phone.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= size[0], view
        small = phone.page.evaluate(
            "() => [...document.querySelectorAll("
            "'button, a.button, summary, .switch, select, [role=button]')]"
            ".map(node => [node.getAttribute('class'), node.getBoundingClientRect()])"
            ".filter(([, box]) => box.width && (box.width < 43.9 || box.height < 43.9))"
            ".map(([name, box]) => `${name} ${box.width} ${box.height}`)"
        )
        assert small == [], view


@pytest.mark.parametrize(
    ("language", "headline", "warning", "tab"),
    [
        ("en-GB", "Your turn", "touches no face-up card", "Points"),
        ("de-DE", "Du bist am Zug", "berührt keine offene Karte", "Punkte"),
        ("fr-FR", "À vous de jouer", "ne touche aucune carte visible", "Points"),
    ],
)
def test_three_languages(
    served: Served,
    open_phone: OpenPhone,
    seat_link: str,
    language: str,
    headline: str,
    warning: str,
    tab: str,
) -> None:
    phone = open_phone(seat_link, language=language)
    phone.sit(0, "Ann")
    tap_game(served.host(), turns=1)
    served.host().tap("lay", player=1, slot="W", card="blue-6")
    expect(phone.page.locator(".headline")).to_have_text(headline)
    expect(phone.page.locator(".warning").first).to_contain_text(warning)
    expect(phone.page.locator("[data-view='points']")).to_have_text(tab)
    assert "{" not in phone.page.inner_text("body")


def test_the_language_can_be_switched_and_is_kept(open_phone: OpenPhone, seat_link: str) -> None:
    phone = open_phone(seat_link)
    phone.go("more")
    phone.page.locator("[data-value='fr']").click()
    expect(phone.page.locator("[data-view='table']")).to_have_text("Table")
    expect(phone.page.locator("[data-view='more']")).to_have_text("Plus")
    phone.page.reload()
    expect(phone.page.locator("[data-view='more']")).to_have_text("Plus")
    assert phone.page.evaluate("document.documentElement.lang") == "fr"


def test_the_back_button_and_a_reload_keep_the_view(open_phone: OpenPhone, seat_link: str) -> None:
    phone = open_phone(seat_link)
    phone.go("points")
    phone.go("log")
    phone.page.go_back()
    expect(phone.page.locator(".view-points")).to_be_visible()
    phone.page.reload()
    expect(phone.page.locator(".view-points")).to_be_visible()


def test_dark_can_be_chosen(open_phone: OpenPhone, seat_link: str) -> None:
    phone = open_phone(seat_link)
    ground = "getComputedStyle(document.body).backgroundColor"
    light = phone.page.evaluate(ground)
    phone.go("more")
    phone.page.locator("[data-value='dark']").click()
    assert phone.page.evaluate(ground) != light


def test_a_card_is_laid_with_the_keyboard_alone(
    served: Served, open_phone: OpenPhone, host_link: str
) -> None:
    host: Phone = open_phone(host_link, TELEVISION)
    page = host.page
    page.locator("[data-slot='W']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    focused = page.evaluate("document.activeElement.dataset.slot")
    page.keyboard.press("Enter")
    page.wait_for_selector("#sheet[open]")
    page.locator("#sheet [data-card='red-5']").focus()
    page.keyboard.press("Enter")
    host.sees(focused, "red-5")
    assert served.host().state()["cards"] == {focused: "red-5"}
