"""Which card belongs to which slot: lay the layout over the map of possible cards."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.layout import Layout, SlotShape
from calibration.rectangles import (
    Floats,
    Frame,
    Kind,
    card_scales,
    coverage,
    kind_in_frame,
    respond,
)

STEP = 3  # frame pixels a step of the search
LOOSE = 0.25  # how far a card may lie from where the stretched layout says, in card widths
STRETCHES = tuple(float(s) for s in np.geomspace(0.76, 1.32, 12))
ALIKE = 0.97


@dataclass(frozen=True)
class Placing:
    """The layout laid over the frame.

    `quarter`: quarter turns of the layout clockwise in the frame. `scales`: frame pixels a layout
    unit of a card's size, across and down. `centres`: slot -> (x, y) in the frame where its card
    is or would be. `fits`: slot -> how well a card fits there, 0 to 1. `turns`: slot -> degrees
    askew. `claims`: slot -> its fit, less the farther the card lies from where neighbours say.
    `score`: sum of fits of the rigid layout. `rival`: the best score of the same layout
    moved by about a slot.
    """

    quarter: int
    scales: tuple[float, float]
    centres: dict[str, npt.NDArray[np.float64]]
    fits: dict[str, float]
    turns: dict[str, float]
    claims: dict[str, float]
    score: float
    rival: float


def place(frame: Frame, layout: Layout) -> list[Placing]:
    """The likeliest placings, best first: of the four quarter turns those that are as good."""
    found: list[Placing] = []
    sized = [(quarter, card_scales(frame, layout, bool(quarter))) for quarter in (0, 1)]
    best = max(score for _, (_, _, score) in sized)
    for quarter, (across, down, score) in sized:
        if score < 0.85 * best:
            continue
        maps = _maps(frame, layout, (across, down), bool(quarter))
        for turned in (quarter, quarter + 2):
            found.append(_lay_over(frame, layout, (across, down), turned, maps))
    found.sort(key=lambda placing: -placing.score)
    return [placing for placing in found if placing.score >= ALIKE * found[0].score]


def _kind(slot: SlotShape) -> Kind:
    return (slot.w, slot.h, round(slot.turn % 180, 0))


def _maps(
    frame: Frame, layout: Layout, scales: tuple[float, float], quarter: bool
) -> dict[Kind, tuple[Floats, Floats]]:
    """For every kind of slot how well it fits where, and how askew.

    Whether cards are slimmer than in the layout or are seen from the side cannot be told from
    upright ones; so lying ones are tried both ways.
    """
    shapes = [_kind(slot) for slot in layout.slots.values()]
    common = max(set(shapes), key=shapes.count)
    ratio = scales[1] / scales[0]
    maps = {}
    for kind in set(shapes):
        tries = []
        for part in (0.0,) if kind[2] == common[2] else (0.0, 0.5, 1.0):
            # part 0: the ratio is the camera's; part 1: it is the cards'
            lying = kind_in_frame(kind, scales, quarter)
            slim = ratio ** (part if _lies(common, quarter) else -part)
            tries.append(respond(frame, (lying[0] / slim, lying[1] * slim, lying[2])))
        fits = np.stack([fit for fit, _ in tries])
        chosen = fits.argmax(axis=0)[None]
        turns = np.stack([turn for _, turn in tries])
        maps[kind] = (fits.max(axis=0), np.take_along_axis(turns, chosen, axis=0)[0])
    return maps


def _lies(kind: Kind, quarter: bool) -> bool:
    return round((kind[2] + 90 * quarter) / 90) % 2 == 1


def _lay_over(
    frame: Frame,
    layout: Layout,
    scales: tuple[float, float],
    turned: int,
    maps: dict[Kind, tuple[Floats, Floats]],
) -> Placing:
    names = list(layout.slots)
    flat = np.array([(s.x, s.y) for s in layout.slots.values()])
    flat = (flat - flat.mean(axis=0)) @ _quarter_turn(turned).T * scales
    kinds = [_kind(slot) for slot in layout.slots.values()]
    reach = 2 * round(LOOSE * frame.unit * min(kinds[0][:2])) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
    height, width = frame.inside.shape
    span = np.abs(flat).max(axis=0) * max(STRETCHES)
    pad = [int(s) // STEP + 2 for s in span]
    loose = {
        kind: np.pad(cv2.dilate(fit, disc)[::STEP, ::STEP], ((pad[1],) * 2, (pad[0],) * 2))
        for kind, (fit, _) in maps.items()
    }
    room = (-(-height // STEP), -(-width // STEP))
    cards = [kind_in_frame(kind, scales, turned % 2 == 1) for kind in kinds]
    best, where, every = -1.0, flat, []
    for across in STRETCHES:
        for down in STRETCHES:
            points = flat * (across, down)
            total = np.zeros(room, np.float32)
            for (x, y), kind in zip(np.round(points / STEP).astype(int), kinds, strict=True):
                top, left = pad[1] + y, pad[0] + x
                total += loose[kind][top : top + room[0], left : left + room[1]]
            y, x = np.unravel_index(int(total.argmax()), room)
            there = points + np.array([x, y]) * STEP
            score = float(total.max()) * coverage(frame, zip(there, cards, strict=True))
            every.append((score, there))
            if score > best:
                best, where = score, there
    rival = _rival(every, where, scales, kinds[0])
    centres, fits, turns, claims = _settle(where, kinds, maps, frame)
    return Placing(
        turned,
        scales,
        dict(zip(names, centres, strict=True)),
        dict(zip(names, fits, strict=True)),
        dict(zip(names, turns, strict=True)),
        dict(zip(names, claims, strict=True)),
        best,
        rival,
    )


def _rival(
    every: list[tuple[float, npt.NDArray[np.float64]]],
    where: npt.NDArray[np.float64],
    scales: tuple[float, float],
    kind: Kind,
) -> float:
    """The best score among placings in which most slots lie over half a card elsewhere."""
    far = 0.5 * min(kind[:2]) * min(scales)
    scores = [
        score for score, points in every if np.median(np.linalg.norm(points - where, axis=1)) > far
    ]
    return max(scores, default=0.0)


def _settle(
    where: npt.NDArray[np.float64],
    kinds: list[Kind],
    maps: dict[Kind, tuple[Floats, Floats]],
    frame: Frame,
) -> tuple[list[npt.NDArray[np.float64]], list[float], list[float], list[float]]:
    """Move every slot to the top of its map nearby, its neighbours drawing it along."""
    points = where.copy()
    fits, turns = [0.0] * len(kinds), [0.0] * len(kinds)
    card = frame.unit * min(kinds[0][:2])
    for reach in (0.45, 0.4, 0.35):
        tops = points.copy()
        for i, kind in enumerate(kinds):
            tops[i], fits[i], turns[i] = _top(maps[kind], points[i], reach * card)
        points = _drawn_along(where, tops, np.array(fits), card)
    centres = [
        top if fit > 0 else point for top, fit, point in zip(tops, fits, points, strict=True)
    ]
    away = np.linalg.norm(tops - points, axis=1) / card
    claims = np.array(fits) * np.exp(-(away**2) / (2 * LOOSE**2))
    return centres, fits, turns, claims.tolist()


def _top(
    maps: tuple[Floats, Floats], point: npt.NDArray[np.float64], reach: float
) -> tuple[npt.NDArray[np.float64], float, float]:
    fit, turn = maps
    x0, y0 = np.maximum(np.floor(point - 1.6 * reach).astype(int), 0)
    x1, y1 = np.ceil(point + 1.6 * reach).astype(int) + 1
    part = fit[y0:y1, x0:x1]
    if part.size == 0:
        return point, 0.0, 0.0
    y, x = np.mgrid[y0 : y0 + part.shape[0], x0 : x0 + part.shape[1]]
    away = ((x - point[0]) ** 2 + (y - point[1]) ** 2) / reach**2
    at = int((part * np.exp(-away / 2)).argmax())
    row, column = divmod(at, part.shape[1])
    return (
        np.array([x0 + column, y0 + row], float),
        float(part[row, column]),
        float(turn[y0 + row, x0 + column]),
    )


def _drawn_along(
    where: npt.NDArray[np.float64], tops: npt.NDArray[np.float64], fits: Floats, card: float
) -> npt.NDArray[np.float64]:
    """Where neighbours' moves would carry each slot: a local affine fit, weighted by nearness."""
    spread = 5 * card
    moved = np.empty_like(where)
    for i, point in enumerate(where):
        near = fits * np.exp(-(((where - point) ** 2).sum(axis=1)) / (2 * spread**2))
        weight = np.sqrt(near + 1e-9)[:, None]
        terms = np.hstack([np.ones((len(where), 1)), (where - point) / spread])
        square = (terms * weight).T @ (terms * weight) + np.diag([1e-6, 0.05, 0.05])
        answer = np.linalg.solve(square, (terms * weight).T @ ((tops - where) * weight))
        moved[i] = point + answer[0]
    return moved


def _quarter_turn(turned: int) -> npt.NDArray[np.float64]:
    c, s = [(1, 0), (0, 1), (-1, 0), (0, -1)][turned % 4]
    return np.array([[c, -s], [s, c]], float)
