"""The Flask app of one evening."""

from datetime import timedelta
from hashlib import sha256
from threading import BoundedSemaphore

from flask import Flask, Response

from webui.archive import archive
from webui.current import KEY, Evening
from webui.errors import register_errors
from webui.links import Links
from webui.pages import pages
from webui.questions import questions
from webui.session import Session
from webui.stream import stream
from webui.tapping import tapping

THREADS = 64
MOST_STREAMS = THREADS - 8
"""Each stream holds a thread; the others answer taps, and phones that ask again and again."""
LARGEST_BODY = 32_000
HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data: blob:; "
    "media-src 'self' blob:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def create_app(session: Session, links: Links, address: str) -> Flask:
    """An app that serves this session to whoever has one of these links.

    `address` is this machine's name for phones; a host who looks at it from the machine itself
    passes that one on.
    """
    app = Flask("webui", static_folder=None)
    app.config.update(
        SECRET_KEY=links.signature,
        # Two programs on one machine share their cookies, whatever their ports.
        SESSION_COOKIE_NAME=f"cairn-{sha256(links.seat.encode()).hexdigest()[:8]}",
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=timedelta(days=90),
        MAX_CONTENT_LENGTH=LARGEST_BODY,
    )
    app.extensions[KEY] = Evening(session, links, address, BoundedSemaphore(MOST_STREAMS))
    for blueprint in (pages, stream, tapping, questions, archive):
        app.register_blueprint(blueprint)
    register_errors(app)
    app.after_request(_add_headers)
    return app


def _add_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response
