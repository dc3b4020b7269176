"""CG-20, CG-21 and the worked cases."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.game import Score, TileScore
from scorer.games.clans_and_glory.numbers import numbers_for
from scorer.games.clans_and_glory.players import play_game
from scorer.games.clans_and_glory.scoring import score
from scorer.record import Record
from scorer.timeline import judge
from tests.scorer.tables import game, setting

A, B, C, D = range(4)


def score_tile(ranks: list[int], shields: tuple[int, ...]) -> TileScore:
    """Tile 1 of four players' table with these ranks, in colours that do not matter."""
    return score_table(ranks, shields).tiles[0]


def score_table(ranks: list[int], shields: tuple[int, ...]) -> Score:
    layout = numbers_for(4).layout
    colours = ("red", "orange", "yellow", "green", "blue", "purple", "white")
    cards = {
        slot: f"{colour}-{rank}"
        for slot, colour, rank in zip(layout.tiles[1], colours, ranks, strict=False)
    }
    stacks = {**dict.fromkeys(layout.tiles, ()), 1: shields}
    return score(layout, cards, stacks, players=4, final=True)


def points(tile: TileScore) -> list[tuple[int, int]]:
    return [(award.player, award.points) for award in tile.awards]


@pytest.mark.parametrize(
    ("ranks", "shields", "expected", "unclaimed"),
    [
        ([4, 4, 6, 6], (A, B), [(A, 8), (B, 12)], 0),
        ([4, 4, 6, 6, 3], (A, B), [(A, 3), (B, 8)], 2),
        ([3, 3, 3, 3, 4, 4], (A, B), [(A, 12), (B, 8)], 0),
        ([3, 3, 4, 4, 7, 7, 7], (A, B, C), [(A, 6), (B, 8), (C, 21)], 0),
        ([3, 3, 4, 4, 7, 7, 7], (A, B), [(A, 6), (B, 8)], 3),
        ([3, 3, 4, 4, 7, 7, 7], (A, B, C, D), [(A, 6), (B, 8), (C, 21)], 0),
        ([3, 5], (A, A), [(A, 3), (A, 5)], 0),
        ([], (A,), [], 0),
        ([3], (), [], 1),
    ],
)
def test_cg_20_worked_cases(
    ranks: list[int], shields: tuple[int, ...], expected: list[tuple[int, int]], unclaimed: int
) -> None:
    tile = score_tile(ranks, shields)
    assert points(tile) == expected
    assert len(tile.unclaimed) == unclaimed
    assert tile.shields == shields


def test_cg_20_the_sum_of_the_rulebook_s_example() -> None:
    assert sum([8, 8, 7, 7, 7, 6, 6, 5]) == 54
    first = score_tile([8, 8, 7, 7, 7, 6, 6], (A, A, A))
    assert sum(award.points for award in first.awards) == 49


def test_cg_20_face_down_cards_are_taken_away() -> None:
    timeline = game("0 1N1 face-down *", start="1N2 red-5")
    (award,) = timeline.score().tiles[0].awards
    assert award.cards == ("red-5",)
    assert timeline.score().tiles[0].unclaimed == ()


def test_cg_20_cards_without_a_number_are_nobody_s() -> None:
    timeline = game("0 1N1 red-queen *", "1 1N3 red-12 *", start="1N2 red-5")
    tile = timeline.score().tiles[0]
    assert points(tile) == [(0, 5), (1, 12)]
    assert tile.unclaimed == ("red-queen",)


def test_cg_21_most_points_then_most_cards_then_shared() -> None:
    more_points = score_table([3, 3, 5], (A, B))
    assert (more_points.winners, [p.place for p in more_points.players]) == ((A,), [1, 2, 3, 3])
    more_cards = score_table([3, 3, 6], (A, B))
    assert [p.points for p in more_cards.players[:2]] == [6, 6]
    assert more_cards.winners == (A,)
    nothing = score_table([3], ())
    assert nothing.winners == (A, B, C, D)


def test_a_score_in_the_middle_is_not_final() -> None:
    assert not game("0 1N1 red-3 *").score().final


@given(st.integers(0, 2**32), st.integers(2, 4), st.randoms(use_true_random=False))
def test_cg_20_the_order_of_tiles_never_matters(seed: int, players: int, shuffler: Random) -> None:
    timeline = judge(play_game(setting(players), seed))
    tiles = list(range(2, len(timeline.rules.layout.tiles)))
    moved = dict(zip(tiles, shuffler.sample(tiles, len(tiles)), strict=True))
    cards = {
        slot if slot in "WE" else f"{moved.get(int(slot[0]), slot[0])}{slot[1:]}": card
        for slot, card in timeline.state.cards.items()
    }
    stacks = {moved.get(tile, tile): stack for tile, stack in timeline.state.stacks.items()}
    again = score(timeline.rules.layout, cards, stacks, players, final=True)
    assert again.players == timeline.score().players


@given(st.integers(0, 2**32), st.integers(2, 4), st.floats(0, 0.5))
def test_a_table_seen_from_the_other_side_is_the_same_table(
    seed: int, players: int, mistakes: float
) -> None:
    record = play_game(setting(players), seed, mistakes)
    tiles = len(judge(record).rules.layout.tiles)

    def turned(slot: str) -> str:
        if slot in "WE":
            return "E" if slot == "W" else "W"
        return f"{tiles + 1 - int(slot[0])}{'S' if slot[1] == 'N' else 'N'}{4 - int(slot[2])}"

    other = Record(
        record.setting,
        {turned(slot): card for slot, card in record.start.items()},
        tuple(replace(turn, slot=turned(turn.slot)) for turn in record.turns),
    )
    mine, theirs = judge(record), judge(other)
    codes = [(f.turn, f.code, sorted(f.cards)) for f in mine.all_findings()]
    assert codes == [(f.turn, f.code, sorted(f.cards)) for f in theirs.all_findings()]
    assert mine.score().players == theirs.score().players
