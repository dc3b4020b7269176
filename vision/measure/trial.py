"""One simulated evening: calibrate, teach and read a table, and hold it against the truth."""

from dataclasses import dataclass, replace
from time import perf_counter

import cv2
import numpy as np
import numpy.typing as npt

from calibration.calibrate import calibrate
from calibration.deck import Deck
from calibration.errors import BadInput
from calibration.layout import Layout
from calibration.table import Table
from calibration.teach import teach
from vision.find import find_cards
from vision.measure.verdict import Trial, Verdict, judge, judge_found
from vision.read import Reader
from vision.simulated import (
    Photo,
    PrintedDeck,
    SimulatedTable,
    print_deck,
    scatter_photo,
    set_table,
)
from vision.simulated.evening import show_cards
from vision.simulated.scene import FACE_DOWN

Image = npt.NDArray[np.uint8]

BOARDS = 3


@dataclass(frozen=True)
class Setting:
    """What a trial varies: which layout, light, cards and picture."""

    layout: Layout
    grade: str
    size: tuple[int, int] = (1920, 1080)
    ranks: tuple[str, ...] = ("3", "4", "5", "6", "7", "8")
    any_direction: bool = True


def run_trial(seed: int, setting: Setting) -> Trial:
    """Everything from four photographs to three boards read."""
    rng = np.random.default_rng([seed, 20])
    printed = print_deck(seed, ranks=setting.ranks)
    simulated = _set(seed, setting, printed, rng)
    blank = Trial(seed, setting.grade, printed.style, len(setting.layout.slots))
    try:
        table, slots_off, calibrate_s = _calibrate(simulated, setting.layout, rng)
    except BadInput as error:
        return replace(blank, failure=f"calibrate: {error}")
    if slots_off > 0.25:
        return replace(
            blank, failure="calibrate: slots are not where they are", slots_off=slots_off
        )
    photos, entries = show_cards(simulated, list(printed.faces))
    start = perf_counter()
    try:
        taught = teach(photos, entries, table)
    except BadInput as error:
        return replace(blank, failure=f"teach: {error}", slots_off=slots_off)
    teach_s = perf_counter() - start
    reader = Reader(table, taught.deck)
    boards, read_s, decode_s = [], [], []
    for number in range(BOARDS):
        photo, cards = _deal(simulated, list(printed.faces), number, rng)
        # What a camera hands over is a JPEG: its decoding is the yardstick.
        jpeg = np.asarray(cv2.imencode(".jpg", photo.image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1])
        decode_s.append(_decode_seconds(jpeg))
        start = perf_counter()
        reading = reader.read(photo.image)
        read_s.append(perf_counter() - start)
        boards.append(judge(reading.slots, cards, photo, f"{setting.grade} {seed}/{number}"))
    return replace(
        blank,
        boards=tuple(boards),
        found=_find(seed, setting, printed, taught.deck, rng),
        slots_off=slots_off,
        calibrate_s=calibrate_s,
        teach_s=teach_s,
        read_s=tuple(read_s),
        decode_s=tuple(decode_s),
    )


def _set(
    seed: int, setting: Setting, printed: PrintedDeck, rng: np.random.Generator
) -> SimulatedTable:
    row = float(rng.uniform(-75, 75)) if setting.any_direction and rng.random() < 0.2 else 0.0
    size = setting.size
    if abs(row) > 45:
        # For a row that runs up and down the camera is turned on its stand.
        size = (size[1], size[0])
    return set_table(seed, setting.layout, printed, setting.grade, size, row)


def _calibrate(
    simulated: SimulatedTable, layout: Layout, rng: np.random.Generator
) -> tuple[Table, float, float]:
    names = list(simulated.slots)
    missing = [str(s) for s in rng.choice(names, int(rng.integers(0, 3)), replace=False)]
    empty, backs = simulated.empty_photo(1).image, simulated.backs_photo(2, missing).image
    start = perf_counter()
    table = calibrate(empty, backs, layout).table
    seconds = perf_counter() - start
    truth = simulated.outlines()
    off = [
        float(np.linalg.norm(table.outlines[name].mean(0) - corners.mean(0)))
        / float(np.linalg.norm(corners[1] - corners[0]))
        for name, corners in truth.items()
    ]
    return table, max(off), seconds


def _deal(
    simulated: SimulatedTable, cards: list[str], number: int, rng: np.random.Generator
) -> tuple[Photo, dict[str, str]]:
    # One board as it lies, one after a knock, one with a hand over it.
    names = [str(name) for name in rng.permutation(list(simulated.slots))]
    filled = round(len(names) * rng.uniform(0.4, 1.0))
    shuffled = [str(card) for card in rng.permutation(cards)]
    laid = dict(zip(names[:filled], shuffled, strict=False))
    for slot in names[: int(rng.integers(0, 4))]:
        if slot in laid:
            laid[slot] = FACE_DOWN
    width = float(np.median([np.linalg.norm(c[1] - c[0]) for c in simulated.outlines().values()]))
    knock, turn, hands = (0.0, 0.0), 0.0, []
    if number == 1:
        angle, reach = rng.uniform(0, 2 * np.pi), rng.uniform(0, width / 5)
        turn = float(rng.uniform(-0.2, 0.2))
        # A turn moves the ends of the row as well: both together stay under a fifth of a card.
        reach = max(0.0, reach - abs(np.radians(turn)) * simulated.camera.size[0] / 2)
        knock = (float(reach * np.cos(angle)), float(reach * np.sin(angle)))
    elif number == 2:
        hands = names[: int(rng.integers(1, 3))]
    photo = simulated.photo(laid, 100 + number, hands, shift=knock, turn=turn)
    return photo, laid


def _find(
    seed: int, setting: Setting, printed: PrintedDeck, deck: Deck, rng: np.random.Generator
) -> tuple[Verdict, ...]:
    cards = [str(card) for card in rng.permutation(list(printed.faces))[: int(rng.integers(1, 15))]]
    photo = scatter_photo(seed, printed, cards, setting.grade)
    found = find_cards(photo.image, deck)
    return judge_found(found, photo.cards, f"{setting.grade} {seed} find")


def _decode_seconds(jpeg: Image) -> float:
    times = []
    for _ in range(3):
        start = perf_counter()
        cv2.imdecode(jpeg, cv2.IMREAD_COLOR)
        times.append(perf_counter() - start)
    return float(np.median(times))
