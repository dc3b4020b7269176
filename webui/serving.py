"""Serve an evening: open its data folder, say where it is, and answer until stopped."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import waitress  # type: ignore[import-untyped]

from scorer.errors import BadInput
from scorer.journal import open_journal
from webui.app import THREADS, create_app
from webui.languages import machine_language, word
from webui.links import Links, find_address, load_links
from webui.qr import qr_text
from webui.seating import first_setting
from webui.session import Session

EVERYWHERE = ("0.0.0.0", "::", "")
LARGEST_REQUEST = 4_000_000


class Server(Protocol):
    """What is used of waitress's server."""

    effective_port: int

    def run(self) -> None: ...

    def close(self) -> None: ...


def open_session(folder: Path, say: Callable[[str], None]) -> Session:
    """The evening of a data folder, where it was left."""
    journal = open_journal(folder / "journal.sqlite")
    if journal.rescue:
        say(journal.rescue)
    return Session(journal, first_setting(machine_language()))


def open_server(session: Session, links: Links, host: str, port: int) -> Server:
    """A server that listens; `run()` lets it answer."""
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    try:
        server: Server = waitress.create_server(
            create_app(session, links, address_for_phones(host)),
            host=host,
            port=port,
            threads=THREADS,
            connection_limit=1_000,
            max_request_body_size=LARGEST_REQUEST,
            ident=None,
        )
        return server
    except OSError as error:
        raise BadInput(
            f"port {port}: cannot be used ({error.strerror}); give another with --port"
        ) from error


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
    start_camera: Callable[[Session], None],
) -> None:
    """Serve until somebody presses Ctrl-C; `start_camera` lets a camera watch, or does nothing."""
    links = load_links(folder)
    session = open_session(folder, say)
    try:
        start_camera(session)
        server = open_server(session, links, host, port)
        address = address_for_phones(host)
        say(describe(links, address, server.effective_port, machine_language()))
        server.run()
    finally:
        session.close()
