"""The live stream: every phone gets the whole state whenever it changes.

A state replaces the one before it, so a phone that was away misses and doubles nothing.
"""

from collections.abc import Iterator

from flask import Blueprint, Response, request

from webui.current import evening, own_session
from webui.errors import Refusal
from webui.languages import reader_language
from webui.roles import Role, needs
from webui.session import Frame, Session

stream = Blueprint("stream", __name__)

STILL_HERE_SECONDS = 10.0
"""How often a silent stream says something, which is how a phone that has gone is noticed."""


@stream.get("/api/stream")
@needs(Role.SEAT)
def live() -> Response:
    """States as server-sent events, each named so that a phone can go on where it was."""
    streams = evening().streams
    if not streams.acquire(blocking=False):
        raise Refusal(503, "busy")
    session, language = own_session(), reader_language()
    seen = request.headers.get("Last-Event-ID")
    response = Response(_events(session, language, seen), mimetype="text/event-stream")
    response.call_on_close(streams.release)
    response.headers["X-Accel-Buffering"] = "no"
    return response


@stream.get("/api/state")
@needs(Role.SEAT)
def state() -> Response:
    """The state, or nothing (204) if it is still the one that the phone has."""
    frame = own_session().frame(reader_language())
    if request.args.get("seen") == frame.id:
        return Response(status=204)
    return Response(frame.data, mimetype="application/json")


def _events(session: Session, language: str, seen: str | None) -> Iterator[bytes]:
    yield b"retry: 700\n\n"
    while not session.closed:
        frame = session.wait(seen, language, STILL_HERE_SECONDS)
        if frame is None:
            yield b"event: here\ndata:\n\n"
        else:
            seen = frame.id
            yield _event(frame)


def _event(frame: Frame) -> bytes:
    return b"id: " + frame.id.encode() + b"\ndata: " + frame.data + b"\n\n"
