"""How routes find the session and the links of their app."""

from dataclasses import dataclass
from threading import BoundedSemaphore
from typing import cast

from flask import current_app

from webui.links import Links
from webui.session import Session

KEY = "cairn"


@dataclass(frozen=True)
class Evening:
    """What the app serves."""

    session: Session
    links: Links
    address: str
    streams: BoundedSemaphore


def evening() -> Evening:
    """The evening of the app that answers this request."""
    return cast(Evening, current_app.extensions[KEY])


def own_session() -> Session:
    """Its session."""
    return evening().session
