"""Look at every slot of a calibrated table in one picture: follow it, compare its light, and
find the rectangle that lies there."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.bare import fit_empty
from calibration.follow import Followed, Follower
from calibration.light import Light, compare_light, log_ratio, still_empty
from calibration.locate import edges, find_sides, fit_size, locate, pose_matrices
from calibration.photo import Image
from calibration.table import Table
from calibration.warp import Crops, Floats, Halves, frames_of, shrink

SMALLEST, LARGEST = 28, 72  # pixels of card width that slots are looked at with
_COARSE = 4
_THUMB = 8  # picture pixels in one pixel of the thumbnail that shows the light
_MARGIN = 0.36  # of the card's width, around the slot


@dataclass(frozen=True)
class View:
    """All slots in one picture, in the order of the layout.

    `picture`: the picture, made smaller where it had more detail than is used. `frames`: (n, 3, 3)
    of the slots; `cards`: (n, 3, 3) of the rectangles that lie there, `others`: (n, k, 3, 3) where
    they may lie if not, `middles`: (n, 3, 3) if each lay exactly on its slot; `sides`: (n,) 0 to
    1, how clear their four sides are. `coarse`: (n, h, w, 3) crops with a margin, a fourth as
    large. `bare`: (n,) 0 to 1, the part of each slot that still looks empty; `shaded` the
    same if a shadow of its own may lie on it.
    """

    picture: Halves
    frames: Floats
    cards: Floats
    others: Floats
    middles: Floats
    sides: Floats
    coarse: Crops
    bare: Floats
    shaded: Floats
    light: Light
    followed: Followed

    @property
    def image(self) -> Image:
        """The picture with all the detail that is used."""
        return self.picture.levels[0]


class Slots:
    """Made once for a table; looks at its slots in picture after picture."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.names = tuple(table.layout.slots)
        outlines = np.array([table.outlines[name] for name in self.names])
        sides = np.linalg.norm(np.roll(outlines, -1, axis=1) - outlines, axis=2)
        across, along = (sides[:, 0] + sides[:, 2]) / 2, (sides[:, 1] + sides[:, 3]) / 2
        width, height = float(np.median(across)), float(np.median(along))
        card = int(np.clip(round(width / 2) * 2, SMALLEST, LARGEST))
        self.card = (card, max(SMALLEST, round(card * height / width / 2) * 2))
        self.margin = round(_MARGIN * min(self.card) / _COARSE) * _COARSE
        self.size = (self.card[0] + 2 * self.margin, self.card[1] + 2 * self.margin)
        # Detail that is not used would only be noise: shrink pictures to twice the crops at most.
        self.shrink = min(1.0, 1.4 * card / width)
        self.outlines = outlines * self.shrink
        self.places: Floats = self.outlines.mean(axis=1)
        lit = [table.light.get(name, np.ones(3)) for name in self.names]
        self.lit: Floats = np.array(lit, np.float32)
        self.follower = Follower(table)
        self.frames = frames_of(list(self.outlines), self.card)
        self.bare_picture = self._shrunk(table.empty)
        picture = Halves(self.bare_picture)
        self.half_empty = self._halves(picture, self.frames)
        self.empty = shrink(self.half_empty, _COARSE // 2)
        self.quiet = _dilated(edges(self.half_empty))
        self.beside = self._bare_points()
        self.around = self._around(picture, np.eye(3, dtype=np.float32)[None])

    def look(self, image: Image, any_size: bool = False) -> View:
        """All slots in this picture; with `any_size` cards need not be as large as the slots."""
        followed = self.follower.follow(image)
        moves = followed.moves.copy()
        moves[:, :2, 2] *= self.shrink
        frames = moves @ self.frames
        picture = Halves(self._shrunk(image))
        half = self._halves(picture, frames)
        coarse = shrink(half, _COARSE // 2)
        light = compare_light(
            *(coarse, self.empty, self.places),
            *(log_ratio(self._around(picture, moves), self.around), self.beside),
        )
        same = still_empty(half, self.half_empty, light.gains)
        maps = find_sides(half, same, self.quiet)
        half_card = (self.card[0] / 2, self.card[1] / 2)
        wide, high = fit_size(maps, half_card) if any_size else (1.0, 1.0)
        pose, sides = locate(maps, (half_card[0] * wide, half_card[1] * high))
        stretch = np.diag([wide, high, 1.0]).astype(np.float32)
        pose[..., :2] *= 2
        inside = (slice(None), *(slice(self.margin // _COARSE, -(self.margin // _COARSE)),) * 2)
        shaded, _ = fit_empty(coarse[inside], self.empty[inside], light.gains)
        edge = self.margin // 2
        bare = same[:, edge:-edge, edge:-edge].mean(axis=(1, 2))
        cards = frames[:, None] @ pose_matrices(pose) @ stretch
        others = np.concatenate([cards[:, 1:], frames[:, None]], axis=1)
        return View(
            picture=picture,
            frames=frames,
            cards=cards[:, 0],
            others=others,
            middles=frames @ stretch,
            sides=sides[:, 0],
            coarse=coarse,
            bare=bare,
            shaded=shaded,
            light=light,
            followed=followed,
        )

    def _halves(self, picture: Halves, frames: Floats) -> Crops:
        """(n, h, w, 3) the slots with a margin, at half size."""
        double = np.diag([2.0, 2.0, 1.0]).astype(np.float32)
        return picture.take(frames @ double, (self.size[0] // 2, self.size[1] // 2))

    def _bare_points(self) -> Floats:
        """(k, 2) points near the slots where no card comes to lie, in the shrunk picture."""
        w, h = (round(side * self.shrink / _THUMB) for side in self.table.size)
        mask = np.zeros((h, w), np.uint8)
        centres = self.places[:, None]
        for grown, value in ((2.2, 1), (1.5, 0)):
            for outline in (centres + (self.outlines - centres) * grown) / _THUMB:
                cv2.fillConvexPoly(mask, np.round(outline).astype(np.int32), value)
        y, x = np.nonzero(mask)
        points = np.stack([x, y], axis=1)[:: max(1, len(x) // 1500)]
        return ((points + 0.5) * _THUMB).astype(np.float32)

    def _around(self, picture: Halves, moves: Floats) -> Crops:
        """(k, 3) the picture at the bare points, each a mean over a thumbnail's pixel."""
        size = tuple(round(side * self.shrink / _THUMB) for side in self.table.size)
        small = cv2.resize(picture.levels[-1], (size[0], size[1]), interpolation=cv2.INTER_AREA)
        move = np.median(moves, axis=0)
        points = np.c_[self.beside, np.ones(len(self.beside))] @ move[:2].T / _THUMB - 0.5
        place = points.astype(np.float32).reshape(-1, 1, 2)
        found = cv2.remap(small, place, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
        return np.asarray(found.reshape(-1, 3), np.uint8)

    def _shrunk(self, image: Image) -> Image:
        if self.shrink == 1.0:
            return image
        size = (round(image.shape[1] * self.shrink), round(image.shape[0] * self.shrink))
        return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def _dilated(maps: Floats) -> Floats:
    """The strongest edge within a pixel, in (2, n, h, w) maps, held back a little."""
    stack = maps.reshape(-1, maps.shape[-1])
    return 0.7 * cv2.dilate(stack, np.ones((3, 3))).reshape(maps.shape)
