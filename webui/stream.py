"""The live stream: every phone gets the whole state whenever it changes.

A state replaces the one before it, so a phone that was away misses and doubles nothing.
"""

from collections.abc import Callable, Iterator

from flask import Blueprint, Response, request

from webui.current import evening, own_session
from webui.errors import Refusal
from webui.languages import reader_language
from webui.roles import Role, needs
from webui.session import Frame, Session

stream = Blueprint("stream", __name__)

LOOK_SECONDS = 1.0
"""How often a silent stream looks whether its phone has gone, to free its thread for another."""
STILL_HERE_LOOKS = 10
"""After so many looks it says something, so that a phone knows it still hears."""


@stream.get("/api/stream")
@needs(Role.SEAT)
def live() -> Response:
    """States as server-sent events, each named so that a phone can go on where it was."""
    streams = evening().streams
    if not streams.acquire(blocking=False):
        raise Refusal(503, "busy")
    session, language = own_session(), reader_language()
    seen = request.headers.get("Last-Event-ID")
    gone: Callable[[], bool] = request.environ.get("waitress.client_disconnected", bool)
    response = Response(_events(session, language, seen, gone), mimetype="text/event-stream")
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


def _events(
    session: Session, language: str, seen: str | None, gone: Callable[[], bool]
) -> Iterator[bytes]:
    yield b"retry: 700\n\n"
    looks = 0
    while not session.closed and not gone():
        frame = session.wait(seen, language, LOOK_SECONDS)
        looks = 0 if frame else looks + 1
        if frame:
            seen = frame.id
            yield _event(frame)
        elif looks % STILL_HERE_LOOKS == 0:
            yield b"event: here\ndata:\n\n"


def _event(frame: Frame) -> bytes:
    return b"id: " + frame.id.encode() + b"\ndata: " + frame.data + b"\n\n"
