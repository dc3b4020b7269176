"""A real browser, a real server, and phones that hold a link."""

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.finding import SKIP, NoBrowser, open_browser
from tests.webui.conftest import House
from webui.serving import Server

PHONE = (360, 740)
TABLET = (768, 1024)
TELEVISION = (1920, 1080)
PATIENCE = 10_000


class Served(House):
    """A house that answers at an address."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.server = Server(self.session, self.links, "127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{self.server.port}"
        self.thread = threading.Thread(target=self.server.run)
        self.thread.start()

    def close(self) -> None:
        self.server.stop()
        self.thread.join(10)


class Phone:
    """A page in a browser of its own, with the gestures of a person."""

    def __init__(self, page: Page, complaints: list[str]) -> None:
        self.page = page
        self.complaints = complaints

    def do(self, what: str) -> None:
        """Press the button of that name."""
        self.page.locator(f"[data-do='{what}']").first.click()

    def go(self, view: str) -> None:
        self.page.locator(f"[data-view='{view}']").click()

    def tap_slot(self, slot: str) -> None:
        self.page.locator(f".view-table .table [data-slot='{slot}']").click()

    def lay(self, slot: str, card: str) -> None:
        """Tap a free slot and choose a card."""
        self.tap_slot(slot)
        self.page.locator(f"#sheet [data-card='{card}']").click()
        self.sees(slot, card)

    def sees(self, slot: str, card: str) -> None:
        filled = self.page.locator(f".table [data-slot='{slot}'][data-card='{card}']")
        expect(filled).to_be_attached()

    def sees_free(self, slot: str) -> None:
        expect(self.page.locator(f".table [data-slot='{slot}'].free")).to_be_attached()

    def sit(self, seat: int, name: str) -> None:
        self.page.locator(f"[data-seat='{seat}'] [data-do='sit']").click()
        self.page.fill("#seat-name", name)
        self.do("save-seat")
        expect(self.page.locator(".player.me")).to_contain_text(name)

    def state(self) -> Any:
        return self.page.evaluate("async () => (await fetch('/api/state')).json()")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if os.environ.get(SKIP):
        pytest.skip(f"{SKIP} is set")
    with sync_playwright() as playwright:
        try:
            browser = open_browser(playwright)
        except NoBrowser as error:
            pytest.fail(str(error), pytrace=False)
        yield browser
        browser.close()


OpenPhone = Callable[..., Phone]


@pytest.fixture
def open_phone(browser: Browser) -> Iterator[OpenPhone]:
    """Opens a link in a browser of its own; whatever that complains of fails the test."""
    contexts = []
    phones: list[Phone] = []

    def opened(
        link: str,
        size: tuple[int, int] = PHONE,
        language: str = "en-GB",
        colours: str = "light",
    ) -> Phone:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale=language,
            color_scheme="dark" if colours == "dark" else "light",
            reduced_motion="reduce",
            has_touch=size != TELEVISION,
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        phone = Phone(page, complaints)
        phones.append(phone)
        page.goto(link)
        page.wait_for_selector(".tabs")
        return phone

    yield opened
    for context in contexts:
        context.close()
    assert [complaint for phone in phones for complaint in phone.complaints] == []


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path)
    yield served
    served.close()


@pytest.fixture
def host_link(served: Served) -> str:
    return f"{served.address}/join/{served.links.host}"


@pytest.fixture
def seat_link(served: Served) -> str:
    return f"{served.address}/join/{served.links.seat}"
