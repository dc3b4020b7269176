"""The live stream: everybody gets every state, once, and can go on where they were."""

import json
from collections.abc import Iterator
from typing import Any

from tests.webui.conftest import Browser, House
from webui.app import MOST_STREAMS


class Stream:
    """An open stream, read event by event."""

    def __init__(self, browser: Browser, seen: str | None = None, language: str = "en") -> None:
        headers = {"Last-Event-ID": seen} if seen else {}
        self.answer = browser.get(f"/api/stream?language={language}", **headers)
        self.blocks: Iterator[bytes] = iter(self.answer.response)

    def next(self) -> tuple[str, Any]:
        for block in self.blocks:
            fields = dict(
                line.split(": ", 1) for line in block.decode().splitlines() if ": " in line
            )
            if "data" in fields and "id" in fields:
                return fields["id"], json.loads(fields["data"])
        raise AssertionError("the stream ended")

    def close(self) -> None:
        self.answer.close()


def test_a_stream_begins_with_the_state_and_goes_on_with_each_change(house: House) -> None:
    host = house.host()
    stream = Stream(house.phone())
    name, state = stream.next()
    assert state["id"] == name
    host.tap("lay", slot="1N2", card="red-5", player=0)
    later, state = stream.next()
    assert later != name
    assert state["cards"] == {"1N2": "red-5"}
    stream.close()


def test_who_was_away_misses_and_doubles_nothing(house: House) -> None:
    host, phone = house.host(), house.phone()
    stream = Stream(phone)
    seen, state = stream.next()
    stream.close()
    for slot, card in (("1N2", "red-5"), ("2N2", "blue-3")):
        host.tap("lay", slot=slot, card=card, player=0)
    stream = Stream(phone, seen)
    seen, state = stream.next()
    assert state["cards"] == {"1N2": "red-5", "2N2": "blue-3"}
    stream.close()
    stream = Stream(phone, seen)  # nothing happened meanwhile
    host.tap("lay", slot="3N2", card="red-4", player=0)
    _, state = stream.next()
    assert list(state["cards"]) == ["1N2", "2N2", "3N2"]
    stream.close()


def test_sentences_come_in_the_language_of_each_phone(house: House) -> None:
    house.host().tap("lay", slot="1N2", card="red-8", player=0)
    texts = []
    for language in ("en", "de", "fr"):
        stream = Stream(house.phone(), language=language)
        _, state = stream.next()
        texts.append(next(f["text"] for f in state["findings"] if f["code"] == "card-not-in-game"))
        stream.close()
    assert texts == [
        "Red 8 in 1N2 is not in a game for 2.",
        "Rot 8 auf 1N2 ist in einem Spiel zu 2 nicht dabei.",
        "Rouge 8 en 1N2 ne fait pas partie d'un jeu à 2.",
    ]


def test_when_all_streams_are_taken_phones_ask_instead(house: House) -> None:
    phone = house.phone()
    streams = [Stream(phone) for _ in range(MOST_STREAMS)]
    refused = phone.get("/api/stream", Accept="text/event-stream")
    assert (refused.status_code, refused.json["error"]["code"]) == (503, "busy")
    state = phone.state()
    assert phone.get(f"/api/state?seen={state['id']}").status_code == 204
    streams.pop().close()
    stream = Stream(phone)
    assert stream.next()[0] == state["id"]
    for open_one in [*streams, stream]:
        open_one.close()


def test_a_change_reaches_a_waiting_phone(house: House) -> None:
    stream = Stream(house.phone())
    stream.next()
    host = house.host()
    host.tap("lay", slot="1N2", card="red-5", player=0)
    assert stream.next()[0] == host.state()["id"]
    stream.close()
