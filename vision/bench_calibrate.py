"""How exactly, how safely and how fast simulated tables are calibrated."""

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from calibration.calibrate import Calibration, calibrate
from calibration.errors import BadInput
from calibration.layout import Layout
from calibration.quality import card_width
from calibration.turning import half_turned
from vision.simulated import SimulatedTable, print_deck, set_table
from vision.simulated.light import GRADES

ROWS = (0.0, 0.0, 180.0, 90.0, 270.0, 25.0, -40.0)
WRONG = 0.5  # an outline so many card widths off is another slot's


def bench_calibrate(
    layouts: Mapping[int, Layout], tables: int, seed: int, say: Callable[[str], None]
) -> dict[str, Any]:
    """Calibrate random tables of all sizes, lights and directions against the truth."""
    runs = []
    for number in range(seed, seed + tables):
        runs.append(_run(layouts, number))
        if len(runs) % 10 == 0:
            say(f"{len(runs)} of {tables} tables")
    return {grade: _figures([run for run in runs if run["light"] == grade]) for grade in GRADES}


def write_figures(figures: Mapping[str, Any]) -> str:
    """The figures as a table for people."""
    head = (
        "| light | tables | refused | wrong slots | cards found | slot off, mean | 99 of 100 "
        "| processor seconds, mean | most |"
    )
    lines = [head, "|" + "---|" * 9]
    for grade, row in figures.items():
        if row["tables"]:
            lines.append(
                f"| {grade} | {row['tables']} | {row['refused']} | {row['wrong_slots']} "
                f"| {row['found']:.1%} | {row['off_mean']:.1%} | {row['off_99']:.1%} "
                f"| {row['seconds_mean']:.2f} | {row['seconds_most']:.2f} |"
            )
    return "\n".join(lines)


def _run(layouts: Mapping[int, Layout], number: int) -> dict[str, Any]:
    rng = np.random.default_rng([number, 12])
    grade = GRADES[number % len(GRADES)]
    layout = layouts[int(rng.integers(2, 5))]
    row = float(rng.choice(ROWS))
    size = (1080, 1920) if row in (90.0, 270.0) and rng.random() < 0.5 else (1920, 1080)
    simulated = set_table(number, layout, print_deck(number), grade, size, row)
    names = list(layout.slots)
    missing = [names[i] for i in rng.choice(len(names), int(rng.integers(0, 5)), replace=False)]
    empty = simulated.photo({}, 1).image
    backs = simulated.backs_photo(2, missing).image
    start = time.process_time()
    run: dict[str, Any] = {"light": grade, "laid": len(names) - len(missing), "number": number}
    try:
        answer = calibrate(empty, backs, layout)
    except BadInput as error:
        return {**run, "refused": str(error)}
    run["seconds"] = time.process_time() - start
    return {**run, **_judge(answer, simulated)}


def _judge(answer: Calibration, simulated: SimulatedTable) -> dict[str, Any]:
    """How far off each slot is in card widths, under the name it has in this picture."""
    truth = simulated.outlines()
    partner = half_turned(simulated.layout)
    assert partner is not None
    ends = list(truth.values())
    along = ends[-1].mean(axis=0) - ends[0].mean(axis=0)
    upright = abs(along[0]) < 0.27 * abs(along[1])
    if along[1] < 0 if upright else along[0] < 0:
        truth = {slot: np.roll(truth[partner[slot]], 2, axis=0) for slot in truth}
    width = card_width(truth)
    off = [
        float(np.linalg.norm(answer.table.outlines[slot] - corners, axis=1).mean()) / width
        for slot, corners in truth.items()
    ]
    return {"off": off, "found": len(answer.table.found)}


def _figures(runs: list[dict[str, Any]]) -> dict[str, Any]:
    done = [run for run in runs if "off" in run]
    if not done:
        return {"tables": len(runs), "refused": len(runs)}
    off = np.concatenate([run["off"] for run in done])
    seconds = np.array([run["seconds"] for run in done])
    return {
        "tables": len(runs),
        "refused": len(runs) - len(done),
        "refusals": [f"{run['number']}: {run['refused']}" for run in runs if "refused" in run],
        "wrong_slots": int((off > WRONG).sum()),
        "wrong_tables": [run["number"] for run in done if max(run["off"]) > WRONG],
        "found": sum(run["found"] for run in done) / sum(run["laid"] for run in done),
        "off_mean": float(off.mean()),
        "off_99": float(np.quantile(off, 0.99)),
        "seconds_mean": float(seconds.mean()),
        "seconds_most": float(seconds.max()),
    }
