"""A table file keeps everything, and a file that is none says so."""

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.errors import BadInput
from calibration.layout import Layout
from calibration.table import Table, load_table, save_table


@pytest.fixture
def table(two: Layout) -> Table:
    rng = np.random.default_rng(5)
    smooth = np.kron(rng.integers(0, 255, (6, 8, 3)), np.ones((40, 40, 1))).astype(np.uint8)
    return Table(
        layout=two,
        size=(320, 240),
        outlines={slot: shape.corners() for slot, shape in two.slots.items()},
        empty=smooth,
        light={slot: np.array([0.9, 1, 1.25], np.float32) for slot in two.slots},
        back=smooth[:68, :44],
        back_spread=np.full((68, 44), 7, np.float32),
        found=frozenset(["W", "E"]),
        occupied=frozenset(["1N1"]),
        markers={7: np.array([[1, 2], [3, 2], [3, 4], [1, 4]], np.float32)},
    )


def test_all_comes_back(tmp_path: Path, table: Table) -> None:
    save_table(table, tmp_path / "t")
    again = load_table(tmp_path / "t")
    assert again.layout == table.layout
    assert again.size == table.size
    assert list(again.outlines) == list(table.outlines)
    for slot in table.outlines:
        assert np.allclose(again.outlines[slot], table.outlines[slot], atol=1e-3)
        assert np.allclose(again.light[slot], table.light[slot], atol=1e-4)
    assert np.abs(again.empty.astype(int) - table.empty).mean() < 2
    assert again.back is not None
    assert table.back is not None
    assert np.array_equal(again.back, table.back)
    assert again.back_spread is not None
    assert np.allclose(again.back_spread, 7)
    assert (again.found, again.occupied) == (table.found, table.occupied)
    assert np.allclose(again.markers[7], table.markers[7])


def test_equal_tables_are_equal_files(tmp_path: Path, table: Table) -> None:
    save_table(table, tmp_path / "a")
    save_table(table, tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def _rewrite(path: Path, **changes: Any) -> None:
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    data = {**json.loads(members["table.json"]), **changes}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in {**members, "table.json": json.dumps(data).encode()}.items():
            archive.writestr(name, content)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"version": 2}, "is a table of version 2, expected 1; calibrate again"),
        ({"kind": "cairn-deck"}, "is not a table file"),
        ({"outlines": {}}, "damaged"),
        ({"outlines": {"W": [[0, 0]]}}, "damaged"),
        ({"size": [1, 1]}, "the empty picture has another size"),
        ({"light": None}, "damaged"),
        ({"layout": {"size": [1, 1]}}, "layout: slots"),
    ],
)
def test_wrong_content(tmp_path: Path, table: Table, changes: dict[str, Any], words: str) -> None:
    save_table(table, tmp_path / "t")
    _rewrite(tmp_path / "t", **changes)
    with pytest.raises(BadInput, match=words):
        load_table(tmp_path / "t")


def test_no_table_file(tmp_path: Path, table: Table) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        load_table(tmp_path / "none")
    (tmp_path / "text").write_text("hello")
    with pytest.raises(BadInput, match="is not a table file or is damaged"):
        load_table(tmp_path / "text")
    with zipfile.ZipFile(tmp_path / "zip", "w") as archive:
        archive.writestr("other.txt", "hello")
    with pytest.raises(BadInput, match="is not a table file"):
        load_table(tmp_path / "zip")
    save_table(table, tmp_path / "cut")
    (tmp_path / "cut").write_bytes((tmp_path / "cut").read_bytes()[:2000])
    with pytest.raises(BadInput, match="is not a table file or is damaged"):
        load_table(tmp_path / "cut")


def test_says_which_part_is_missing(tmp_path: Path, table: Table) -> None:
    save_table(table, tmp_path / "t")
    with zipfile.ZipFile(tmp_path / "t") as archive:
        content = archive.read("table.json")
    with zipfile.ZipFile(tmp_path / "t", "w") as archive:
        archive.writestr("table.json", content)
    with pytest.raises(BadInput, match=r"damaged \(no 'empty\.jpg' in it\); calibrate again"):
        load_table(tmp_path / "t")


def test_nowhere_to_write(tmp_path: Path, table: Table) -> None:
    with pytest.raises(BadInput, match="cannot be written"):
        save_table(table, tmp_path / "no" / "folder")
