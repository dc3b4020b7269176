"""The page's words: the same in three languages, all used, none missing."""

import json
import re
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from scorer.sentences import LANGUAGES
from webui.camera import CameraState
from webui.languages import load_page_words

WEBUI = Path(__file__).parent.parent.parent / "webui"
MADE_KEYS = {
    "tab": ("table", "points", "log", "history", "more"),
    "claim": ("proven", "possible", "impossible"),
    "shield": ("red", "blue", "green", "yellow", "white", "black"),
    "history": ("games", "wins", "average", "best"),
    "look": ("auto", "light", "dark", "sound", "buzz"),
    "camera": get_args(CameraState),
    "ruling": ("neighbours-cross-tiles", "last-shield"),
}


def fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def used_keys() -> set[str]:
    """Keys written in scripts and modules, and those made from a list."""
    texts = [f.read_text("utf-8") for f in (*WEBUI.glob("*.py"), *WEBUI.glob("page/*.js"))]
    found = set(re.findall(r"[\"']([a-z]+\.[a-z-]+)[\"']", "\n".join(texts)))
    errors = re.findall(r'Refusal\(\s*\d+, "([a-z-]+)"', "\n".join(texts))
    errors += re.findall(r'"no-link" if .*? else "([a-z-]+)"', "\n".join(texts))
    errors += ["no-link", "malformed", "not-found", "wrong-method", "too-large", "broken"]
    made = {f"{first}.{last}" for first, lasts in MADE_KEYS.items() for last in lasts}
    return found | made | {f"error.{code}" for code in errors}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_words_with_the_same_fields(language: str) -> None:
    english, other = load_page_words("en"), load_page_words(language)
    assert list(english) == list(other)
    for key, sentence in english.items():
        wanted = fields(sentence)
        given = fields(other[key])
        assert given == wanted or (key.endswith(".one") and given <= wanted | {"count"}), key
        assert other[key].strip(), key


def test_every_word_is_used_and_every_used_word_is_there() -> None:
    words = {key.removesuffix(".one") for key in load_page_words("en")}
    used = used_keys()
    files = {"links.json", "journal.sqlite", "index.html", "base.css", "table.css"}
    assert words - used == set()
    missing = {
        key
        for key in used - words - files
        if key.split(".")[0] in {word.split(".")[0] for word in words}
    }
    assert missing == set()


def test_files_are_sorted_so_that_languages_can_be_compared() -> None:
    for language in LANGUAGES:
        text = WEBUI.joinpath("words", f"{language}.json").read_text("utf-8")
        keys = list(json.loads(text))
        assert keys == sorted(keys)
