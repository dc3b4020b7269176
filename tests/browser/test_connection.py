"""A lost connection mends itself, and a killed server goes on where it was."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import TELEVISION, OpenPhone, Served
from webui.app import MOST_STREAMS

TOP = Path(__file__).parent.parent.parent


class Program:
    """`cairn play` as its own process, on one port and one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.start()

    def start(self) -> None:
        words = ["play", "--camera", "none", "--listen", "127.0.0.1", "--port", str(self.port)]
        self.process = subprocess.Popen(
            [sys.executable, str(TOP / "cairn.py"), *words, "--data", str(self.folder)],
            stderr=subprocess.DEVNULL,
        )
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise AssertionError("the program does not answer")

    def kill(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def link(self, role: str) -> str:
        links = json.loads(self.folder.joinpath("links.json").read_text("utf-8"))
        return f"http://127.0.0.1:{self.port}/join/{links[role]}"


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    program = Program(tmp_path)
    yield program
    program.kill()


def test_a_killed_server_goes_on_where_it_was(open_phone: OpenPhone, program: Program) -> None:
    television = open_phone(program.link("host"), TELEVISION)
    ann = open_phone(program.link("seat"))
    ann.sit(0, "Ann")
    ann.lay("1N2", "red-5")
    program.kill()
    expect(ann.page.locator(".offline")).to_be_visible()
    # A tap into the void is kept and sent again until the server is back, then done once.
    ann.tap_slot("2N2")
    ann.page.locator("#sheet [data-card='blue-3']").click()
    program.start()
    for phone in (ann, television):
        phone.sees("1N2", "red-5")
        phone.sees("2N2", "blue-3")
        expect(phone.page.locator(".offline")).to_have_count(0)
    expect(ann.page.locator(".player.me")).to_contain_text("Ann")
    assert list(ann.state()["cards"]) == ["1N2", "2N2"]
    television.lay("3N2", "red-4")
    ann.sees("3N2", "red-4")


def test_a_phone_that_was_away_misses_nothing(open_phone: OpenPhone, program: Program) -> None:
    host, phone = open_phone(program.link("host")), open_phone(program.link("seat"))
    phone.page.context.set_offline(True)
    host.lay("1N2", "red-5")
    host.lay("2N2", "blue-3")
    phone.page.context.set_offline(False)
    phone.sees("1N2", "red-5")
    phone.sees("2N2", "blue-3")


def test_when_all_streams_are_taken_phones_ask_and_still_follow(
    served: Served, open_phone: OpenPhone, seat_link: str
) -> None:
    lines = []
    for _ in range(MOST_STREAMS):
        line = HTTPConnection("127.0.0.1", served.server.port)
        line.request("GET", f"/join/{served.links.seat}")
        answer = line.getresponse()
        answer.read()
        cookie = answer.headers["Set-Cookie"].partition(";")[0]
        line.request("GET", "/api/stream", headers={"Cookie": cookie})
        assert line.getresponse().status == 200
        lines.append(line)
    phone = open_phone(seat_link)
    served.host().tap("lay", slot="1N2", card="red-5", player=0)
    phone.sees("1N2", "red-5")
    expect(phone.page.locator(".offline")).to_have_count(0)
    for line in lines:
        line.close()
