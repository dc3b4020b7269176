"""What people may tap: each a small JSON post that carries the state it was made on."""

from collections.abc import Callable

from flask import Blueprint, Response

from scorer.errors import BadInput
from scorer.events import BeginPlay, Redo, Undo
from scorer.strict import Json
from webui import taps
from webui.current import own_session
from webui.errors import Refusal
from webui.kept import Change, KeptGame
from webui.languages import reader_language
from webui.roles import Role, needs

tapping = Blueprint("tapping", __name__, url_prefix="/api")
TURN_KEYS = ("turn", "player", "slot", "card", "shields")


@tapping.post("/lay")
@needs(Role.SEAT)
def lay() -> Response:
    """A card in a free slot."""
    return _change(taps.lay_card, "player", "slot", "card")


@tapping.post("/shield")
@needs(Role.SEAT)
def shield() -> Response:
    """A shield on a tile."""
    return _change(taps.put_shield, "player", "tile", "turn")


@tapping.post("/correct")
@needs(Role.SEAT)
def correct() -> Response:
    """What really lies in a slot."""
    return _change(taps.correct_slot, "slot", "card")


@tapping.post("/accept")
@needs(Role.SEAT)
def accept() -> Response:
    """Leave a finding as it is."""
    return _change(taps.accept_finding, "turn", "code", "slot")


@tapping.post("/change-turn")
@needs(Role.SEAT)
def change_turn() -> Response:
    """Correct an earlier turn."""
    return _change(taps.change_turn, *TURN_KEYS)


@tapping.post("/insert-turn")
@needs(Role.SEAT)
def insert_turn() -> Response:
    """Add a turn that was forgotten."""
    return _change(taps.insert_turn, *TURN_KEYS)


@tapping.post("/remove-turn")
@needs(Role.SEAT)
def remove_turn() -> Response:
    """Take an earlier turn out."""
    return _change(taps.remove_turn, "turn")


@tapping.post("/undo")
@needs(Role.SEAT)
def undo() -> Response:
    """Take the last change back."""
    return _change(_seated(Undo()))


@tapping.post("/redo")
@needs(Role.SEAT)
def redo() -> Response:
    """Do again what was taken back."""
    return _change(_seated(Redo()))


@tapping.post("/begin")
@needs(Role.SEAT)
def begin() -> Response:
    """All start cards lie there."""
    return _change(_seated(BeginPlay()))


@tapping.post("/sit")
@needs(Role.SEAT)
def sit() -> Response:
    """Take a seat."""
    return _change(taps.take_seat, "seat", "name", "shields")


@tapping.post("/stand")
@needs(Role.SEAT)
def stand() -> Response:
    """Leave a seat, or free somebody's as the host."""
    return _change(taps.leave_seat, "seat")


@tapping.post("/arrange")
@needs(Role.HOST)
def arrange() -> Response:
    """Seats in their order, and the rulings."""
    return _change(taps.arrange, "players", "rulings")


@tapping.post("/standings")
@needs(Role.HOST)
def standings() -> Response:
    """Hide the points until the end, or show them."""
    return _change(taps.hide_standings, "hidden")


@tapping.post("/new-game")
@needs(Role.HOST)
def new_game() -> Response:
    """Put this game away and begin another with the same people."""
    tap, body = taps.read_tap("move_on")
    session = own_session()
    session.new_game("host", tap, lambda kept: taps.play_again(kept, body))
    return _answer()


def _change(make: Callable[[KeptGame, Json], list[Change]], *keys: str) -> Response:
    tap, body = taps.read_tap(*keys)
    session = own_session()
    with session.still():
        by = taps.who(session.look())

    def changes(kept: KeptGame) -> list[Change]:
        return make(kept, body)

    try:
        session.change(by, tap, changes)
    except BadInput as error:
        raise Refusal(400, "does-not-fit", str(error)) from error
    return _answer()


def _answer() -> Response:
    """The state after the tap, so that who tapped need not wait for the stream."""
    return Response(own_session().frame(reader_language()).data, mimetype="application/json")


def _seated(change: Change) -> Callable[[KeptGame, Json], list[Change]]:
    def make(kept: KeptGame, _: Json) -> list[Change]:
        taps.check_seated(kept)
        return [change]

    return make
