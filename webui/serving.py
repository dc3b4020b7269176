"""Serve an evening: open its data folder, say where it is, and answer until stopped."""

import logging
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import waitress  # type: ignore[import-untyped]

from scorer.errors import BadInput
from scorer.game import Player, Setting
from scorer.games import find_game, game_names
from scorer.journal import open_journal
from webui.app import THREADS, create_app
from webui.camera import Camera
from webui.languages import machine_language, word
from webui.links import Links, find_address, load_links
from webui.qr import qr_text
from webui.session import Session

SHIELD_COLOURS = ("red", "blue", "green", "yellow")
EVERYWHERE = ("0.0.0.0", "::", "")
LARGEST_REQUEST = 4_000_000


class Server:
    """An evening at an address. `run` answers until somebody calls `stop`."""

    def __init__(self, session: Session, links: Links, host: str, port: int) -> None:
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        self._session = session
        self._channels: dict[int, Any] = {}
        self._stopping = False
        self.address = address_for_phones(host)
        try:
            self._waitress = waitress.create_server(
                create_app(session, links, self.address),
                map=self._channels,
                host=host,
                port=port,
                threads=THREADS,
                # Lets a stream ask whether its phone has gone.
                channel_request_lookahead=1,
                connection_limit=1_000,
                max_request_body_size=LARGEST_REQUEST,
                ident=None,
            )
        except OSError as error:
            raise BadInput(
                f"port {port}: cannot be used ({error.strerror}); give another with --port"
            ) from error
        self.port: int = self._waitress.effective_port

    def run(self) -> None:
        """Answer; at the end close the session first, for streams wait on it."""
        loop = self._waitress.asyncore.loop
        while not self._stopping:
            loop(timeout=1, use_poll=True, map=self._channels, count=1)
        self._session.close()
        self._waitress.task_dispatcher.shutdown()
        for channel in list(self._channels.values()):
            channel.close()

    def stop(self) -> None:
        """Let `run` come to its end; from a signal or another thread."""
        self._stopping = True
        self._waitress.pull_trigger()


def open_session(folder: Path, say: Callable[[str], None]) -> Session:
    """The evening of a data folder, where it was left."""
    journal = open_journal(folder / "journal.sqlite")
    if journal.rescue:
        say(journal.rescue)
    return Session(journal, first_setting(machine_language()))


def first_setting(language: str) -> Setting:
    """The smallest table of the first game, with seats for nobody in particular."""
    game = find_game(game_names()[0])
    players = tuple(
        Player(word("seat.name", language, number=number + 1), SHIELD_COLOURS[number])
        for number in range(game.players[0])
    )
    return Setting(game.name, players, game.rulings)


def address_for_phones(host: str) -> str:
    """The address in links: the one to listen on, or this machine's if it listens on all."""
    return find_address() if host in EVERYWHERE else host


def describe(links: Links, address: str, port: int, language: str) -> str:
    """What the terminal shows: both links and the code to scan."""
    base = f"http://{address}:{port}"
    seat, host = f"{base}/join/{links.seat}", f"{base}/join/{links.host}"
    lines = (
        "",
        qr_text(seat),
        "",
        f"  {word('terminal.seat', language)}  {seat}",
        f"  {word('terminal.host', language)}  {host}",
        f"  {word('terminal.stop', language)}",
        "",
    )
    return "\n".join(lines)


def serve(
    folder: Path,
    host: str,
    port: int,
    say: Callable[[str], None],
    watch: Callable[[Session], Camera] | None = None,
) -> None:
    """Serve until somebody presses Ctrl-C; `watch` begins to watch the table for a session."""
    links = load_links(folder)
    session = open_session(folder, say)
    server = Server(session, links, host, port)
    if watch is not None:
        session.camera = watch(session)
    signal.signal(signal.SIGINT, lambda *_: server.stop())
    signal.signal(signal.SIGTERM, lambda *_: server.stop())
    say(describe(links, server.address, server.port, machine_language()))
    server.run()
