"""The page as a whole: small, whole in itself, and reached by a code that can be scanned."""

import re
from pathlib import Path

import cv2
import numpy as np

from tests.webui.conftest import House
from webui.qr import qr_modules, qr_svg, qr_text

PAGE = Path(__file__).parent.parent.parent / "webui" / "page"
WORDS = PAGE.parent / "words"
LIMIT = 150_000
LINK = "http://192.168.178.123:8000/join/AbCdEfGhIjKl"


def test_the_whole_page_is_small() -> None:
    page = sum(file.stat().st_size for file in PAGE.iterdir())
    words = max(file.stat().st_size for file in WORDS.iterdir())
    assert page + words < LIMIT


def test_nothing_comes_from_another_host() -> None:
    for file in PAGE.iterdir():
        addresses = set(re.findall(r"https?://[^\s\"'`)]+", file.read_text("utf-8")))
        assert addresses <= {"http://www.w3.org/2000/svg"}, file


def test_every_file_that_is_named_is_there(house: House) -> None:
    phone = house.phone()
    page = phone.get("/").get_data(as_text=True)
    named = set(re.findall(r'(?:href|src)="(/page/[^"]+)"', page))
    for script in PAGE.glob("*.js"):
        text = script.read_text("utf-8")
        named |= {f"/page/{name}" for name in re.findall(r'from "\./([^"]+)"', text)}
    assert named
    for path in named:
        with phone.get(path) as answer:
            assert answer.status_code == 200, path
    scripts = {f"/page/{file.name}" for file in PAGE.glob("*.js")}
    assert scripts <= named  # no script that nobody uses


def test_files_outside_the_page_are_not_served(house: House) -> None:
    phone = house.phone()
    assert phone.get("/page/../app.py").status_code == 404
    assert phone.get("/page/%2e%2e/app.py").status_code == 404


def test_the_page_knows_who_looks_at_it(house: House) -> None:
    assert 'data-role="host"' in house.host().get("/").get_data(as_text=True)
    assert 'data-role="seat"' in house.phone().get("/").get_data(as_text=True)


def read_code(dark: list[list[bool]]) -> str:
    picture = np.where(np.array(dark), 0, 255).astype(np.uint8)
    large = np.kron(picture, np.ones((8, 8), np.uint8))
    text, *_ = cv2.QRCodeDetector().detectAndDecode(large)
    return str(text)


def test_the_code_can_be_scanned() -> None:
    assert read_code(qr_modules(LINK)) == LINK


def test_the_code_in_the_terminal_can_be_scanned() -> None:
    halves = {" ": (True, True), "▄": (True, False), "▀": (False, True), "█": (False, False)}
    dark = [
        [halves[character][half] for character in line]
        for line in qr_text(LINK).splitlines()
        for half in (0, 1)
    ]
    assert read_code(dark) == LINK


def test_the_code_on_the_page_is_the_seat_link(house: House) -> None:
    host = house.host()
    link = host.get("/link").json["seat"]
    assert link == f"http://127.0.0.1/join/{house.links.seat}"
    assert host.get("/qr.svg").get_data(as_text=True) == qr_svg(link)
    assert house.links.host not in host.get("/").get_data(as_text=True)
