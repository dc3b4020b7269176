"""The page itself: joining by a link, the files it is made of, and pictures."""

import secrets
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

from flask import (
    Blueprint,
    Response,
    redirect,
    render_template_string,
    request,
    send_from_directory,
)
from flask import session as cookie
from flask.typing import ResponseReturnValue

from scorer.sentences import LANGUAGES
from webui.current import evening, own_session
from webui.errors import Refusal
from webui.languages import load_page_words, reader_language
from webui.qr import qr_svg
from webui.roles import Role, needs, own_device, own_role

pages = Blueprint("pages", __name__)
THIS_MACHINE = ("localhost", "127.0.0.1")
FOLDER = Path(str(files("webui").joinpath("page")))


@pages.get("/join/<token>")
@needs(Role.NOBODY)
def join(token: str) -> ResponseReturnValue:
    """Open a link: the browser is remembered with the role that the link gives."""
    links = evening().links
    if secrets.compare_digest(token.encode(), links.host.encode()):
        role = Role.HOST
    elif secrets.compare_digest(token.encode(), links.seat.encode()):
        role = Role.SEAT
    else:
        raise Refusal(404, "no-link")
    cookie.permanent = True
    cookie["role"] = max(role, own_role())
    cookie.setdefault("device", secrets.token_hex(6))
    return redirect("/")


@pages.get("/")
@needs(Role.SEAT)
def index() -> str:
    """The page; it learns from its own first element who looks at it."""
    template = FOLDER.joinpath("index.html").read_text("utf-8")
    return render_template_string(
        template, role=own_role().name.lower(), device=own_device(), language=reader_language()
    )


@pages.get("/page/<path:name>")
@needs(Role.SEAT)
def page_file(name: str) -> Response:
    """A script, the style or a picture of the page."""
    return send_from_directory(FOLDER, name)


@pages.get("/words/<language>")
@needs(Role.SEAT)
def words(language: str) -> ResponseReturnValue:
    """The page's words."""
    if language not in LANGUAGES:
        raise Refusal(404, "not-found", f"language {language}")
    return dict(load_page_words(language))


@pages.get("/qr.svg")
@needs(Role.SEAT)
def qr() -> Response:
    """The seat link as a QR code."""
    return Response(qr_svg(seat_link()), mimetype="image/svg+xml")


@pages.get("/link")
@needs(Role.SEAT)
def link() -> ResponseReturnValue:
    """The seat link, to pass on."""
    return {"seat": seat_link()}


@pages.get("/camera.jpg")
@needs(Role.SEAT)
def camera_picture() -> Response:
    """The table as the camera sees it."""
    camera = own_session().camera
    return _jpeg(camera.latest_jpeg() if camera else None)


@pages.get("/camera/<slot>.jpg")
@needs(Role.SEAT)
def slot_picture(slot: str) -> Response:
    """One slot as the camera sees it."""
    camera = own_session().camera
    return _jpeg(camera.crop_jpeg(slot) if camera else None)


def _jpeg(data: bytes | None) -> Response:
    if data is None:
        raise Refusal(404, "no-camera")
    return Response(data, mimetype="image/jpeg")


def seat_link() -> str:
    """The link for seats, with an address that phones can reach."""
    parts = urlsplit(request.host_url)
    name = evening().address if parts.hostname in THIS_MACHINE else parts.hostname
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{name}{port}/join/{evening().links.seat}"
