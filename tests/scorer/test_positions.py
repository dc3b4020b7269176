"""Positions that nobody saw arise."""

from collections.abc import Mapping
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.games.clans_and_glory.numbers import numbers_for
from scorer.games.clans_and_glory.players import play_game
from scorer.games.clans_and_glory.positions import judge_position
from scorer.games.clans_and_glory.rules import ClansRules
from scorer.timeline import judge
from tests.scorer.tables import START, cards, setting

RULES = {players: ClansRules(setting(players)) for players in (2, 3, 4)}


@given(st.integers(0, 2**32), st.integers(2, 4), st.integers(0, 28))
def test_every_legal_game_is_possible_at_any_turn(seed: int, players: int, turn: int) -> None:
    timeline = judge(play_game(setting(players), seed))
    lying = timeline.state_before(min(turn, timeline.turns)).cards
    judged = judge_position(RULES[players], lying)
    assert judged.possible
    assert judged.findings == ()
    assert order_is_legal(players, lying, judged.start, judged.order)
    known = judge_position(RULES[players], lying, frozenset(timeline.start))
    assert known.possible
    assert set(known.start) == set(timeline.start)


def order_is_legal(
    players: int, lying: Mapping[str, str], start: tuple[str, ...], order: tuple[str, ...]
) -> bool:
    """Lay the start cards, then the others one by one, each where it fits."""
    face_up = {slot: card for slot, card in lying.items() if card != "face-down"}
    on_table = {slot: face_up[slot] for slot in start}
    counts = [sum(slot in on_table for slot in slots) for slots in tiles(players)]
    for slot in order:
        if not RULES[players].fits(on_table, slot, face_up[slot]):
            return False
        on_table[slot] = face_up[slot]
    per_tile = numbers_for(players).start_cards_per_tile
    return on_table.keys() == face_up.keys() and set(counts) == {per_tile}


def tiles(players: int) -> list[tuple[str, ...]]:
    return list(numbers_for(players).layout.tiles.values())


def best_by_trying_all(players: int, lying: dict[str, str]) -> int:
    """The fewest groups without a start card, over every choice of start cards."""
    rules = RULES[players]
    per_tile = numbers_for(players).start_cards_per_tile
    choices = [
        list(combinations([s for s in slots if s in lying], per_tile)) for slots in tiles(players)
    ]
    fewest = len(lying)
    for choice in product(*choices):
        reached = {slot for picked in choice for slot in picked}
        missing = 0
        while True:
            laid = {slot: lying[slot] for slot in reached}
            grown = {slot for slot in lying if rules.fits(laid, slot, lying[slot])}
            if grown:
                reached |= grown
            elif reached >= lying.keys():
                break
            else:
                reached.add(next(slot for slot in lying if slot not in reached))
                missing += 1
        fewest = min(fewest, missing)
    return fewest


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_the_number_of_illegal_cards_is_that_of_trying_everything(seed: int) -> None:
    random = Random(seed)
    slots = [random.sample(on_tile, 3) for on_tile in tiles(3)]
    deck = random.sample(numbers_for(3).deck.cards(), 15)
    lying = dict(zip((slot for three in slots for slot in three), deck, strict=True))
    judged = judge_position(RULES[3], lying)
    assert judged.short == best_by_trying_all(3, lying)
    assert judged.possible == (judged.short == 0)
    assert bool(judged.groups) == bool(judged.short)


def test_two_lonely_cards_on_one_tile_cannot_both_be_start_cards() -> None:
    lying = cards(START[3] + ", 1S3 white-6")
    judged = judge_position(RULES[3], lying)
    assert not judged.possible
    assert judged.short == 1
    assert {slot for group in judged.groups for slot in group} == {"1N2", "1S3"}
    assert judged.never == ()


def test_with_known_start_cards_the_card_itself_is_named() -> None:
    lying = cards(START[3] + ", 1S3 white-6")
    judged = judge_position(RULES[3], lying, frozenset(cards(START[3])))
    assert judged.never == ("1S3",)
    assert [finding.code for finding in judged.findings] == ["isolated"]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ("1S1 red-8", "card-not-in-game"),
        ("1N1 red-5", "card-twice"),
        ("9N9 red-4", "unknown-slot"),
    ],
)
def test_impossible_cards(more: str, code: str) -> None:
    judged = judge_position(RULES[3], cards(f"{START[3]}, {more}"))
    assert code in [finding.code for finding in judged.findings]
    assert not judged.possible


def test_a_tile_with_too_few_cards_for_its_start() -> None:
    judged = judge_position(RULES[3], cards("1N2 red-5"))
    (finding,) = judged.findings
    assert finding.code == "setup-count"


def test_more_cards_than_a_game_has() -> None:
    slots = numbers_for(2).layout.slots
    lying = dict(zip(slots, numbers_for(2).deck.cards(), strict=False))
    assert "game-over" in [finding.code for finding in judge_position(RULES[2], lying).findings]
