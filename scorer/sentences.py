"""Sentences: what a finding says to people, from the language files keyed by code."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from scorer.cards import FACE_DOWN, Deck, parse_card
from scorer.findings import Finding

LANGUAGES = ("en", "de", "fr")
CARD_FACTS = frozenset({"card", "other"})


def say(finding: Finding, deck: Deck, language: str = "en") -> str:
    """One sentence in one of LANGUAGES; colours are called what the deck calls them."""
    words = load_words(language)
    fields = {name: _fact(name, value, deck, language) for name, value in finding.facts.items()}
    sentence: str = words["findings"][finding.code].format(**fields)
    return sentence[0].upper() + sentence[1:]


def name_card(card: str, deck: Deck, language: str = "en") -> str:
    """A card as people call it: `red 5`, `Rot 5`, `rouge 5`."""
    words = load_words(language)
    parsed = parse_card(card)
    if card == FACE_DOWN or parsed is None:
        return str(words["face-down"])
    colours = {colour.name: colour.words[language] for colour in deck.colours}
    colour = colours.get(parsed.colour, parsed.colour)
    return str(words["card"].format(colour=colour, rank=parsed.rank))


@cache
def load_words(language: str) -> Mapping[str, Any]:
    """The language file."""
    text = files("scorer").joinpath("languages", f"{language}.json").read_text("utf-8")
    words: dict[str, Any] = json.loads(text)
    return words


def _fact(name: str, value: Any, deck: Deck, language: str) -> str:
    words = load_words(language)
    if name in CARD_FACTS:
        return name_card(value, deck, language)
    if name == "around":
        return ", ".join(_side(side, card, deck, language) for side, card in value)
    if name == "wrong_tiles":
        return _wrong_tiles(value, words)
    return str(value)


def _side(side: str, card: str | None, deck: Deck, language: str) -> str:
    around = load_words(language)["around"]
    if card is None:
        return str(around["free"].format(side=around[side]))
    return str(around["card"].format(side=around[side], card=name_card(card, deck, language)))


def _wrong_tiles(tiles: tuple[tuple[int, int], ...], words: Mapping[str, Any]) -> str:
    if not tiles:
        return ""
    each = [words["wrong_tile"].format(count=count, tile=tile) for tile, count in tiles]
    return str(words["wrong_tiles"].format(list=", ".join(each)))
