"""A whole game at one table: two phones and a television, from the code to the podium."""

import cv2
import numpy as np
from playwright.sync_api import expect

from scorer.games.clans_and_glory.players import play_game
from scorer.games.clans_and_glory.turns import ClansTurn
from scorer.timeline import judge
from tests.browser.conftest import PHONE, TABLET, TELEVISION, OpenPhone, Phone
from tests.scorer.tables import setting


def scan(television: Phone) -> str:
    """Read the code off the television as a phone's camera would."""
    shot = television.page.locator(".code img").first.screenshot()
    picture = cv2.imdecode(np.frombuffer(shot, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    text, *_ = cv2.QRCodeDetector().detectAndDecode(picture)
    return str(text)


def test_a_whole_game_from_the_code_to_the_podium(open_phone: OpenPhone, host_link: str) -> None:
    television = open_phone(host_link, TELEVISION)
    link = scan(television)
    ann, ben = open_phone(link, PHONE), open_phone(link, TABLET)
    ann.sit(0, "Ann")
    ben.sit(1, "Ben")
    expect(television.page.locator(".players")).to_contain_text("Ann")
    expect(television.page.locator(".players")).to_contain_text("Ben")

    record = play_game(setting(2), seed=11)
    for slot, card in record.start.items():
        television.lay(slot, card)
    expect(ann.page.locator(".headline")).to_have_text("Your turn")
    expect(ben.page.locator(".headline")).to_have_text("Ann plays")

    for number, turn in enumerate(record.turns):
        assert isinstance(turn, ClansTurn)
        mine, theirs = (ann, ben) if turn.player == 0 else (ben, ann)
        mine.lay(turn.slot, turn.card)
        if turn.shields:
            mine.do("shield")
            expect(mine.page.locator("[data-do='shield']")).to_have_count(0)
        theirs.sees(turn.slot, turn.card)
        if number == 7:
            ann.page.reload()
            ann.page.wait_for_selector(".player.me")
    expect(television.page.locator(".headline")).to_have_text("The game is over")

    score = judge(record).score()
    for phone in (ann, television):
        phone.do("scoring")
        expect(phone.page.locator(".award")).to_be_visible()
        steps = 0
        while phone.page.locator("[data-do='next']").count():
            phone.do("next")
            steps += 1
        assert steps >= sum(len(tile.shields) for tile in score.tiles) - 1
        phone.do("result")
        for player in score.players:
            step = phone.page.locator(f".podium [data-player='{player.player}']")
            expect(step.locator(".podium-points")).to_have_text(str(player.points))
            expect(step.locator(".block")).to_have_text(str(player.place))

    with ann.page.expect_download() as picture:
        ann.do("picture")
    assert picture.value.suggested_filename == "cairn-1.png"
    with ann.page.expect_download() as saved:
        ann.do("record")
    assert saved.value.suggested_filename == "cairn-1.json"

    television.do("again")
    expect(television.page.locator(".headline")).to_have_text("Start cards: 0 of 8")
    names = television.page.locator(".player-name").all_inner_texts()
    assert names == ["Ben", "Ann"]
    ben.go("history")
    expect(ben.page.locator(".figures")).to_contain_text("Ann")
    ben.page.locator("[data-game='1']").click()
    expect(ben.page.locator(".podium")).to_be_visible()
