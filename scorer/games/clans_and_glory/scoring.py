"""Scoring: on each tile the i-th shield takes all cards of the i-th lowest rank (CG-20, CG-21)."""

from collections.abc import Mapping

from scorer.cards import FACE_DOWN, parse_card, rank_value
from scorer.game import Award, PlayerScore, Score, TileScore
from scorer.layout import Layout


def score(
    layout: Layout,
    cards: Mapping[str, str],
    stacks: Mapping[int, tuple[int, ...]],
    players: int,
    final: bool,
) -> Score:
    """The whole story, tile by tile and shield by shield."""
    tiles = tuple(
        _score_tile(tile, [cards[s] for s in slots if s in cards], stacks[tile])
        for tile, slots in layout.tiles.items()
    )
    awards = [award for tile in tiles for award in tile.awards]
    sums = [
        (
            sum(award.points for award in awards if award.player == player),
            sum(len(award.cards) for award in awards if award.player == player),
        )
        for player in range(players)
    ]
    places = [1 + sum(other > own for other in sums) for own in sums]
    return Score(
        final=final,
        players=tuple(
            PlayerScore(player, points, count, place)
            for player, ((points, count), place) in enumerate(zip(sums, places, strict=True))
        ),
        tiles=tiles,
    )


def _score_tile(tile: int, cards: list[str], shields: tuple[int, ...]) -> TileScore:
    """Cards whose rank is no number lie there but nobody can take them."""
    by_rank: dict[int, list[str]] = {}
    worthless = []
    for name in cards:
        card = parse_card(name)
        value = rank_value(card.rank) if card else None
        if value is not None:
            by_rank.setdefault(value, []).append(name)
        elif name != FACE_DOWN:
            worthless.append(name)
    ranks = sorted(by_rank)
    awards = tuple(
        Award(player, rank, tuple(by_rank[rank]), rank * len(by_rank[rank]))
        for player, rank in zip(shields, ranks, strict=False)
    )
    left = [card for rank in ranks[len(shields) :] for card in by_rank[rank]]
    return TileScore(tile, shields, awards, (*left, *worthless))
