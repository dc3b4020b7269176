"""The page's words: one file a language, used by the page itself and by the server's answers."""

import json
import locale
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from flask import request

from scorer.sentences import LANGUAGES


@cache
def load_page_words(language: str) -> Mapping[str, str]:
    """All words of one of LANGUAGES by key."""
    text = files("webui").joinpath("words", f"{language}.json").read_text("utf-8")
    words: dict[str, str] = json.loads(text)
    return words


def word(key: str, language: str, **fields: object) -> str:
    """One word or sentence of the page."""
    return load_page_words(language)[key].format(**fields)


def reader_language() -> str:
    """What this request asked for by `?language=`, or what its browser prefers."""
    asked = request.args.get("language")
    if asked in LANGUAGES:
        return asked
    return request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0]


def machine_language() -> str:
    """The language of the machine that the page runs on."""
    name = locale.getlocale()[0] or ""
    return next((known for known in LANGUAGES if name.startswith(known)), LANGUAGES[0])
