"""The rules against a second referee: finding by finding, point by point."""

from collections import Counter
from typing import Any

import pytest

from scorer.record import read_record
from scorer.report import check_to_json, score_to_json
from scorer.strict import Json
from scorer.timeline import judge
from tests.scorer import referee
from tests.scorer.faulty_games import random_record

GAMES = 600


def in_any_order(data: Any) -> Any:
    """Findings and cards without their order, which the rules leave open."""
    if isinstance(data, dict):
        return {key: in_any_order(value) for key, value in data.items() if key != "text"}
    if isinstance(data, list):
        ordered = [in_any_order(value) for value in data]
        return ordered if all(isinstance(v, int) for v in data) else sorted(ordered, key=repr)
    return data


@pytest.mark.parametrize("part", range(6))
def test_no_difference_at_all(part: int) -> None:
    for seed in range(part, GAMES, 6):
        data = random_record(seed)
        game = judge(read_record(Json(data, f"game {seed}")))
        assert in_any_order(check_to_json(game)) == in_any_order(referee.check(data)), seed
        assert in_any_order(score_to_json(game)) == in_any_order(referee.score(data)), seed


def test_the_games_have_every_kind_of_mistake_and_none() -> None:
    found = [referee.check(random_record(seed))["findings"] for seed in range(GAMES)]
    codes = Counter(finding["code"] for one in found for finding in one)
    assert len(codes) == 13
    assert min(codes.values()) >= 30
    assert sum(not one for one in found) >= GAMES / 3
