"""Where a watched table is in the picture now, and how it is looked at there."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

import cv2
import numpy as np

from calibration.errors import BadInput
from calibration.photo import Image
from calibration.table import Table
from vision.glance import Floats, Glance
from vision.ground import Ground
from vision.knock import Anchor, moved
from vision.knock import Floats as Moves
from vision.reading import PhotoReading, Reading

_LEAST_SHIFT = 0.8  # pixels
_LEAST_HELD = 0.3  # part of the points that must agree on how the picture moved
_NEAR = 1.3  # heights of a card
_REMAKE = 0.04  # part of a card's width that the picture may move before the reader is made anew


class Reads(Protocol):
    """What reads pictures."""

    def read(
        self, image: Image, only: Sequence[str] | None = None, elsewhere: Collection[str] = ()
    ) -> PhotoReading:
        """Some slots of one picture, knowing which cards lie in the others."""


class View:
    """A table before its camera; `make_reader` is called again when the picture has moved.

    `near`: (n, n) bool, which slots a hand at one slot is likely to be over as well.
    """

    def __init__(self, table: Table, make_reader: Callable[[Table], Reads]) -> None:
        self.slots = tuple(table.layout.slots)
        self._table = table
        self._make_reader = make_reader
        self._home = np.array([table.outlines[slot] for slot in self.slots], np.float32)
        self._card = float(np.median(np.linalg.norm(self._home[:, 1] - self._home[:, 0], axis=1)))
        centres = self._home.mean(axis=1)
        apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
        tall = float(np.median(np.linalg.norm(self._home[:, 2] - self._home[:, 1], axis=1)))
        self.near = apart < _NEAR * tall
        self._move = np.eye(3)
        self._outlines = self._home
        self._glance = Glance(self._home)
        self._ground = Ground(self._home, table.size)
        self._reader, self._reader_at = make_reader(table), self._home
        self._anchor: Anchor | None = None
        self._anchor_move = self._move

    def complete(self, table: Table) -> Table:
        """A new calibration of this table; cards keep the back that was known."""
        if table.back is not None:
            return table
        return replace(table, back=self._table.back, back_spread=self._table.back_spread)

    def fit(self, image: Image) -> Image:
        """The frame at the size of the table's pictures, or BadInput if its shape is another."""
        width, height = self._table.size
        if image.shape[:2] == (height, width):
            return image
        if abs(image.shape[1] * height - image.shape[0] * width) > 0.02 * width * image.shape[0]:
            raise BadInput(
                f"frame: is {image.shape[1]}x{image.shape[0]}, but the table was calibrated at "
                f"{width}x{height}; use the same camera setting or calibrate again"
            )
        small = image.shape[0] < height
        how = cv2.INTER_LINEAR if small else cv2.INTER_AREA
        return np.asarray(cv2.resize(image, (width, height), interpolation=how), np.uint8)

    def look(self, image: Image) -> Floats:
        """A glance at every slot."""
        return self._glance.look(image)

    def read(
        self, image: Image, only: Sequence[str], elsewhere: Collection[str]
    ) -> Mapping[str, Reading]:
        """A close reading of some slots, knowing which cards lie in the others."""
        return self._reader.read(image, only, elsewhere).slots

    def rest(self, image: Image) -> None:
        """Nobody is at the slots now."""
        self._ground.rest(image)

    def disturbed(self, image: Image) -> Floats:
        """(n,) the part of each slot's surroundings that something is over."""
        return self._ground.disturbed(image)

    @property
    def remembers(self) -> bool:
        """Whether it is known how all looks while nothing moves."""
        return self._anchor is not None

    def remember(self, image: Image) -> None:
        """This is how all looks while nothing moves."""
        self._anchor = Anchor(image, self._outlines)
        self._anchor_move = self._move

    def follow(self, image: Image) -> bool | None:
        """Whether the picture has moved since remembered, then followed; None: cannot be told."""
        shift = None if self._anchor is None else self._anchor.shift(image)
        if shift is None or shift.held < _LEAST_HELD:
            return None
        return self._go_along(shift.move @ self._anchor_move)

    def search(self, image: Image) -> bool | None:
        """The same for a picture that may have moved and turned far; takes much longer."""
        move = None if self._anchor is None else self._anchor.search(image)
        return None if move is None else self._go_along(move @ self._anchor_move)

    def _go_along(self, move: Moves) -> bool:
        """Look for the slots where a (3, 3) move has brought them; False: they did not move."""
        outlines = moved(self._home, move)
        far = float(np.median(np.linalg.norm(outlines - self._outlines, axis=2)))
        if far < _LEAST_SHIFT:
            return False
        self._outlines, self._move = outlines, move
        self._glance = Glance(outlines)
        self._ground = Ground(outlines, self._table.size)
        if np.abs(outlines - self._reader_at).max() > _REMAKE * self._card:
            self._reader, self._reader_at = self._make_reader(self._moved_table()), outlines
        return True

    @property
    def shifted_px(self) -> float:
        """How far the slots have moved in the picture since calibration."""
        return float(np.median(np.linalg.norm(self._outlines - self._home, axis=2)))

    def sharpness(self, image: Image) -> float:
        """How much fine detail the slots show, to compare with other frames."""
        low, high = self._outlines.min(axis=(0, 1)), self._outlines.max(axis=(0, 1))
        x0, y0 = np.maximum(low, 0).astype(int)
        x1, y1 = high.astype(int)
        green = np.ascontiguousarray(image[y0:y1:2, x0:x1:2, 1])
        return float(cv2.Laplacian(green, cv2.CV_16S).std())

    def crop(self, image: Image, slot: str) -> Image:
        """(h, w, 3) uint8: a slot upright, with some room around it. KeyError: no such slot."""
        if slot not in self.slots:
            raise KeyError(slot)
        outline = self._outlines[self.slots.index(slot)]
        w, h = (round(float(np.linalg.norm(outline[k + 1] - outline[k])) * 1.2) for k in (0, 1))
        wide = outline.mean(axis=0) + (outline - outline.mean(axis=0)) * 1.2
        flat = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
        onto = cv2.getPerspectiveTransform(np.asarray(wide, np.float32), flat)
        return np.asarray(cv2.warpPerspective(image, onto, (w, h)), np.uint8)

    def _moved_table(self) -> Table:
        outlines = dict(zip(self.slots, self._outlines, strict=True))
        empty = cv2.warpPerspective(
            self._table.empty, self._move, self._table.size, borderMode=cv2.BORDER_REPLICATE
        )
        return replace(self._table, outlines=outlines, empty=np.asarray(empty, np.uint8))
