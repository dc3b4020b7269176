"""The commands as people and programs call them."""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cairn import main
from scorer.games.clans_and_glory.players import play_game
from scorer.record import format_record
from tests.scorer.faulty_games import random_record
from tests.scorer.tables import setting

TOP = Path(__file__).parent.parent


def run(*words: str) -> Result:
    """A command in this process; a traceback would be its exception."""
    return CliRunner().invoke(main, list(words))


def write(path: Path, data: Any) -> str:
    path.write_text(json.dumps(data), "utf-8")
    return str(path)


def legal(path: Path, seed: int = 1) -> str:
    path.write_text(format_record(play_game(setting(2), seed)), "utf-8")
    return str(path)


def test_check_answers_a_line_a_record_and_no_with_exit_1(tmp_path: Path) -> None:
    fine = legal(tmp_path / "fine.json")
    faulty = write(tmp_path / "faulty.json", random_record(2))
    shown = run("check", fine, faulty)
    first, second = (json.loads(line) for line in shown.stdout.splitlines())
    assert first == {"findings": [], "over": True, "next_player": None}
    assert set(second["findings"][0]) == {"turn", "code", "slots", "cards", "text"}
    assert (run("check", fine).exit_code, shown.exit_code) == (0, 1)


def test_score_gives_the_whole_story(tmp_path: Path) -> None:
    shown = run("score", legal(tmp_path / "r.json"))
    data = json.loads(shown.stdout)
    assert shown.exit_code == 0
    assert set(data) == {"final", "winners", "players", "tiles"}
    assert set(data["players"][0]) == {"player", "name", "points", "cards", "place"}
    assert set(data["tiles"][0]) == {"tile", "shields", "awards", "unclaimed"}
    awarded = [award for tile in data["tiles"] for award in tile["awards"]]
    for player in data["players"]:
        own = [award for award in awarded if award["player"] == player["player"]]
        assert player["points"] == sum(award["points"] for award in own)


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Nothing is wrong."), ("de", "Alles in Ordnung."), ("fr", "Tout est en ordre.")],
)
def test_text_for_people(tmp_path: Path, language: str, words: str) -> None:
    path = legal(tmp_path / "r.json")
    assert words in run("check", "--text", "--language", language, path).stdout
    assert "1. " in run("score", "--text", "--language", language, path).stdout


def test_one_bad_record_does_not_hide_the_others(tmp_path: Path) -> None:
    bad = write(tmp_path / "bad.json", {"game": "chess"})
    shown = run("score", bad, legal(tmp_path / "fine.json"), str(tmp_path / "none.json"))
    assert shown.exit_code == 2
    assert len(shown.stdout.splitlines()) == 1
    assert len(shown.stderr.splitlines()) == 2
    assert "bad.json" in shown.stderr
    assert "none.json: cannot be read" in shown.stderr


def test_show_draws_any_turn_and_prints_one_line(tmp_path: Path) -> None:
    path = legal(tmp_path / "r.json")
    shown = run("show", path, "--turn", "3")
    assert "tile 1" in shown.stderr
    assert shown.stdout.startswith("clans-and-glory 2 ")
    assert shown.stdout.rstrip().endswith(" 1")
    wrong = run("show", path, "--turn", "99")
    assert (wrong.exit_code, "turn 99" in wrong.stderr) == (2, True)


def test_position_judges_what_show_prints(tmp_path: Path) -> None:
    line = run("show", legal(tmp_path / "r.json")).stdout.strip()
    shown = run("position", line)
    assert (shown.exit_code, json.loads(shown.stdout)["possible"]) == (0, True)
    other = run("position", "clans-and-glory 2 1N2=red-5 - 0")
    assert (other.exit_code, json.loads(other.stdout)["possible"]) == (1, False)
    assert run("position", "nonsense").exit_code == 2


def names(command: Any = main, words: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Every command, subcommands included."""
    found = [words]
    for name, inner in getattr(command, "commands", {}).items():
        found += names(inner, (*words, name))
    return found


@pytest.mark.parametrize("words", names(), ids=" ".join)
def test_every_command_has_help_with_an_example(words: tuple[str, ...]) -> None:
    shown = run(*words, "--help")
    assert shown.exit_code == 0
    if words and words != ("bench",):
        assert "Example: cairn " in shown.stdout


def test_the_module_runs_as_a_program(tmp_path: Path) -> None:
    command = [sys.executable, str(TOP / "cairn.py"), "check", legal(tmp_path / "r.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("seed", range(40))
def test_mutated_records_never_give_a_traceback(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    data: Any = random_record(seed)
    for _ in range(chance.randint(1, 4)):
        mutate(data, chance)
    for command in ("check", "score"):
        check_answer(run(command, write(tmp_path / "r.json", data)))


def mutate(data: Any, chance: random.Random) -> None:
    """Put something else somewhere into nested JSON."""
    odd: list[Any] = [
        None,
        True,
        -1,
        10**30,
        1.5,
        "",
        "x" * 99,
        "\ud800",
        [],
        {},
        [[]],
        "red-5",
        "face-down",
    ]
    while True:
        keys = list(data) if isinstance(data, dict) else list(range(len(data)))
        if not keys:
            return
        key = chance.choice(keys)
        if not isinstance(data[key], dict | list) or chance.random() < 0.3:
            data[key] = chance.choice(odd)
            return
        data = data[key]


@pytest.mark.parametrize("seed", range(40))
def test_random_bytes_never_give_a_traceback(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    path = tmp_path / "r.json"
    data = bytearray(json.dumps(random_record(seed)).encode())
    if seed % 2:
        data = bytearray(chance.randbytes(chance.randrange(300)))
    for _ in range(chance.randrange(1, 6)):
        data.insert(chance.randrange(len(data) + 1), chance.randrange(256))
    path.write_bytes(data)
    check_answer(run("check", str(path)))


def check_answer(shown: Result) -> None:
    """An answer in JSON, or one line that names the file."""
    assert shown.exception is None or isinstance(shown.exception, SystemExit), shown.exception
    if shown.exit_code == 2:
        assert shown.stderr.startswith("cairn: ")
        assert "r.json" in shown.stderr
        assert len(shown.stderr.splitlines()) == 1
    else:
        assert shown.exit_code in (0, 1)
        json.loads(shown.stdout)
