"""Questions a table asks."""

from hypothesis import given
from hypothesis import strategies as st

from scorer.game import Claim, Left
from scorer.games.clans_and_glory.numbers import numbers_for
from scorer.games.clans_and_glory.players import play_game
from scorer.games.clans_and_glory.rules import ClansRules, ClansState
from scorer.games.clans_and_glory.turns import ClansTurn
from scorer.timeline import Timeline, judge
from tests.scorer.tables import game, setting


def table(timeline: Timeline, turn: int | None = None) -> tuple[ClansRules, ClansState]:
    state = timeline.state if turn is None else timeline.state_before(turn)
    assert isinstance(timeline.rules, ClansRules)
    assert isinstance(state, ClansState)
    return timeline.rules, state


def test_which_slots_take_this_card() -> None:
    rules, state = table(game(start="1N2 red-5, W blue-4"))
    assert rules.slots_for(state, "red-3") == ("1N1", "1N3", "1S2")
    assert rules.slots_for(state, "blue-5") == ("1N1", "1N3", "1S1", "1S2", "E")
    assert rules.slots_for(state, "white-6") == ()


def test_which_unseen_cards_fit_this_slot() -> None:
    rules, state = table(game("0 1N1 red-3", start="1N2 red-5"))
    fitting = rules.cards_for(state, "W")
    assert set(fitting) == {"red-4", "red-6"} | {
        f"{colour.name}-3" for colour in rules.deck.colours if colour.name != "red"
    }
    assert rules.cards_for(state, "1N1") == ()


@given(st.integers(0, 2**32), st.integers(2, 4), st.integers(0, 27))
def test_the_answers_are_those_of_the_judge(seed: int, players: int, number: int) -> None:
    timeline = judge(play_game(setting(players), seed, mistakes=0.1))
    number = min(number, timeline.turns - 1)
    rules, state = table(timeline, number)
    for card in rules.unseen_cards(state)[:5]:
        taking = rules.slots_for(state, card)
        for slot in rules.layout.slots:
            _, found = rules.play(state, ClansTurn(number % players, slot, card))
            assert (slot in taking) == (not found)
            assert (card in rules.cards_for(state, slot)) == (slot in taking)


def test_cg_17_proven_when_nothing_unseen_fits_anywhere() -> None:
    rules, state = table(game(start="1N2 face-down"))
    assert rules.judge_claim(state, 0) == Claim("proven", 28, ())


def test_cg_17_impossible_when_the_hand_must_hold_a_card_that_fits() -> None:
    rules, state = table(game())
    claim = rules.judge_claim(state, 0)
    assert claim.unseen == 20
    assert len(claim.fitting) > 20 - 9
    assert claim.verdict == "impossible"


def test_cg_17_possible_when_nobody_can_tell() -> None:
    rules, state = table(game(start="1N2 red-5"))
    claim = rules.judge_claim(state, 0)
    assert (claim.verdict, claim.unseen, len(claim.fitting)) == ("possible", 27, 9)


@given(st.integers(0, 2**32), st.integers(2, 4))
def test_cg_17_true_claims_are_never_called_impossible(seed: int, players: int) -> None:
    timeline = judge(play_game(setting(players), seed))
    for number in range(timeline.turns):
        if timeline.turn(number).card == "face-down":
            rules, state = table(timeline, number)
            assert rules.judge_claim(state, number % players).verdict != "impossible"


def test_what_everybody_has_left() -> None:
    rules, state = table(game("0 1N1 red-3 *", "1 1N3 red-4"))
    assert rules.left(state) == (Left(8, 4), Left(7, 5))


@given(st.integers(0, 2**32), st.integers(2, 4))
def test_at_the_end_only_the_short_hand_is_sure_to_be_empty(seed: int, players: int) -> None:
    rules, state = table(judge(play_game(setting(players), seed)))
    hands = numbers_for(players).hands
    rounds = hands[-1]
    assert [each.cards for each in rules.left(state)] == [hand - rounds for hand in hands]
