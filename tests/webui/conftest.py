"""An evening in a folder of its own, and browsers that hold its links."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorer.journal import open_journal
from webui.app import create_app
from webui.links import Links, load_links
from webui.seating import first_setting
from webui.session import Session


class Browser:
    """A browser that opened a link, or none."""

    numbers = count()

    def __init__(self, client: FlaskClient, language: str = "en") -> None:
        self.client = client
        self.headers = {"Accept-Language": language}

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(path, headers={**self.headers, **headers})

    def state(self) -> Any:
        return self.get("/api/state").json

    def tap(self, path: str, state: Any = None, tap: str | None = None, **body: Any) -> Any:
        """Tap on this state, or on the newest."""
        on = state or self.state()
        name = tap or f"tap-{next(self.numbers)}"
        data = {"tap": name, "game": on["game"], "number": on["number"], **body}
        return self.client.post(f"/api/{path}", json=data, headers=self.headers)


class House:
    """A data folder, and the session and app that run on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.links: Links = load_links(folder)
        self.session = Session(open_journal(folder / "journal.sqlite"), first_setting("en"))
        self.app: Flask = create_app(self.session, self.links, "127.0.0.1")

    def join(self, link: str, language: str = "en") -> Browser:
        browser = Browser(self.app.test_client(), language)
        answer = browser.get(f"/join/{link}")
        assert answer.status_code == 302
        return browser

    def host(self, language: str = "en") -> Browser:
        return self.join(self.links.host, language)

    def phone(self, name: str | None = None, seat: int = 0, shields: str = "red") -> Browser:
        """A phone by the seat link; with a name it takes a seat."""
        browser = self.join(self.links.seat)
        if name:
            answer = browser.tap("sit", seat=seat, name=name, shields=shields)
            assert answer.status_code == 200, answer.json
        return browser

    def restarted(self) -> "House":
        """The same folder after the program was stopped."""
        self.session.close()
        return House(self.folder)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    yield house
    house.session.close()
