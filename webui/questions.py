"""What the page asks without changing anything: the board, a card in private, a claim."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from scorer.cards import read_card
from scorer.strict import Json
from webui.current import own_session
from webui.errors import Refusal
from webui.languages import reader_language
from webui.roles import Role, needs
from webui.view import board_to_json

questions = Blueprint("questions", __name__, url_prefix="/api")


@questions.get("/board")
@needs(Role.SEAT)
def board() -> ResponseReturnValue:
    """Slots, tiles and cards of the present game."""
    session = own_session()
    with session.still():
        return board_to_json(session.look().live, reader_language())


@questions.get("/may-i")
@needs(Role.SEAT)
def may_i() -> ResponseReturnValue:
    """The slots that would take a card; nobody else learns that it was asked."""
    card = read_card(Json(request.args.get("card"), "card"))
    session = own_session()
    with session.still():
        timeline = session.look().live.timeline
        return {"slots": list(timeline.rules.slots_for(timeline.state, card))}


@questions.get("/fitting/<slot>")
@needs(Role.SEAT)
def fitting(slot: str) -> ResponseReturnValue:
    """The cards nobody has seen yet that a free slot would take."""
    session = own_session()
    with session.still():
        timeline = session.look().live.timeline
        return {"cards": list(timeline.rules.cards_for(timeline.state, slot))}


@questions.get("/claim")
@needs(Role.SEAT)
def claim() -> ResponseReturnValue:
    """What the open cards say of a player's "I cannot place anything"."""
    session = own_session()
    with session.still():
        timeline = session.look().live.timeline
        player = request.args.get("player", type=int)
        if player is None or not 0 <= player < len(timeline.setting.players):
            raise Refusal(400, "malformed", "player: expected a seat's number")
        judged = timeline.rules.judge_claim(timeline.state, player)
    return {
        "verdict": judged.verdict,
        "unseen": judged.unseen,
        "fitting": len(judged.fitting),
    }
