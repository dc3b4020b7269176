"""Each room can be understood without opening the next: who imports whom."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent
ROOMS = {"scorer", "calibration", "vision", "webui"}
MAY_IMPORT = {
    "scorer": set(),
    "calibration": set(),
    "vision": {"calibration"},
    "webui": {"scorer", "calibration", "vision"},
}
NEVER = {
    "scorer": {"cv2", "numpy", "flask", "threading", "waitress"},
    "calibration": {"flask", "waitress"},
    "vision": {"flask", "waitress"},
    "webui": set(),
}


def imports_of(room: str) -> set[str]:
    """The first names of all modules that a room's files import."""
    names = set()
    for file in TOP.joinpath(room).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.add(node.module.split(".")[0])
    return names


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_a_room_opens_only_the_doors_it_may(room: str) -> None:
    imported = imports_of(room)
    assert imported & ROOMS <= MAY_IMPORT[room] | {room}
    assert not imported & NEVER[room]


def test_the_engine_knows_no_game_by_name() -> None:
    engine = {"events", "findings", "game", "layout", "live", "strict", "timeline", "cards"}
    for name in engine:
        text = TOP.joinpath("scorer", f"{name}.py").read_text("utf-8").lower()
        assert "clans" not in text, name


def test_the_front_door_opens_without_camera_and_web() -> None:
    code = "import sys, cairn; print([m for m in ('cv2', 'numpy', 'flask') if m in sys.modules])"
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=TOP
    )
    assert shown.stdout.strip() == "[]"


def test_no_other_package_stands_at_the_top() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "*.py"], capture_output=True, text=True, check=False, cwd=TOP
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    tops = {line.split("/")[0] for line in listed.stdout.splitlines()}
    assert tops <= ROOMS | {"tests", "cairn.py"}
