"""Verdicts, sums, report and plots of the bench: each figure means what its name says."""

from collections.abc import Mapping
from types import MappingProxyType
from xml.etree import ElementTree

import numpy as np
import pytest

from vision.measure.plot import draw_plot
from vision.measure.report import write_report
from vision.measure.tally import add_up, reliability, sum_found
from vision.measure.verdict import NO_CARD, Trial, Verdict, judge
from vision.reading import Reading, State
from vision.simulated import Photo


def _photo(hidden: Mapping[str, float]) -> Photo:
    covered = frozenset(slot for slot, part in hidden.items() if part > 0.2)
    return Photo(np.zeros((4, 4, 3), np.uint8), MappingProxyType({}), hidden, covered)


def _said(state: State, card: str | None = None, sure: bool = True) -> Reading:
    return Reading(state, card, 0.9, sure)


def test_a_slot_is_right_when_state_and_card_are() -> None:
    readings = {
        "a": _said("card", "red-5"),
        "b": _said("card", "red-6"),
        "c": _said("empty"),
        "d": _said("face-down"),
        "e": _said("covered"),
    }
    truth = {"a": "red-5", "b": "red-5", "d": "face-down", "e": "blue-3"}
    verdicts = judge(readings, truth, _photo(dict.fromkeys(readings, 0.0)), "here")
    assert [v.right for v in verdicts] == [True, False, True, True, False]


def test_under_a_hand_covered_is_right_and_so_is_seeing_through() -> None:
    readings = {
        "a": _said("covered"),
        "b": _said("card", "red-5"),
        "c": _said("empty"),
        "d": _said("covered"),
    }
    truth = {"a": "red-5", "b": "red-5", "c": "red-5"}
    hidden = {"a": 0.8, "b": 0.3, "c": 0.8, "d": 0.1}
    verdicts = judge(readings, truth, _photo(hidden), "here")
    assert [v.right for v in verdicts] == [True, True, False, True]
    assert [v.truth for v in verdicts] == ["covered", "covered", "covered", "empty"]


def _verdict(right: bool, sure: bool = True, confidence: float = 0.95) -> Verdict:
    return Verdict("here", "red-5", "red-5" if right else "red-6", right, sure, confidence)


def _trial(*boards: tuple[Verdict, ...], failure: str | None = None) -> Trial:
    return Trial(1, "hard", "oval", 2, boards, failure, read_s=(0.02,), decode_s=(0.005,))


def test_shares_are_of_all_slots_and_all_boards() -> None:
    good, bad, shy = _verdict(True), _verdict(False), _verdict(False, sure=False)
    figures = add_up([_trial((good, good), (good, bad)), _trial((good, shy), (good, good))])
    assert figures["slots"] == 8
    assert figures["right"] == 75
    assert figures["wrong_and_sure"] == 12.5
    assert figures["unsure"] == 12.5
    assert figures["boards_right"] == 50
    assert figures["read_to_decode"] == 4


def test_a_table_that_failed_costs_its_boards() -> None:
    good = _verdict(True)
    figures = add_up([_trial((good,), (good,)), _trial(failure="calibrate: too dark")])
    assert figures["boards"] == 4
    assert figures["boards_right"] == 50
    assert figures["failures"] == ["hard 1: calibrate: too dark"]


def test_reliability_sets_claims_against_truth() -> None:
    verdicts = [_verdict(k < 9, confidence=0.92) for k in range(10)] + [_verdict(True, True, 1.0)]
    rows = reliability(verdicts)
    assert [(row["from"], row["readings"], row["right"]) for row in rows] == [
        (0.9, 10, 90.0),
        (0.99, 1, 100.0),
    ]
    assert rows[0]["claimed"] == pytest.approx(92)


def test_a_sure_card_where_none_lies_counts_as_wrong_and_sure() -> None:
    ghost = Verdict("here", NO_CARD, "red-5", False, True, 0.9)
    figures = sum_found([_verdict(True), ghost])
    assert (figures["asked"], figures["right"], figures["wrong_and_sure"]) == (1, 100, 100)


def test_the_report_names_every_grade_and_fault() -> None:
    row = add_up([_trial((_verdict(True), _verdict(False))), _trial(failure="teach: blurred")])
    text = write_report({"grades": {"hard": row}, "memory_mb": {"read": 210.5}})
    for words in ("hard", "teach: blurred", "red-5 read as red-6", "read 210.5 MB"):
        assert words in text


def test_a_plot_is_an_svg_with_a_point_for_each_value() -> None:
    text = draw_plot("Cost & more", "slots", "times", {"read": [(26, 2.5), (38, 3.5), (256, 9)]})
    root = ElementTree.fromstring(text)
    dots = [e for e in root.iter() if e.tag.endswith("circle")]
    heights = [float(dot.attrib["cy"]) for dot in dots]
    assert len(dots) == 3
    assert heights == sorted(heights, reverse=True)


def test_a_plot_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one point"):
        draw_plot("Cost", "slots", "times", {"read": []})
