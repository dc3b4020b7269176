"""The same questions asked of real photographs, where a folder of them is at hand."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.calibrate import calibrate_from_corners
from calibration.deck import Deck
from calibration.layout import layout_from_json
from calibration.photo import load_photo
from calibration.teach import teach
from vision.find import find_cards
from vision.measure.tally import sum_found
from vision.measure.verdict import Verdict, judge_found
from vision.read import Reader

Image = npt.NDArray[np.uint8]


def measure_photos(folder: Path) -> dict[str, Any]:
    """Figures for each known set that lies in the folder."""
    sets = {"board-game-1": measure_board, "single-cards": measure_single_cards}
    return {name: ask(folder / name) for name, ask in sets.items() if (folder / name).is_dir()}


def measure_board(folder: Path) -> dict[str, Any]:
    """Taught from the first half of the photographs, asked about the pieces new in the rest."""
    truth = json.loads((folder / "truth.json").read_text("utf-8"))
    rows, columns = truth["rows"], truth["columns"]
    slots = {
        f"{row + 1}{name}": {"x": column + 0.5, "y": row + 0.5, "w": 1, "h": 1}
        for row in range(rows)
        for column, name in enumerate(columns)
    }
    layout = layout_from_json({"size": [len(columns), rows], "slots": slots}, folder.name)
    start = load_photo(folder / "00.jpg")
    table = calibrate_from_corners(start, np.array(truth["corners"], np.float32), layout).table
    frames = truth["frames"]
    half = len(frames) // 2
    photos = {frame["photo"]: load_photo(folder / frame["photo"]) for frame in frames}
    taught = teach(photos, [_entry(frame) for frame in frames[:half]], table)
    reader = Reader(table, taught.deck)
    pieces, bare = [], []
    for number, frame in enumerate(frames[half:], half):
        readings = reader.read(photos[frame["photo"]]).slots
        for slot, name in frame["new"].items():
            pieces.append(_verdict(frame["photo"], slot, name, readings))
        for later in frames[number + 1 :]:
            bare += [_verdict(frame["photo"], slot, "empty", readings) for slot in later["new"]]
    return {"pieces": sum_found(pieces), "bare": sum_found(bare)}


def measure_single_cards(folder: Path) -> dict[str, Any]:
    """Taught from every other card, asked about the rest; taught from all, asked about copies."""
    entries = json.loads((folder / "teach.json").read_text("utf-8"))
    photos = {entry["photo"]: load_photo(folder / entry["photo"]) for entry in entries}
    colours = sorted({entry["card"].partition("-")[0] for entry in entries})
    ranks = sorted({entry["card"].partition("-")[2] for entry in entries})

    def shown(entry: Mapping[str, str]) -> bool:
        colour, _, rank = entry["card"].partition("-")
        return (colours.index(colour) + ranks.index(rank)) % 2 == 0

    part = teach(photos, [entry for entry in entries if shown(entry)], None).deck
    never_shown = [
        verdict
        for entry in entries
        if not shown(entry)
        for verdict in _ask(photos[entry["photo"]], entry, part)
    ]
    whole = teach(photos, entries, None).deck
    rng = np.random.default_rng(21)
    copies = [
        verdict
        for entry in entries
        for verdict in _ask(worsen(photos[entry["photo"]], rng), entry, whole)
    ]
    return {"never_shown": sum_found(never_shown), "worsened_copies": sum_found(copies)}


def worsen(image: Image, rng: np.random.Generator) -> Image:
    """The same photograph turned, smaller, darker, tinted, blurred and noisy."""
    h, w = image.shape[:2]
    turn = cv2.getRotationMatrix2D((w / 2, h / 2), rng.uniform(0, 360), rng.uniform(0.45, 0.7))
    spun = cv2.warpAffine(image, turn, (w, h), borderMode=cv2.BORDER_REFLECT)
    soft = cv2.GaussianBlur(spun, (0, 0), rng.uniform(0.4, 1.2)).astype(np.float32)
    tint = rng.uniform(0.5, 1.0) * (1 + rng.uniform(-0.12, 0.12, 3))
    noisy = soft * tint.astype(np.float32) + rng.normal(0, rng.uniform(1, 5), soft.shape)
    return np.asarray(np.clip(np.round(noisy), 0, 255), np.uint8)


def _ask(image: Image, entry: Mapping[str, str], deck: Deck) -> tuple[Verdict, ...]:
    return judge_found(find_cards(image, deck), [(entry["card"], None)], entry["photo"])


def _entry(frame: Mapping[str, Any]) -> dict[str, Any]:
    return {"photo": frame["photo"], "cards": frame["new"]}


def _verdict(photo: str, slot: str, truth: str, readings: Mapping[str, Any]) -> Verdict:
    reading = readings[slot]
    said = str(reading.card if reading.card is not None else reading.state)
    place = f"{photo} {slot}"
    return Verdict(place, truth, said, said == truth, reading.sure, reading.confidence)
