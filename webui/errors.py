"""Errors: one JSON shape for all, `{"error": {"code", "message", "detail"}}`, in any language."""

import logging
from html import escape

from flask import Flask, Response, jsonify, request
from werkzeug.exceptions import HTTPException

from scorer.errors import BadInput
from webui.languages import reader_language, word

CODES = {
    400: "malformed",
    404: "not-found",
    405: "wrong-method",
    413: "too-large",
    415: "malformed",
}
log = logging.getLogger("cairn")

PAGE = """<!doctype html><html lang="{language}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Cairn</title>
<style>body{{font:1.25rem/1.5 system-ui,sans-serif;margin:18vh auto;max-width:26rem;
padding:0 1.5rem;background:#f3eee2;color:#2b2a26}}h1{{font:600 2rem Georgia,serif}}
@media(prefers-color-scheme:dark){{body{{background:#191a1a;color:#ece6d8}}}}</style>
<main><h1>Cairn</h1><p>{message}</p></main></html>"""


class Refusal(Exception):
    """An answer that is no: a stable code with its status, and what a developer wants to know."""

    def __init__(self, status: int, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.detail = detail


def register_errors(app: Flask) -> None:
    """Every error leaves the app in the one shape."""
    app.register_error_handler(Refusal, _refuse)
    app.register_error_handler(BadInput, _bad_input)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _broken)


def _refuse(refusal: Refusal) -> tuple[Response, int]:
    language = reader_language()
    message = word(f"error.{refusal.code}", language)
    if _wants_page():
        page = PAGE.format(language=language, message=escape(message))
        return Response(page, mimetype="text/html"), refusal.status
    error = {"code": refusal.code, "message": message, "detail": refusal.detail}
    return jsonify(error=error), refusal.status


def _bad_input(error: BadInput) -> tuple[Response, int]:
    return _refuse(Refusal(400, "malformed", str(error)))


def _http(error: HTTPException) -> tuple[Response, int]:
    status = error.code or 500
    return _refuse(Refusal(status, CODES.get(status, "broken"), error.description or ""))


def _broken(error: Exception) -> tuple[Response, int]:
    log.error("this should not have happened", exc_info=error)
    return _refuse(Refusal(500, "broken"))


def _wants_page() -> bool:
    """A browser that goes to an address wants words on a page, a script wants JSON."""
    wanted = request.accept_mimetypes
    return request.method == "GET" and wanted["text/html"] > wanted["application/json"]
