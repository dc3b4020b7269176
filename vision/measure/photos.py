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
    """Taught from half of the photographs, asked about the pieces new in the other half."""
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
    photos = {frame["photo"]: load_photo(folder / frame["photo"]) for frame in frames}
    first, odd = set(range(len(frames) // 2)), set(range(0, len(frames), 2))
    figures = {}
    for way, shown in (("first half taught", first), ("every other taught", odd)):
        entries = [{"photo": frames[k]["photo"], "cards": frames[k]["new"]} for k in sorted(shown)]
        reader = Reader(table, teach(photos, entries, table).deck)
        pieces, bare = [], []
        for k, frame in enumerate(frames):
            if k in shown:
                continue
            readings = reader.read(photos[frame["photo"]]).slots
            pieces += [
                _verdict(frame["photo"], slot, name, readings)
                for slot, name in frame["new"].items()
            ]
            # What is filled in a later photograph was still bare in this one.
            bare += [
                _verdict(frame["photo"], slot, "empty", readings)
                for later in frames[k + 1 :]
                for slot in later["new"]
            ]
        figures[f"pieces, {way}"] = sum_found(pieces)
        figures[f"bare cells, {way}"] = sum_found(bare)
    return figures


def measure_single_cards(folder: Path) -> dict[str, Any]:
    """Taught from half of the cards, asked about the rest; taught from all, asked about copies."""
    entries = json.loads((folder / "teach.json").read_text("utf-8"))
    photos = {entry["photo"]: load_photo(folder / entry["photo"]) for entry in entries}
    shown = _half(entries)
    part = teach(photos, shown, None).deck
    never_shown = [
        verdict
        for entry in entries
        if entry not in shown
        for verdict in _ask(photos[entry["photo"]], entry, part)
    ]
    whole = teach(photos, entries, None).deck
    rng = np.random.default_rng(21)
    copies = [
        verdict
        for entry in entries
        for verdict in _ask(worsen(photos[entry["photo"]], rng), entry, whole)
    ]
    return {
        "cards never shown, half taught": sum_found(never_shown),
        "worsened copies, all taught": sum_found(copies),
    }


def worsen(image: Image, rng: np.random.Generator) -> Image:
    """The same photograph turned, smaller, darker, tinted, blurred and noisy."""
    h, w = image.shape[:2]
    turn = cv2.getRotationMatrix2D((w / 2, h / 2), rng.uniform(0, 360), rng.uniform(0.45, 0.7))
    rim = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]])
    table = np.median(rim, axis=0).tolist()
    spun = cv2.warpAffine(image, turn, (w, h), borderValue=table)
    soft = cv2.GaussianBlur(spun, (0, 0), rng.uniform(0.4, 1.2)).astype(np.float32)
    tint = rng.uniform(0.5, 1.0) * (1 + rng.uniform(-0.12, 0.12, 3))
    noisy = soft * tint.astype(np.float32) + rng.normal(0, rng.uniform(1, 5), soft.shape)
    return np.asarray(np.clip(np.round(noisy), 0, 255), np.uint8)


def _half(entries: list[dict[str, str]]) -> list[dict[str, str]]:
    # Every other card, chequered over colours and ranks, and at least one of each rank.
    colours = sorted({entry["card"].partition("-")[0] for entry in entries})
    ranks = sorted({entry["card"].partition("-")[2] for entry in entries})
    shown, seen = [], set()
    for entry in entries:
        colour, _, rank = entry["card"].partition("-")
        last = [e for e in entries if e["card"].partition("-")[2] == rank][-1] is entry
        even = (colours.index(colour) + ranks.index(rank)) % 2 == 0
        if even or (last and rank not in seen):
            shown.append(entry)
            seen.add(rank)
    return shown


def _ask(image: Image, entry: Mapping[str, str], deck: Deck) -> tuple[Verdict, ...]:
    return judge_found(find_cards(image, deck), [(entry["card"], None)], entry["photo"])


def _verdict(photo: str, slot: str, truth: str, readings: Mapping[str, Any]) -> Verdict:
    reading = readings[slot]
    said = str(reading.card if reading.card is not None else reading.state)
    place = f"{photo} {slot}"
    return Verdict(place, truth, said, said == truth, reading.sure, reading.confidence)
