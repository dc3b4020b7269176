"""A game as it happens at a table: what the camera sees and people tap becomes turns.

All of it is a pure fold over events: the same events always lead to the same game.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from scorer.cards import FACE_DOWN
from scorer.differences import find_differences
from scorer.errors import BadInput
from scorer.events import (
    Accept,
    AcceptDifference,
    Answer,
    BeginPlay,
    ChangeTurn,
    Event,
    LayTurn,
    PutShield,
    RecordEvent,
    Redo,
    RemoveTurn,
    See,
    SetSetting,
    SetStart,
    Undo,
)
from scorer.findings import Finding
from scorer.game import Setting
from scorer.games import find_game
from scorer.timeline import Timeline

Phase = Literal["set-up", "play", "over"]


@dataclass(frozen=True)
class Question:
    """The camera is not sure of a slot: what it took it for, and the next likeliest."""

    slot: str
    card: str
    also: tuple[str, ...]


@dataclass(frozen=True)
class Overruled:
    """What a person said of a slot, and what the camera had said of it then."""

    card: str | None
    seen: str | None


class LiveGame:
    """One game at one table.

    `seen` is what the camera last said of each slot it was sure of (None: empty); `covered` are
    the slots that something hides now. A slot that was never seen proves nothing, so a game that
    is tapped in without a camera works the same way.
    """

    def __init__(self, setting: Setting) -> None:
        self.timeline = Timeline(setting)
        self.seen: dict[str, str | None] = {}
        self.covered: set[str] = set()
        self._begun = False
        self._questions: dict[str, Question] = {}
        self._overruled: dict[str, Overruled] = {}
        self._accepted: set[tuple[str, str]] = set()

    @property
    def phase(self) -> Phase:
        """Start cards are laid, turns are played, or all is over."""
        if self.timeline.turns == 0 and not self._start_is_complete():
            return "set-up"
        return "over" if self.timeline.state.next_player is None else "play"

    @property
    def recorded(self) -> Mapping[str, str]:
        """What lies in each slot as far as the record goes."""
        return self.timeline.state.cards

    @property
    def questions(self) -> tuple[Question, ...]:
        """The slots whose card people are asked for."""
        return tuple(q for q in self._questions.values() if self.recorded.get(q.slot) == q.card)

    @property
    def unrecorded(self) -> Mapping[str, str]:
        """Cards that the camera sees in slots where the record has none."""
        return MappingProxyType(
            {
                slot: card
                for slot, card in self._lying().items()
                if card is not None and slot not in self.recorded
            }
        )

    @property
    def differences(self) -> tuple[Finding, ...]:
        """Cards that were moved, are missing or changed, until put right or accepted."""
        found = find_differences(self.recorded, self._lying())
        return tuple(f for f in found if (f.code, f.slots[0]) not in self._accepted)

    @property
    def open_findings(self) -> tuple[Finding, ...]:
        """All that is wrong and not accepted; nothing that rests on a card in question."""
        asked = {question.slot for question in self.questions}
        judged = (
            finding
            for finding in self.timeline.all_findings()
            if not asked.intersection(finding.slots) and not self.timeline.is_accepted(finding)
        )
        return (*judged, *self.differences)

    def is_news(self, event: See) -> bool:
        """Whether a sighting can change anything but which slots are covered."""
        if event.state == "covered":
            return False
        value = _content(event)
        overruled = self._overruled.get(event.slot)
        if overruled is not None and value == overruled.seen:
            return False
        if overruled is not None and overruled.card is not None and not event.sure:
            return False
        if event.slot in {question.slot for question in self.questions}:
            return True
        if not event.sure:
            # Glare or a shadow over a known card says nothing.
            return event.slot not in self.recorded
        # An empty slot at first sight is news only where a card should lie.
        first = value is not None or event.slot in self.recorded
        return self.seen[event.slot] != value if event.slot in self.seen else first

    def push(self, event: Event) -> None:
        """Let an event happen; one that does not fit raises BadInput and changes nothing."""
        match event:
            case See():
                self._see(event)
            case Answer():
                self._answer(event)
            case PutShield():
                self._put_shield(event)
            case BeginPlay():
                self._begun = True
            case AcceptDifference():
                if (event.code, event.slot) not in {(f.code, f.slots[0]) for f in self.differences}:
                    raise BadInput(f"{event.code} in {event.slot}: there is no such finding now")
                self._accepted.add((event.code, event.slot))
            case (
                SetSetting()
                | SetStart()
                | LayTurn()
                | ChangeTurn()
                | RemoveTurn()
                | Accept()
                | Undo()
                | Redo()
            ):
                self._overrule(event)

    def _overrule(self, event: RecordEvent) -> None:
        """A person changed the record: for the slots this touches, the camera is overruled."""
        before = dict(self.recorded)
        self.timeline.push(event)
        after = self.recorded
        for slot in before.keys() | after.keys():
            if before.get(slot) != after.get(slot) and slot in self.seen:
                self._overruled[slot] = Overruled(after.get(slot), self.seen[slot])
                self._questions.pop(slot, None)

    def _see(self, event: See) -> None:
        if event.slot not in self.timeline.rules.layout.tile_of:
            raise BadInput(f"slot {event.slot}: there is no such slot on this table")
        if event.state == "covered":
            self.covered.add(event.slot)
            return
        self.covered.discard(event.slot)
        if not self.is_news(event):
            return
        asked = event.slot in {question.slot for question in self.questions}
        value = _content(event)
        self._overruled.pop(event.slot, None)
        self._questions.pop(event.slot, None)
        self.seen[event.slot] = value
        self._forget_accepted(event.slot)
        if not event.sure and value is not None:
            self._questions[event.slot] = Question(event.slot, value, event.also)
        self._follow(event.slot, value, asked)

    def _follow(self, slot: str, value: str | None, asked: bool) -> None:
        """Let the record follow what a slot holds now, where that is a move in the game.

        A card in question, or the one laid last, may still change; an older one that changes or
        goes is a difference, not a turn.
        """
        recorded, turn = self.recorded.get(slot), self._turn_of(slot)
        last = self.timeline.turns - 1
        if recorded == value:
            return
        if self.phase == "set-up" or (slot in self.timeline.start and (asked or last < 0)):
            self._set_start_card(slot, value)
        elif recorded is None and value is not None:
            if not self._has_moved(slot, value):
                self._lay(slot, value)
        elif value is None and turn == last:
            self.timeline.push(RemoveTurn(last))
        elif value is None and self._was_laid_again(slot):
            self._take_for_moved(turn, last)
        elif turn is not None and (asked or turn == last) and value is not None:
            self._change_card(turn, value)

    def _answer(self, event: Answer) -> None:
        slot, card = event.slot, event.card
        if slot not in self.timeline.rules.layout.tile_of:
            raise BadInput(f"slot {slot}: there is no such slot on this table")
        self._questions.pop(slot, None)
        if slot in self.seen:
            self._overruled[slot] = Overruled(card, self.seen[slot])
        self._forget_accepted(slot)
        turn = self._turn_of(slot)
        if self.recorded.get(slot) == card:
            return
        if slot in self.timeline.start or self.phase == "set-up":
            self._set_start_card(slot, card)
        elif turn is not None:
            self.timeline.push(RemoveTurn(turn)) if card is None else self._change_card(turn, card)
        elif card is not None:
            self._lay(slot, card)

    def _put_shield(self, event: PutShield) -> None:
        if event.tile not in self.timeline.rules.layout.tiles:
            raise BadInput(f"tile {event.tile}: there is no such tile on this table")
        at = self._latest_turn_of(event.player) if event.turn is None else event.turn
        turn = self.timeline.turn(at)
        if turn.player != event.player:
            raise BadInput(f"turn {at}: it is not this player's, so no shield of theirs goes there")
        game = find_game(self.timeline.setting.game)
        self.timeline.push(ChangeTurn(at, game.put_shield(turn, event.tile)))

    def _latest_turn_of(self, player: int) -> int:
        """The turn just played if it is this player's, or their last one: a late tap."""
        for number in reversed(range(self.timeline.turns)):
            if self.timeline.turn(number).player == player:
                return number
        raise BadInput(f"player {player}: has played no turn yet, so there is no tile for a shield")

    def _start_is_complete(self) -> bool:
        return self._begun or len(self.timeline.start) >= self.timeline.rules.start_cards

    def _set_start_card(self, slot: str, card: str | None) -> None:
        start = {s: c for s, c in self.timeline.start.items() if s != slot}
        if card is not None:
            start[slot] = card
        self.timeline.push(SetStart(start))

    def _lay(self, slot: str, card: str) -> None:
        """The card is the turn of whoever's turn it is."""
        setting = self.timeline.setting
        player = self.timeline.turns % len(setting.players)
        turn = find_game(setting.game).lay(player, slot, card)
        self.timeline.push(LayTurn(self.timeline.turns, turn))

    def _change_card(self, at: int, card: str) -> None:
        self.timeline.push(ChangeTurn(at, replace(self.timeline.turn(at), card=card)))

    def _has_moved(self, slot: str, card: str) -> bool:
        """Whether this is a card of the record that is gone from its own slot."""
        gone = [s for s, c in self.recorded.items() if c == card and s != slot and s in self.seen]
        return card != FACE_DOWN and any(self._lying()[s] != card for s in gone)

    def _was_laid_again(self, slot: str) -> bool:
        """Whether the turn just played is this slot's card, which was only moved."""
        last = self.timeline.turns - 1
        return last >= 0 and self.timeline.turn(last).card == self.recorded[slot] != FACE_DOWN

    def _take_for_moved(self, turn: int | None, last: int) -> None:
        """The card laid last is no new one; if it was laid just before, that was put right."""
        again = self.timeline.turn(last)
        self.timeline.push(RemoveTurn(last))
        if turn == last - 1:
            before = self.timeline.turn(turn)
            self.timeline.push(ChangeTurn(turn, replace(before, slot=again.slot)))

    def _turn_of(self, slot: str) -> int | None:
        """The turn whose card lies in this slot: the first one that named it."""
        if slot in self.timeline.start:
            return None
        for number in range(self.timeline.turns):
            if self.timeline.turn(number).slot == slot:
                return number
        return None

    def _lying(self) -> dict[str, str | None]:
        """What lies in each seen slot, a person's word before the camera's."""
        asked = {question.slot for question in self.questions}
        lying = {slot: value for slot, value in self.seen.items() if slot not in asked}
        return lying | {slot: word.card for slot, word in self._overruled.items()}

    def _forget_accepted(self, slot: str) -> None:
        self._accepted = {known for known in self._accepted if known[1] != slot}


def replay(events: Iterable[Event]) -> LiveGame:
    """The game that a list of events leads to; the first one is its setting."""
    rest = iter(events)
    first = next(rest, None)
    if not isinstance(first, SetSetting):
        raise BadInput("journal: a game begins with its setting")
    game = LiveGame(first.setting)
    for event in rest:
        game.push(event)
    return game


def _content(event: See) -> str | None:
    if event.state == "empty":
        return None
    return FACE_DOWN if event.state == "face-down" or event.card is None else event.card
