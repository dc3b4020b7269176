"""Measure the live stream: from an event to all phones, beside a bare stream of the same words."""

import json
import multiprocessing
import selectors
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import waitress  # type: ignore[import-untyped]
from flask import Flask, Response

from scorer.errors import BadInput
from scorer.events import See
from webui.app import MOST_STREAMS, THREADS
from webui.links import load_links
from webui.serving import Server, open_session
from webui.session import Session
from webui.stream import LOOK_SECONDS

EVENTS = 40
PAUSE_SECONDS = 0.02
PHONES = 50
FILLED = 20
GROWTH = (1, 5, 10, 25, 50)
CROWD = (100, 200)
ASK_SECONDS = 0.45
"""How often a phone without a stream asks; the page's own interval."""
PATIENCE_SECONDS = 20.0
END_OF_STATE = b"}\n\n"


@dataclass(frozen=True)
class Delay:
    """From an event to the last of all phones, over many events, in milliseconds."""

    phones: int
    median: float
    slowest: float

    def to_json(self) -> dict[str, Any]:
        return {
            "phones": self.phones,
            "median_ms": round(self.median, 1),
            "slowest_ms": round(self.slowest, 1),
        }


def bench_web(report: Callable[[str], None]) -> dict[str, Any]:
    """All figures of `cairn bench web`; `report` is told how far it is."""
    with tempfile.TemporaryDirectory() as folder, _started(_serve_page, folder) as page:
        report(f"{PHONES} phones on the page")
        own = _measure_streams(page, PHONES)
        size = page.ask("size")
        report(f"{PHONES} phones on a bare stream")
        with _started(_serve_bare, size) as bare:
            plain = _measure_streams(bare, PHONES)
        growth = []
        for phones in GROWTH:
            report(f"{phones} phones")
            growth.append(_measure_streams(page, phones))
        for phones in CROWD:
            report(f"{phones} phones, {phones - MOST_STREAMS} of them without a stream")
            growth.append(_measure_crowd(page, phones))
    return {
        "events": EVENTS,
        "bytes_per_state": size,
        "page": own.to_json(),
        "bare_stream": plain.to_json(),
        "ratio_of_medians": round(own.median / plain.median, 2),
        "growth": [delay.to_json() for delay in growth],
        "streams_at_most": MOST_STREAMS,
    }


class Process:
    """A server in a process of its own, told over a pipe what to do."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self.port, self.cookie, self.path = pipe.recv()

    def ask(self, what: str) -> Any:
        self._pipe.send(what)
        return self._pipe.recv()


@contextmanager
def _started(serve: Callable[[Connection, Any], None], argument: Any) -> Iterator[Process]:
    ours, theirs = multiprocessing.Pipe()
    spawn = multiprocessing.get_context("spawn")
    process = spawn.Process(target=serve, args=(theirs, argument), daemon=True)
    process.start()
    try:
        yield Process(ours)
    finally:
        process.terminate()
        process.join()


def _serve_page(pipe: Connection, folder: str) -> None:
    """The page as it is served to people; `event` lays a card and says when it began."""
    path = Path(folder)
    links = load_links(path)
    session = open_session(path, print)
    server = Server(session, links, "127.0.0.1", 0)
    threading.Thread(target=server.run, daemon=True).start()
    pipe.send((server.port, _join(server.port, links.seat), "/api/stream"))
    _fill_the_table(session)
    laid = 0
    while True:
        what = pipe.recv()
        if what == "size":
            pipe.send(len(session.frame("en").data))
            continue
        laid += 1
        card = "red-3" if laid % 2 else "red-4"
        began = time.perf_counter()
        session.see([See("1N1", "card", card, sure=True)])
        pipe.send(began)


def _fill_the_table(session: Session) -> None:
    """The state of an empty table is small; people look at fuller ones."""
    rules = session.look().live.timeline.rules
    for slot, card in zip(rules.layout.slots[2:], rules.deck.cards()[2:FILLED], strict=False):
        session.see([See(slot, "card", card, sure=True)])


def _serve_bare(pipe: Connection, size: int) -> None:
    """The least that Flask can do: every stream sends the same bytes when told."""
    told = threading.Condition()
    data = b"data: " + b"x" * size + END_OF_STATE
    app = Flask("bare")

    @app.get("/stream")
    def stream() -> Response:
        def events() -> Iterator[bytes]:
            yield data
            while True:
                with told:
                    told.wait()
                yield data

        return Response(events(), mimetype="text/event-stream")

    server = waitress.create_server(app, host="127.0.0.1", port=0, threads=THREADS)
    threading.Thread(target=server.run, daemon=True).start()
    pipe.send((server.effective_port, "", "/stream"))
    while pipe.recv():
        began = time.perf_counter()
        with told:
            told.notify_all()
        pipe.send(began)


def _measure_streams(server: Process, phones: int) -> Delay:
    """Every phone on a stream of its own."""
    with _Listeners(server, phones) as listeners:
        delays = []
        for _ in range(EVENTS):
            time.sleep(PAUSE_SECONDS)
            began = server.ask("event")
            delays.append(1000 * (listeners.wait_for_all() - began))
    return Delay(phones, statistics.median(delays), max(delays))


def _measure_crowd(server: Process, phones: int) -> Delay:
    """As many streams as there are; the other phones ask again and again, as the page does."""
    with _Listeners(server, MOST_STREAMS) as listeners, _Askers(server, phones - MOST_STREAMS) as a:
        delays = []
        for _ in range(EVENTS // 4):
            time.sleep(PAUSE_SECONDS)
            began = server.ask("event")
            delays.append(1000 * (max(listeners.wait_for_all(), a.wait_for_all(began)) - began))
    return Delay(phones, statistics.median(delays), max(delays))


class _Listeners:
    """Open streams, all read by one loop."""

    def __init__(self, server: Process, count: int) -> None:
        self._selector = selectors.DefaultSelector()
        self._sockets = [_open_stream(server) for _ in range(count)]
        for number, each in enumerate(self._sockets):
            each.setblocking(False)
            self._selector.register(each, selectors.EVENT_READ, number)
        self.wait_for_all()  # the state that every stream begins with

    def __enter__(self) -> "_Listeners":
        return self

    def __exit__(self, *_: object) -> None:
        for each in self._sockets:
            each.close()
        self._selector.close()
        time.sleep(2 * LOOK_SECONDS)  # until the server has noticed

    def wait_for_all(self) -> float:
        """When the last phone had the next state."""
        tails = dict.fromkeys(range(len(self._sockets)), b"")
        deadline = time.perf_counter() + PATIENCE_SECONDS
        while tails:
            for key, _ in self._selector.select(1):
                received = self._sockets[key.data].recv(1 << 16)
                tail = tails.get(key.data, b"") + received
                if END_OF_STATE in tail:
                    tails.pop(key.data, None)
                elif key.data in tails:
                    tails[key.data] = tail[-len(END_OF_STATE) :]
            _check(deadline, len(tails))
        return time.perf_counter()


class _Askers:
    """Phones without a stream, which ask for the state at the page's own pace."""

    def __init__(self, server: Process, count: int) -> None:
        self._server = server
        self._lines = [HTTPConnection("127.0.0.1", server.port) for _ in range(count)]
        self._seen = [""] * count
        self._heard = [0.0] * count
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._ask_in_turn)

    def __enter__(self) -> "_Askers":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()
        for line in self._lines:
            line.close()

    def wait_for_all(self, began: float) -> float:
        """When the last phone had a state from after `began`."""
        deadline = time.perf_counter() + PATIENCE_SECONDS
        while waiting := sum(heard < began for heard in self._heard):
            time.sleep(0.002)
            _check(deadline, waiting)
        return max(self._heard)

    def _ask_in_turn(self) -> None:
        step = ASK_SECONDS / len(self._lines)
        due = time.perf_counter()
        while not self._stopped.is_set():
            for number, line in enumerate(self._lines):
                due += step
                time.sleep(max(0.0, due - time.perf_counter()))
                path = f"/api/state?seen={self._seen[number]}"
                line.request("GET", path, headers={"Cookie": self._server.cookie})
                answer = line.getresponse()
                data = answer.read()
                if answer.status == HTTPStatus.OK:
                    self._seen[number] = json.loads(data)["id"]
                    self._heard[number] = time.perf_counter()


def _open_stream(server: Process) -> socket.socket:
    opened = socket.create_connection(("127.0.0.1", server.port))
    head = f"GET {server.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {server.cookie}\r\n\r\n"
    opened.sendall(head.encode())
    return opened


def _join(port: int, token: str) -> str:
    """Open the seat link as a browser does; the cookie that it gives."""
    line = HTTPConnection("127.0.0.1", port)
    line.request("GET", f"/join/{token}")
    cookie = line.getresponse().headers["Set-Cookie"]
    line.close()
    return cookie.partition(";")[0]


def _check(deadline: float, waiting: int) -> None:
    if time.perf_counter() > deadline:
        raise BadInput(f"bench: {waiting} phones heard nothing; is the machine busy?")
