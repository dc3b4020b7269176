"""`cairn bench vision`: how well and how fast the eyes see, on tables nobody tuned them for."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from calibration.layout import Layout, layout_from_json
from vision.measure.memory import measure_memory
from vision.measure.photos import measure_photos
from vision.measure.plot import draw_plot
from vision.measure.tally import add_up
from vision.measure.trial import Setting, run_trial
from vision.simulated.light import GRADES

RANKS = ("3", "4", "5", "6", "7", "8")
PARTS = ("lights", "slots", "widths", "memory")
WIDTHS = (40, 60, 80, 100, 130, 160)
# A row of six tiles in a picture of 1920 pixels: what a card's width comes to.
USUAL_WIDTH = 70

Say = Callable[[str], None]


def bench_vision(
    layouts: Mapping[int, Layout],
    tables: int,
    seed: int,
    say: Say,
    grades: Sequence[str] = GRADES,
    parts: Sequence[str] = PARTS,
    photos: Path | None = None,
) -> dict[str, Any]:
    """The figures of each part, and of real photographs if there is a folder of them.

    `layouts` by number of players; tables take the seeds from `seed` on.
    """
    figures: dict[str, Any] = {"seed": seed, "tables": tables}
    few = max(2, tables // 20)
    if "lights" in parts:
        figures["grades"] = {g: _in_light(g, layouts, tables, seed, say) for g in grades}
    if "slots" in parts:
        figures["slots"] = _by_slots(layouts, few, seed, say)
    if "widths" in parts:
        figures["widths"] = _by_width(layouts[max(layouts)], few, seed, say)
    if "memory" in parts:
        say("memory")
        figures["memory_mb"] = measure_memory(seed, layouts[max(layouts)])
    if photos is not None:
        say("real photographs")
        figures["photos"] = measure_photos(photos)
    return figures


def draw_plots(figures: Mapping[str, Any]) -> dict[str, str]:
    """SVG texts by file name."""
    drawn = {}
    for key, across in (("slots", "slots on the table"), ("widths", "card width in pixels")):
        if key not in figures:
            continue
        rows = {float(name): row for name, row in figures[key].items()}
        right = [(x, row["right"]) for x, row in rows.items() if row["right"] is not None]
        cost = [(x, row["read_to_decode"]) for x, row in rows.items() if row["read_to_decode"]]
        drawn[f"accuracy-by-{key}.svg"] = draw_plot(
            f"Slots right by {across}", across, "percent", {"right": right}
        )
        drawn[f"cost-by-{key}.svg"] = draw_plot(
            f"Cost by {across}", across, "times its decoding", {"read": cost}
        )
    return drawn


def grid_layout(columns: int, rows: int) -> Layout:
    """A plain grid of slots, for tables far larger than any game's."""
    slots = {
        f"{row + 1}{chr(65 + column // 26)}{chr(65 + column % 26)}": {
            "x": 26 + 48 * column,
            "y": 38 + 74 * row,
            "w": 44,
            "h": 68,
        }
        for row in range(rows)
        for column in range(columns)
    }
    data = {"name": "grid", "size": [4 + 48 * columns, 2 + 74 * rows], "slots": slots}
    return layout_from_json(data, "grid")


def _in_light(
    grade: str, layouts: Mapping[int, Layout], tables: int, seed: int, say: Say
) -> dict[str, Any]:
    trials = []
    players = list(layouts)
    for k in range(tables):
        count = players[k % len(players)]
        setting = Setting(layouts[count], grade, ranks=RANKS[: count + 2])
        trials.append(run_trial(seed + k, setting))
        say(f"{grade}: table {k + 1} of {tables}")
    return add_up(trials)


def _by_slots(layouts: Mapping[int, Layout], few: int, seed: int, say: Say) -> dict[str, Any]:
    settings = [
        Setting(layout, "ordinary", ranks=RANKS[: count + 2], any_direction=False)
        for count, layout in layouts.items()
    ]
    many = tuple(str(rank) for rank in range(3, 15))
    # A picture large enough that a card is as wide in it as in the others.
    large = Setting(grid_layout(32, 8), "ordinary", (2880, 1620), many, any_direction=False)
    rows = {}
    for setting in (*settings, large):
        count = len(setting.layout.slots)
        say(f"{count} slots")
        rows[str(count)] = add_up([run_trial(seed + k, setting) for k in range(few)])
    return rows


def _by_width(layout: Layout, few: int, seed: int, say: Say) -> dict[str, Any]:
    rows = {}
    for width in WIDTHS:
        say(f"cards {width} pixels wide")
        size = (round(960 * width / USUAL_WIDTH) * 2, round(540 * width / USUAL_WIDTH) * 2)
        setting = Setting(layout, "ordinary", size, any_direction=False)
        rows[str(width)] = add_up([run_trial(seed + k, setting) for k in range(few)])
    return rows
