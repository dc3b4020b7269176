"""`cairn calibrate`: a table file, a picture beside it, JSON on stdout, words on stderr."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from cairn import main
from calibration.photo import load_photo
from calibration.table import load_table
from tests.calibration.conftest import GAME, Shot

CORNERS = "100,150 1300,120 1350,450 80,430"


@pytest.fixture
def photos(tmp_path: Path, shot: Shot) -> Path:
    cv2.imwrite(str(tmp_path / "empty.jpg"), shot.empty)
    cv2.imwrite(str(tmp_path / "backs.jpg"), shot.backs)
    return tmp_path


def _calibrate(folder: Path, *options: str) -> Result:
    files = ["--empty", str(folder / "empty.jpg"), "--out", str(folder / "my.table")]
    return CliRunner().invoke(main, ["calibrate", *files, *options])


def test_from_backs(photos: Path, shot: Shot) -> None:
    result = _calibrate(photos, "--players", "2", "--backs", str(photos / "backs.jpg"))
    assert result.exit_code == 0, result.stderr
    answer = json.loads(result.stdout)
    assert (answer["slots"], answer["found"], answer["inferred"]) == (26, 26, [])
    assert load_photo(answer["picture"]).shape == shot.empty.shape
    table = load_table(answer["table"])
    assert list(table.outlines) == list(shot.layout.slots)
    assert "Look whether the slots are right" in result.stderr


def test_from_corners_and_a_layout_file(photos: Path) -> None:
    layout = str(GAME / "layout-2.json")
    result = _calibrate(photos, "--layout", layout, "--corners", CORNERS)
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["slots"] == 26
    assert (photos / "my.table.png").exists()


def test_a_failure_leaves_a_picture(photos: Path) -> None:
    backs = str(photos / "backs.jpg")
    result = _calibrate(photos, "--players", "4", "--backs", backs)
    assert result.exit_code == 2
    assert "number of players" in result.stderr or "cards found" in result.stderr
    assert (photos / "my.table.png").exists()
    assert not (photos / "my.table").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--players", "2"], "give one of --backs"),
        (["--players", "2", "--corners", "1,2"], "expected four points like"),
        (["--players", "2", "--backs", "none.jpg"], "none.jpg: cannot be read"),
        (["--layout", "none.json", "--corners", CORNERS], "none.json: cannot be read"),
        (["--corners", CORNERS], "give one of --players and --layout"),
        (["--players", "5", "--corners", CORNERS], "5 is not in the range"),
    ],
)
def test_unusable(photos: Path, options: list[str], words: str) -> None:
    result = _calibrate(photos, *options)
    assert result.exit_code == 2
    assert words in result.stderr
    assert "Traceback" not in result.stderr


def test_twelve_megapixels(tmp_path: Path, shot: Shot) -> None:
    for name, photo in (("empty.jpg", shot.empty), ("backs.jpg", shot.backs)):
        cv2.imwrite(str(tmp_path / name), cv2.resize(photo, (4608, 2592)))
    backs = str(tmp_path / "backs.jpg")
    result = _calibrate(tmp_path, "--players", "2", "--backs", backs)
    assert result.exit_code == 0, result.stderr
    truth = shot.table.outlines()
    outlines = load_table(tmp_path / "my.table").outlines
    for slot, corners in truth.items():
        off = np.linalg.norm(outlines[slot].mean(axis=0) / 3.2 - corners.mean(axis=0))
        assert off < 0.2 * np.linalg.norm(corners[1] - corners[0]), slot
