"""The log, the history, and records that come and go."""

import json

from flask import Blueprint, Response, request
from flask.typing import ResponseReturnValue

from scorer.record import format_record, read_record, record_to_json
from scorer.strict import Json, parse_json
from webui.current import own_session
from webui.errors import Refusal
from webui.history import history_to_json, results_csv
from webui.kept import KeptGame
from webui.languages import reader_language
from webui.roles import Role, needs
from webui.session import Session
from webui.story import story_to_json

archive = Blueprint("archive", __name__, url_prefix="/api")

LARGEST_IMPORT = 2_000_000
MOST_IMPORTED = 500
MOST_TURNS = 200
"""No real game is longer, and every turn is one write to the disk."""


@archive.get("/story")
@needs(Role.SEAT)
def own_story() -> ResponseReturnValue:
    """The present game's story."""
    session = own_session()
    with session.still():
        return _story(session, session.look().game)


@archive.get("/story/<int:game>")
@needs(Role.SEAT)
def story(game: int) -> ResponseReturnValue:
    """Any game's story."""
    return _story(own_session(), game)


@archive.get("/history")
@needs(Role.SEAT)
def history() -> ResponseReturnValue:
    """Finished games and everybody's figures."""
    return history_to_json(own_session().games())


@archive.get("/record/<int:game>.json")
@needs(Role.SEAT)
def record(game: int) -> Response:
    """One game's record."""
    text = format_record(_find(own_session(), game).live.timeline.record)
    return _download(text, "application/json", f"cairn-{game}.json")


@archive.get("/records.json")
@needs(Role.SEAT)
def records() -> Response:
    """All records that have a turn, as a list that can be imported elsewhere."""
    timelines = [game.live.timeline for game in own_session().games()]
    found = [record_to_json(timeline.record) for timeline in timelines if timeline.turns]
    text = json.dumps(found, ensure_ascii=False, indent=1)
    return _download(text, "application/json", "cairn-records.json")


@archive.get("/results.csv")
@needs(Role.SEAT)
def results() -> Response:
    """Everybody's points in every finished game."""
    return _download(results_csv(own_session().games()), "text/csv", "cairn-results.csv")


@archive.post("/import")
@needs(Role.HOST)
def take_records() -> ResponseReturnValue:
    """Keep a record, or a list of them; all are read before the first is kept."""
    request.max_content_length = LARGEST_IMPORT
    body = parse_json(request.get_data(), "record")
    items = body.items(MOST_IMPORTED) if isinstance(body.value, list) else [body]
    found = [read_record(item) for item in items]
    for item, read in zip(items, found, strict=True):
        _check_length(item, len(read.turns))
    return {"games": [own_session().keep_record(read, "host") for read in found]}


def _check_length(item: Json, turns: int) -> None:
    if turns > MOST_TURNS:
        raise item.refusal(f"a record of at most {MOST_TURNS} turns")


def _story(session: Session, game: int) -> dict[str, object]:
    return story_to_json(game, session.lines(game), reader_language())


def _find(session: Session, number: int) -> KeptGame:
    for game in session.games():
        if game.game == number:
            return game
    raise Refusal(404, "not-found", f"game {number}")


def _download(text: str, kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, mimetype=kind, headers=headers)
