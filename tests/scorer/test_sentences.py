"""Findings as people read them."""

import json
import string
from importlib.resources import files
from typing import Any

import pytest

from scorer.findings import Finding
from scorer.games.clans_and_glory.numbers import whole_deck
from scorer.sentences import LANGUAGES, load_words, say
from tests.scorer.tables import game

CODES = {
    "unknown-slot",
    "slot-taken",
    "no-match",
    "isolated",
    "not-your-turn",
    "card-not-in-game",
    "card-twice",
    "hand-empty",
    "game-over",
    "shield-elsewhere",
    "shield-second",
    "no-shield-left",
    "setup-count",
    "card-moved",
    "card-missing",
    "card-changed",
}


def fields(words: Any, place: str = "") -> dict[str, set[str]]:
    """Every text of a language file by its place, with the names it fills in."""
    if isinstance(words, str):
        return {place: {name for _, name, _, _ in string.Formatter().parse(words) if name}}
    found: dict[str, set[str]] = {}
    for key, value in words.items():
        found |= fields(value, f"{place}.{key}")
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_a_sentence(language: str) -> None:
    assert set(load_words(language)["findings"]) == CODES


@pytest.mark.parametrize("language", LANGUAGES)
def test_languages_have_the_same_texts_and_fill_in_the_same(language: str) -> None:
    assert fields(load_words(language)) == fields(load_words("en"))


def test_no_language_file_without_its_language() -> None:
    names = {path.name for path in files("scorer").joinpath("languages").iterdir()}
    assert names == {f"{language}.json" for language in LANGUAGES}


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        (
            "en",
            "Red 5 in 3N2 matches nothing: "
            "left of it lies blue 6, opposite lies green 7, right of it is free.",
        ),
        (
            "de",
            "Rot 5 auf 3N2 passt zu nichts: "
            "links davon liegt Blau 6, gegenüber liegt Grün 7, rechts davon ist frei.",
        ),
        (
            "fr",
            "Rouge 5 en 3N2 ne correspond à rien : "
            "à gauche il y a bleu 6, en face il y a vert 7, à droite c'est libre.",
        ),
    ],
)
def test_no_match_says_what_lies_around(language: str, sentence: str) -> None:
    (finding,) = game("0 3N2 red-5", start="3N1 blue-6, 3S2 green-7", players=4).findings(0)
    assert say(finding, whole_deck(), language) == sentence


def test_a_head_has_a_far_and_a_near_side() -> None:
    (finding,) = game("0 W red-5", start="1N1 blue-6").findings(0)
    assert say(finding, whole_deck()) == (
        "Red 5 in W matches nothing: on its far side lies blue 6, opposite is free, "
        "on its near side is free."
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_finding_of_a_very_wrong_game_can_be_said(language: str) -> None:
    wrong = game(
        "1 3N3 red-5 *1 *2",
        "1 9N9 pink-queen *3",
        "0 1N2 face-down",
        "0 4S1 {slot}-5 * * * * * *",
        start="1N2 red-5, 1N1 red-5",
    )
    found = wrong.all_findings()
    assert len({finding.code for finding in found}) >= 9
    for finding in found:
        sentence = say(finding, wrong.rules.deck, language)
        assert sentence[0].isupper() or not sentence[0].isalpha()
        assert sentence.endswith(".")


def test_differences_can_be_said() -> None:
    finding = Finding("card-changed", facts={"card": "red-5", "slot": "W", "other": "face-down"})
    assert say(finding, whole_deck()) == "Red 5 lay in W, and a face-down card lies there now."


def test_deck_words_are_complete() -> None:
    text = files("scorer.games.clans_and_glory").joinpath("deck.json").read_text("utf-8")
    for colour in json.loads(text)["colours"]:
        assert set(colour["words"]) == set(LANGUAGES)
