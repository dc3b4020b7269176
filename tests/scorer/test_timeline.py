"""Events in, state out: undo, redo and a changed past."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.errors import BadInput
from scorer.events import (
    Accept,
    ChangeTurn,
    LayTurn,
    RecordEvent,
    Redo,
    RemoveTurn,
    SetSetting,
    SetStart,
    Undo,
)
from scorer.games.clans_and_glory.numbers import numbers_for
from scorer.games.clans_and_glory.turns import HERE, ClansTurn
from scorer.record import Record
from scorer.timeline import Timeline, judge
from tests.scorer.tables import START, cards, codes, game, setting, turn

SLOTS = (*numbers_for(2).layout.slots, "9X9")
CARDS = (*numbers_for(2).deck.cards(), "red-8", "face-down")

turns = st.builds(
    ClansTurn,
    player=st.integers(0, 1),
    slot=st.sampled_from(SLOTS),
    card=st.sampled_from(CARDS),
    shields=st.lists(st.sampled_from([HERE, 1, 2, 3, 4]), max_size=2).map(tuple),
)
numbers = st.integers(0, 12)
events = st.one_of(
    st.builds(LayTurn, numbers, turns),
    st.builds(LayTurn, numbers, turns),
    st.builds(ChangeTurn, numbers, turns),
    st.builds(RemoveTurn, numbers),
    st.builds(SetStart, st.dictionaries(st.sampled_from(SLOTS), st.sampled_from(CARDS))),
    st.builds(SetSetting, st.booleans().map(lambda yes: setting(neighbours_cross_tiles=yes))),
    st.builds(Accept, st.none() | numbers, st.sampled_from(["no-match", "isolated"])),
)


def push_what_fits(timeline: Timeline, some: list[RecordEvent]) -> int:
    """Push events, passing over those that do not fit; how many did."""
    count = 0
    for event in some:
        try:
            timeline.push(event)
        except BadInput:
            continue
        count += 1
    return count


def everything(timeline: Timeline) -> object:
    """All that can be asked of a timeline but its undo."""
    states = [timeline.state_before(number) for number in range(timeline.turns + 1)]
    found = timeline.all_findings()
    accepted = [timeline.is_accepted(finding) for finding in found]
    return timeline.record, states, found, accepted, timeline.score()


@given(st.lists(events, max_size=30))
def test_the_state_is_that_of_the_record(some: list[RecordEvent]) -> None:
    timeline = Timeline(setting())
    push_what_fits(timeline, some)
    fresh = judge(timeline.record)
    assert fresh.state == timeline.state
    assert fresh.all_findings() == timeline.all_findings()


@given(st.lists(events, max_size=20), st.lists(events, min_size=1, max_size=6))
def test_undo_of_anything_is_as_if_it_never_happened(
    before: list[RecordEvent], then: list[RecordEvent]
) -> None:
    timeline = Timeline(setting())
    push_what_fits(timeline, before)
    old = everything(timeline)
    count = push_what_fits(timeline, then)
    new = everything(timeline)
    for _ in range(count):
        timeline.push(Undo())
    assert everything(timeline) == old
    for _ in range(count):
        timeline.push(Redo())
    assert everything(timeline) == new


@given(st.lists(events, max_size=20), events)
def test_an_event_that_does_not_fit_changes_nothing(
    before: list[RecordEvent], event: RecordEvent
) -> None:
    timeline = Timeline(setting())
    push_what_fits(timeline, before)
    old = everything(timeline)
    try:
        timeline.push(event)
    except BadInput:
        assert everything(timeline) == old


@given(st.lists(turns, max_size=40), st.booleans())
def test_cards_and_shields_are_conserved(some: list[ClansTurn], last_shield: bool) -> None:
    timeline = judge(Record(setting(last_shield=last_shield), cards(START[2]), tuple(some)))
    state = timeline.state
    tiles = timeline.score().tiles
    face_up = sorted(card for card in state.cards.values() if card != "face-down")
    scored = [card for tile in tiles for award in tile.awards for card in award.cards]
    assert sorted(scored + [card for tile in tiles for card in tile.unclaimed]) == face_up
    for player in range(2):
        placed = sum(stack.count(player) for stack in state.stacks.values())
        assert placed <= 5
    assert len(state.cards) <= 8 + len(some)


@given(st.lists(turns, max_size=40))
def test_judging_is_deterministic(some: list[ClansTurn]) -> None:
    record = Record(setting(), cards(START[2]), tuple(some))
    assert everything(judge(record)) == everything(judge(record))


def test_changing_the_past_judges_all_that_follows_again() -> None:
    timeline = game("0 1N1 red-3", "1 W red-4")
    assert codes(timeline, 1) == []
    timeline.push(ChangeTurn(0, turn("0 1N1 green-5")))
    assert codes(timeline, 1) == ["no-match"]
    timeline.push(ChangeTurn(1, turn("1 W green-3 *")))
    assert (codes(timeline, 1), timeline.state.stacks[1]) == ([], (1,))


def test_a_forgotten_turn_and_one_too_many() -> None:
    timeline = game("0 1N1 red-3", "0 1N3 red-4")
    assert codes(timeline, 1) == ["not-your-turn"]
    timeline.push(LayTurn(1, turn("1 1S1 blue-4")))
    assert [codes(timeline, number) for number in range(3)] == [[], [], []]
    timeline.push(RemoveTurn(1))
    assert codes(timeline, 1) == ["not-your-turn"]


def test_what_is_accepted_stays_with_its_turn() -> None:
    timeline = game("0 1N1 red-3", "1 4N1 blue-3")
    timeline.push(Accept(1, "no-match"))
    timeline.push(LayTurn(0, turn("0 1N3 red-4")))
    (finding,) = [f for f in timeline.all_findings() if f.code == "no-match"]
    assert finding.turn == 2
    assert timeline.is_accepted(finding)


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Undo(), "undo: there is nothing to take back"),
        (Redo(), "redo: nothing was taken back"),
        (LayTurn(5, turn("0 1N1 red-3")), "turn 5: expected a turn from 0 to 1"),
        (LayTurn(0, turn("7 1N1 red-3")), "player 7: there are 2 players"),
        (ChangeTurn(1, turn("0 1N1 red-3")), "turn 1: there are turns 0 to 0"),
        (RemoveTurn(-1), "turn -1: there are turns 0 to 0"),
        (Accept(0, "no-match"), "accept: no-match is no finding of that turn"),
        (SetSetting(setting(3)), "players: their number cannot change once a turn was played"),
    ],
)
def test_events_that_do_not_fit(event: RecordEvent, words: str) -> None:
    timeline = game("0 1N1 red-3")
    with pytest.raises(BadInput, match=words):
        timeline.push(event)


def test_a_new_event_ends_redo() -> None:
    timeline = game()
    seen = []
    for event in (LayTurn(0, turn("0 1N1 red-3")), Undo(), LayTurn(0, turn("0 1N3 red-3"))):
        timeline.push(event)
        seen.append((timeline.can_undo, timeline.can_redo))
    assert seen == [(True, False), (False, True), (True, False)]
