"""Fit what confidence means: `python -m vision.measure.fit_confidence LAYOUT.json [TABLES]`.

Readings of simulated tables, with hands, backs and cards of other decks among them, are held
against the truth, and the chance of being right is fitted to what decided them. The result is
vision/confidence.json. Seeds from 1100 on, none of which is used for the published figures.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import cv2
import numpy as np

from calibration.calibrate import calibrate
from calibration.errors import BadInput
from calibration.layout import Layout, read_layout
from calibration.teach import teach
from calibration.warp import Floats
from vision.confidence import features
from vision.read import Reader
from vision.simulated import Photo, PrintedDeck, SimulatedTable, print_deck, set_table
from vision.simulated.evening import show_cards
from vision.simulated.light import GRADES
from vision.simulated.scene import FACE_DOWN

FIRST, TABLES, BOARDS = 1100, 60, 3
STRANGE = "strange"

Rows = dict[str, list[tuple[Floats, bool]]]


def collect(layout: Layout, seed: int, grade: str, rows: Rows) -> None:
    """Add the features of every slot of a table's boards, and whether each claim held."""
    own, other = print_deck(seed), print_deck(seed + 5000)
    deck = replace(own, faces=MappingProxyType({**own.faces, **_strange(own, other)}))
    table = set_table(seed, layout, deck, grade)
    calibrated = calibrate(table.empty_photo(1).image, table.backs_photo(2).image, layout).table
    truth_at = table.outlines()
    off = max(float(np.abs(calibrated.outlines[s] - truth_at[s]).max()) for s in truth_at)
    if off > 15:
        # Slots that are not where they should be say nothing about the reading of cards.
        raise BadInput("the table was calibrated wrongly")
    cards = list(own.faces)
    photos, entries = show_cards(table, cards)
    reader = Reader(calibrated, teach(photos, entries, calibrated).deck)
    for photo, laid in _boards(table, deck, cards, seed):
        evidence = reader.weigh(reader.slots.look(photo.image))
        numbers = features(evidence)
        for i, slot in enumerate(reader.slots.names):
            best = int(evidence.best[i])
            claim = "back" if best == len(reader.cards) else "card"
            said = FACE_DOWN if claim == "back" else reader.cards[best]
            truth = laid.get(slot)
            hidden = photo.hidden[slot] > 0.15
            rows[claim].append((numbers[i], said == truth))
            rows["empty"].append((numbers[i], truth is None and not hidden))
            strange = truth is not None and truth.startswith(STRANGE)
            rows["covered"].append((numbers[i], hidden or strange))


def fit(rows: list[tuple[Floats, bool]]) -> list[float]:
    """Weights of a logistic regression, kept small."""
    x = np.array([r[0] for r in rows], np.float64)
    y = np.array([r[1] for r in rows], np.float64)
    weights = np.zeros(x.shape[1])
    for _ in range(60):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        slope = x.T @ (y - p) - weights
        bend = (x * (p * (1 - p))[:, None]).T @ x + np.eye(x.shape[1])
        step = np.linalg.solve(bend, slope)
        weights += step * min(1.0, 2.0 / float(np.abs(step).max() + 1e-9))
    return [round(float(w), 4) for w in weights]


def _strange(own: PrintedDeck, other: PrintedDeck) -> dict[str, np.ndarray]:
    h, w = next(iter(own.faces.values())).shape[:2]
    few = list(other.faces.values())[::5]
    return {f"{STRANGE}-{k}": np.asarray(cv2.resize(f, (w, h))) for k, f in enumerate(few)}


def _boards(
    table: SimulatedTable, deck: PrintedDeck, cards: list[str], seed: int
) -> Iterator[tuple[Photo, Mapping[str, str]]]:
    rng = np.random.default_rng([seed, 30])
    strange = [name for name in deck.faces if name.startswith(STRANGE)]
    for number in range(BOARDS):
        order = [str(slot) for slot in rng.permutation(list(table.slots))]
        dealt = [str(card) for card in rng.permutation(cards)]
        filled = int(rng.integers(len(order) // 4, len(order) - 4))
        laid = dict(zip(order[:filled], dealt, strict=False))
        laid |= dict.fromkeys(order[filled : filled + 2], FACE_DOWN)
        if number:
            laid[order[filled + 2]] = str(rng.choice(strange))
        hands = [[], order[-1:], order[:2]][number]
        x, y = rng.uniform(-8, 8, 2) * (number == 1)
        yield table.photo(laid, 200 + number, hands, shift=(float(x), float(y))), laid


def main() -> None:
    """Collect, fit, and write the file beside the module that reads it."""
    layout = read_layout(Path(sys.argv[1]))
    tables = int(sys.argv[2]) if len(sys.argv) > 2 else TABLES
    rows: Rows = {"card": [], "back": [], "empty": [], "covered": []}
    for k in range(tables):
        try:
            collect(layout, FIRST + k, GRADES[k % len(GRADES)], rows)
        except BadInput as error:
            print(f"{FIRST + k}: {error}", file=sys.stderr)
        print(f"{k + 1} of {tables}", file=sys.stderr)
    place = Path(__file__).parent.parent / "confidence.json"
    fitted = {name: fit(found) for name, found in sorted(rows.items())}
    place.write_text(json.dumps(fitted) + "\n", "utf-8")


if __name__ == "__main__":
    main()
