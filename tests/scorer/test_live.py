"""From what a camera sees and people tap to turns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.cards import FACE_DOWN
from scorer.errors import BadInput
from scorer.event_json import event_to_json, read_event
from scorer.events import (
    Accept,
    AcceptDifference,
    Answer,
    BeginPlay,
    ChangeTurn,
    Event,
    LayTurn,
    PutShield,
    Redo,
    See,
    SetSetting,
    SetStart,
    Undo,
)
from scorer.games.clans_and_glory.numbers import numbers_for
from scorer.games.clans_and_glory.players import play_game
from scorer.games.clans_and_glory.turns import ClansTurn
from scorer.live import LiveGame, replay
from scorer.strict import Json
from scorer.timeline import judge
from tests.scorer.tables import START, cards, setting, turn


def see(slot: str, card: str | None, *also: str, sure: bool = True) -> See:
    """A slot settles with a card, face down, or empty (None)."""
    state = "empty" if card is None else "face-down" if card == FACE_DOWN else "card"
    return See(slot, state, None if state != "card" else card, sure, also)


def live(*events: Event) -> LiveGame:
    """A game for two whose start cards the camera has seen, and what happened then."""
    game = LiveGame(setting())
    for slot, card in cards(START[2]).items():
        game.push(see(slot, card))
    for event in events:
        game.push(event)
    return game


def laid(game: LiveGame) -> list[str]:
    """The turns in short."""
    return [f"{t.player} {t.slot} {t.card}" for t in game.timeline.record.turns]


def open_codes(game: LiveGame) -> list[str]:
    return [finding.code for finding in game.open_findings]


def test_start_cards_are_set_up_and_then_the_game_begins() -> None:
    game = LiveGame(setting())
    for slot, card in cards(START[2]).items():
        assert game.phase == "set-up"
        game.push(see(slot, card))
    assert game.phase == "play"
    assert open_codes(game) == []
    game.push(see("1N1", "red-3"))
    assert laid(game) == ["0 1N1 red-3"]


def test_a_start_card_put_elsewhere_is_still_set_up() -> None:
    game = live(see("1N2", None), see("1N3", "red-5"))
    assert game.timeline.start["1N3"] == "red-5"
    assert (laid(game), open_codes(game)) == ([], [])


def test_start_cards_on_a_wrong_tile_are_a_finding_and_the_game_begins_all_the_same() -> None:
    game = live(see("1N2", None), see("2N3", "red-5"), see("1N1", "blue-4"))
    assert laid(game) == ["0 1N1 blue-4"]
    assert open_codes(game)[0] == "setup-count"


def test_the_host_can_begin_with_fewer_start_cards() -> None:
    game = LiveGame(setting())
    for event in (see("1N2", "red-5"), BeginPlay(), see("1N1", "red-3")):
        game.push(event)
    assert laid(game) == ["0 1N1 red-3"]


def test_each_new_card_is_the_turn_of_whoever_is_next() -> None:
    game = live(see("1N1", "red-3"), see("1N3", "red-4"), see("4N1", "blue-4"))
    assert laid(game) == ["0 1N1 red-3", "1 1N3 red-4", "0 4N1 blue-4"]
    assert open_codes(game) == ["no-match"]


def test_a_face_down_card_is_a_declaration() -> None:
    assert laid(live(see("1N1", FACE_DOWN))) == ["0 1N1 face-down"]


def test_a_card_taken_back_up_is_a_take_back() -> None:
    game = live(see("4N1", "blue-4"), see("4N1", None))
    assert (laid(game), open_codes(game)) == ([], [])
    game.push(see("1N1", "red-3"))
    assert laid(game) == ["0 1N1 red-3"]


def test_a_slip_put_right_is_one_turn_though_its_new_place_is_seen_first() -> None:
    game = live(see("4N1", "red-3"), see("1N1", "red-3"), see("4N1", None))
    assert (laid(game), open_codes(game)) == (["0 1N1 red-3"], [])
    game.push(see("1N3", "red-4"))
    assert laid(game) == ["0 1N1 red-3", "1 1N3 red-4"]


def test_a_card_is_asked_for_where_people_said_that_nothing_lay() -> None:
    game = live(see("1N1", "red-3", sure=False), Answer("1N1", None))
    game.push(see("1N1", "red-3", sure=False))
    assert (laid(game), game.questions) == ([], ())
    game.push(see("1N1", "red-4", "red-3", sure=False))
    assert [question.card for question in game.questions] == ["red-4"]
    assert laid(game) == ["0 1N1 red-4"]


def test_the_last_card_can_be_swapped_for_another() -> None:
    assert laid(live(see("1N1", "red-3"), see("1N1", "red-4"))) == ["0 1N1 red-4"]


@pytest.mark.parametrize(
    ("events", "code"),
    [
        ([see("1N1", None)], "card-missing"),
        ([see("1N1", None), see("2N1", "red-3")], "card-moved"),
        ([see("2N1", "red-3"), see("1N1", None)], "card-moved"),
        ([see("1N1", "white-3")], "card-changed"),
        ([see("1N1", FACE_DOWN)], "card-changed"),
    ],
)
def test_an_older_card_that_goes_is_a_finding_until_put_right(events: list[See], code: str) -> None:
    game = live(see("1N1", "red-3"), see("1N3", "red-4"), *events)
    assert code in [finding.code for finding in game.differences]
    for event in (*(see(e.slot, None) for e in events), see("1N1", "red-3")):
        game.push(event)
    assert game.differences == ()
    assert laid(game) == ["0 1N1 red-3", "1 1N3 red-4"]


def test_a_difference_can_be_accepted_and_comes_back_when_the_slot_changes() -> None:
    game = live(see("1N1", "red-3"), see("1N3", "red-4"), see("1N1", None))
    seen = []
    for event in (AcceptDifference("card-missing", "1N1"), see("1N1", "red-3"), see("1N1", None)):
        game.push(event)
        seen.append([finding.code for finding in game.differences])
    assert seen == [[], [], ["card-missing"]]


def test_an_unsure_card_is_asked_for_and_the_game_goes_on_around_it() -> None:
    game = live(see("4N1", "blue-4", "orange-4", sure=False), see("1N3", "red-4"))
    (question,) = game.questions
    assert (question.slot, question.card, question.also) == ("4N1", "blue-4", ("orange-4",))
    assert open_codes(game) == []
    assert laid(game) == ["0 4N1 blue-4", "1 1N3 red-4"]
    game.push(Answer("4N1", "orange-4"))
    assert laid(game) == ["0 4N1 orange-4", "1 1N3 red-4"]
    assert (game.questions, open_codes(game)) == ((), [])


def test_nothing_is_said_that_rests_on_a_card_in_question() -> None:
    game = live(see("1S1", "blue-4", sure=False), see("W", "white-3"))
    assert open_codes(game) == []
    game.push(Answer("1S1", "blue-4"))
    assert open_codes(game) == ["no-match"]


def test_a_better_look_settles_a_question() -> None:
    game = live(see("1N1", "red-3", sure=False), see("1N3", "red-4"), see("1N1", "red-6"))
    assert (game.questions, laid(game)) == ((), ["0 1N1 red-6", "1 1N3 red-4"])


def test_glare_over_a_known_card_is_no_news() -> None:
    game = live(see("1N1", "red-3"), see("1N3", "red-4"), see("1N1", "red-6", sure=False))
    assert (game.questions, game.differences) == ((), ())


def test_a_person_s_answer_stands_until_the_slot_visibly_changes() -> None:
    game = live(see("1N1", "red-3"), see("1N3", "red-4"), Answer("1N1", "red-6"))
    assert laid(game)[0] == "0 1N1 red-6"
    for event in (See("1N1", "covered", None, True), see("1N1", "red-3")):
        game.push(event)
    assert (laid(game)[0], game.differences) == ("0 1N1 red-6", ())
    game.push(see("1N1", None))
    assert [finding.code for finding in game.differences] == ["card-missing"]


def test_a_person_can_say_that_nothing_lies_there() -> None:
    game = live(see("1N1", "red-3"), Answer("1N1", None), see("1N1", "red-3"))
    assert (laid(game), game.differences, dict(game.unrecorded)) == ([], (), {})


def test_undo_of_what_the_camera_saw_is_a_person_s_word() -> None:
    game = live(see("1N1", "red-3"), Undo())
    assert (laid(game), game.differences) == ([], ())
    game.push(Redo())
    assert (laid(game), game.differences) == (["0 1N1 red-3"], ())


def test_covered_slots_prove_nothing() -> None:
    game = live(see("1N1", "red-3"), see("1N3", "red-4"), See("1N1", "covered", None, True))
    assert (game.covered, game.differences) == ({"1N1"}, ())
    game.push(see("1N1", "red-3"))
    assert game.covered == set()


def test_what_is_news() -> None:
    game = live(see("1N1", "red-3"), see("1N3", "red-4"))
    assert not game.is_news(See("2N1", "covered", None, True))
    assert not game.is_news(see("1N1", "red-3"))
    assert not game.is_news(see("1N1", "red-6", sure=False))
    assert game.is_news(see("1N1", None))
    assert game.is_news(see("2N1", "red-6", sure=False))
    game.push(Answer("1N1", "red-6"))
    assert not game.is_news(see("1N1", "red-3"))
    assert game.is_news(see("1N1", "red-5"))


def test_an_empty_slot_at_first_sight_is_news_only_where_a_card_should_lie() -> None:
    game = live(LayTurn(0, turn("0 1N1 red-3")), LayTurn(1, turn("1 2N1 blue-4")))
    assert not game.is_news(see("3N1", None))
    assert game.is_news(see("1N1", None))
    game.push(see("1N1", None))
    assert "card-missing" in open_codes(game)


def test_a_moved_card_is_no_new_turn() -> None:
    game = live(see("1N1", "red-3"), see("1N3", "red-4"), see("1N1", None), see("2N1", "red-3"))
    assert laid(game) == ["0 1N1 red-3", "1 1N3 red-4"]
    assert dict(game.unrecorded) == {"2N1": "red-3"}


def test_a_shield_belongs_to_the_turn_just_played() -> None:
    put = live(see("1N1", "red-3"), PutShield(0, 1))
    taken_back = live(see("1N1", "red-3"), PutShield(0, 1), Undo())
    assert [g.timeline.state.stacks[1] for g in (put, taken_back)] == [(0,), ()]


def test_a_late_tap_goes_to_the_player_s_own_turn() -> None:
    game = live(see("1N1", "red-3"), see("1N3", "red-4"), PutShield(1, 1), PutShield(0, 1))
    assert game.timeline.state.stacks[1] == (0, 1)
    assert open_codes(game) == []


def test_a_tap_for_an_earlier_turn() -> None:
    game = live(see("1N1", "red-3"), see("1N3", "red-4"), see("2N1", "green-5"), PutShield(0, 1, 0))
    assert (game.timeline.state.stacks[1], open_codes(game)) == ((0,), [])


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (PutShield(1, 1), "player 1: has played no turn yet"),
        (PutShield(0, 9), "tile 9: there is no such tile"),
        (PutShield(1, 1, 0), "turn 0: it is not this player's"),
        (PutShield(0, 1, 7), "turn 7: there are turns 0 to 0"),
        (see("9N9", "red-5"), "slot 9N9: there is no such slot"),
        (Answer("9N9", "red-5"), "slot 9N9: there is no such slot"),
        (AcceptDifference("card-missing", "1N1"), "there is no such finding now"),
    ],
)
def test_events_that_do_not_fit(event: Event, words: str) -> None:
    game = live(see("1N1", "red-3"))
    with pytest.raises(BadInput) as caught:
        game.push(event)
    assert words in str(caught.value)
    assert laid(game) == ["0 1N1 red-3"]


def test_everything_works_by_tapping_alone() -> None:
    game = LiveGame(setting())
    for slot, card in cards(START[2]).items():
        game.push(Answer(slot, card))
    game.push(Answer("1N1", "red-3"))
    game.push(PutShield(0, 1))
    game.push(LayTurn(1, turn("1 4N1 blue-4")))
    assert laid(game) == ["0 1N1 red-3", "1 4N1 blue-4"]
    assert open_codes(game) == ["no-match"]
    game.push(Accept(1, "no-match"))
    assert open_codes(game) == []
    game.push(ChangeTurn(1, turn("1 4N1 orange-4")))
    assert open_codes(game) == []


@given(st.integers(0, 2**32), st.integers(2, 4), st.floats(0, 0.3))
def test_a_watched_game_is_the_game_that_was_played(
    seed: int, players: int, mistakes: float
) -> None:
    record = play_game(setting(players), seed, mistakes)
    game = LiveGame(record.setting)
    for slot, card in record.start.items():
        game.push(see(slot, card))
    for played in record.turns:
        assert isinstance(played, ClansTurn)
        game.push(see(played.slot, played.card))
        if played.shields:
            game.push(PutShield(played.player, numbers_for(players).layout.tile_of[played.slot]))
    assert game.timeline.state == judge(record).state
    assert game.timeline.all_findings() == judge(record).all_findings()
    assert game.phase == "over"


EVENTS: list[Event] = [
    SetStart(cards(START[2])),
    LayTurn(0, turn("0 1N1 red-3 * *3")),
    ChangeTurn(0, turn("0 1N1 face-down")),
    Accept(None, "setup-count"),
    Undo(),
    Redo(),
    see("1N1", "red-3", "red-8", sure=False),
    see("1N1", None),
    Answer("1N1", None),
    PutShield(1, 2, 3),
    PutShield(1, 2),
    BeginPlay(),
    AcceptDifference("card-moved", "1N1"),
]


@pytest.mark.parametrize("event", [SetSetting(setting(3)), *EVENTS], ids=repr)
def test_every_event_comes_back_from_its_json(event: Event) -> None:
    data = event_to_json(event, setting())
    assert read_event(Json(data, "journal"), setting()) == event


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (5, "expected an event of one of the kinds"),
        ({"event": "explode"}, "expected an event of one of the kinds setting, start, lay"),
        ({"event": "undo", "x": 1}, "expected only the keys event"),
        ({"event": "lay", "at": -1, "turn": {}}, "at: expected a turn's number from 0"),
        ({"event": "answer", "slot": "W", "card": "x"}, 'card: expected "colour-rank"'),
    ],
)
def test_events_that_cannot_be_read(data: object, words: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_event(Json(data, "journal"), setting())
    assert words in str(caught.value)


def test_a_journal_without_its_setting() -> None:
    with pytest.raises(BadInput, match="begins with its setting"):
        replay(EVENTS)
    with pytest.raises(BadInput, match="expected a first event"):
        read_event(Json({"event": "undo"}, "journal"), None)


@given(st.lists(st.sampled_from(EVENTS), max_size=25))
def test_the_same_events_always_lead_to_the_same_game(events: list[Event]) -> None:
    game = LiveGame(setting())
    happened: list[Event] = [SetSetting(setting())]
    for event in events:
        try:
            game.push(event)
        except BadInput:
            continue
        happened.append(event)
    again = replay(happened)
    assert again.timeline.record == game.timeline.record
    assert again.open_findings == game.open_findings
    assert again.questions == game.questions
