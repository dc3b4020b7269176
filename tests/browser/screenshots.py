"""Take the screenshots of the docs anew: `python -m tests.browser.screenshots docs`."""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from scorer.games.clans_and_glory.players import play_game
from scorer.games.clans_and_glory.turns import ClansTurn
from scorer.record import Record
from tests.browser.conftest import PHONE, TABLET, TELEVISION, Served
from tests.browser.finding import open_browser
from tests.scorer.tables import setting
from tests.webui.conftest import Browser as Client

SEED = 21
NAMES = (("Ann", "red"), ("Ben", "blue"), ("Cleo", "green"), ("Dora", "yellow"))


def main(folder: Path) -> None:
    """Four pictures of one game of four."""
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        served, browser = Served(Path(data)), open_browser(playwright)
        try:
            take_all(served, browser, folder)
        finally:
            browser.close()
            served.close()


def take_all(served: Served, browser: Browser, folder: Path) -> None:
    host = served.host()
    seats = [{"name": name, "shields": colour, "was": None} for name, colour in NAMES]
    host.tap("arrange", players=seats, rulings={})
    television = open_page(served, browser, served.links.host, TELEVISION)
    phone = open_page(served, browser, served.links.seat, PHONE, scale=2)
    phone.locator("[data-seat='1'] [data-do='sit']").click()
    phone.fill("#seat-name", "Ben")
    phone.locator("[data-do='save-seat']").click()
    record = play_game(setting(4), SEED)
    play(host, record, 0, 18)
    # Ben lays the last of these; his phone offers the shield.
    take(phone, folder / "page-phone.png")
    take(television, folder / "page-television.png")
    dark = open_page(served, browser, served.links.host, PHONE, scale=2, colours="dark")
    free = [s for s in host.get("/api/board").json["slots"] if s not in host.state()["cards"]]
    cards = host.get("/api/board").json["cards"]
    slot, card = next(
        (slot, card)
        for slot in free
        for card in cards
        if card not in host.state()["cards"].values() and lies_wrong(host, slot, card)
    )
    host.tap("lay", slot=slot, card=card, player=host.state()["next_player"])
    dark.wait_for_selector(".warning")
    take(dark, folder / "page-warning.png")
    host.tap("undo")
    play(host, record, 18, None)
    tablet = open_page(served, browser, served.links.seat, TABLET)
    tablet.locator("[data-do='scoring']").click()
    for _ in range(4):
        tablet.locator("[data-do='next']").click()
    take(tablet, folder / "page-scoring.png")


def lies_wrong(host: Client, slot: str, card: str) -> bool:
    """Whether this card in this slot has a neighbour and matches none."""
    state = host.tap("lay", slot=slot, card=card, player=host.state()["next_player"]).json
    codes = [finding["code"] for finding in state["findings"]]
    host.tap("undo")
    return codes == ["no-match"] and len(state["findings"][0]["slots"]) > 2


def play(host: Client, record: Record, start: int, end: int | None) -> None:
    """Tap the turns from `start` to `end`; the last brings no shield, so that one is offered."""
    if start == 0:
        for slot, card in record.start.items():
            host.tap("lay", slot=slot, card=card, player=0)
    turns = record.turns[start:end]
    for number, turn in enumerate(turns, start):
        assert isinstance(turn, ClansTurn)
        state = host.tap("lay", slot=turn.slot, card=turn.card, player=turn.player).json
        if turn.shields and number + 1 != end:
            tile = state["last"]["tile"]
            host.tap("shield", player=turn.player, tile=tile, turn=number)


def open_page(
    served: Served,
    browser: Browser,
    link: str,
    size: tuple[int, int],
    scale: int = 1,
    colours: str = "light",
) -> Page:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        device_scale_factor=scale,
        locale="en-GB",
        color_scheme="dark" if colours == "dark" else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(f"{served.address}/join/{link}")
    page.wait_for_selector(".tabs")
    return page


def take(page: Page, path: Path) -> None:
    page.wait_for_timeout(400)
    page.screenshot(path=path)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
