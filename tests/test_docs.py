"""README and docs say what is true."""

import json
import re
import shlex
from pathlib import Path

import click
import pytest

from cairn import main
from calibration.entries import check_entries
from scorer.games.clans_and_glory.rules import RULINGS
from scorer.record import read_record
from scorer.sentences import load_words
from scorer.strict import Json
from scorer.timeline import judge

TOP = Path(__file__).parent.parent
PAGES = [TOP / "README.md", *sorted((TOP / "docs").glob("*.md"))]


def commands(page: Path) -> list[str]:
    """The lines of code blocks that call cairn, without the words for people after them."""
    lines = re.findall(r"^ {4,}(?:\$ )?(cairn .*)$", page.read_text("utf-8"), re.MULTILINE)
    fenced = re.findall(r"^```\w*\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    lines += [line for block in fenced for line in block.splitlines() if line.startswith("cairn ")]
    lines += re.findall(r"`(cairn [^`]+)`", page.read_text("utf-8"))
    return [re.split(r"\s{2,}|\s#", line)[0] for line in lines]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_in_the_docs_exists(page: Path) -> None:
    for line in commands(page):
        command: click.Command = main
        words = shlex.split(line)[1:]
        while isinstance(command, click.Group) and words and not words[0].startswith("-"):
            assert words[0] in command.commands, line
            command = command.commands[words.pop(0)]
        known = {option for parameter in command.params for option in parameter.opts}
        given = {word.split("=")[0] for word in words if word.startswith("-")}
        assert given <= known | {"--help"}, line


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


def test_the_record_in_the_docs_is_one() -> None:
    text = TOP.joinpath("docs/records.md").read_text("utf-8")
    (block,) = re.findall(r"^```json\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    game = judge(read_record(Json(json.loads(block), "docs")))
    assert [finding.code for finding in game.all_findings()] == ["shield-elsewhere"]


def test_what_teaching_is_shown_can_be_taught() -> None:
    text = TOP.joinpath("docs/teaching.md").read_text("utf-8")
    blocks = re.findall(r"^```json\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        check_entries(json.loads(block), "docs")


def test_all_codes_and_rulings_are_in_the_docs() -> None:
    text = TOP.joinpath("docs/rules.md").read_text("utf-8")
    for name in (*load_words("en")["findings"], *RULINGS):
        assert f"`{name}`" in text, name


def test_make_has_the_targets_of_the_readme() -> None:
    makefile = TOP.joinpath("Makefile").read_text("utf-8")
    for target in re.findall(r"make (\w+)", TOP.joinpath("README.md").read_text("utf-8")):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
