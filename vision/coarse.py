"""A first guess for every slot: which card, which way up, how far beside the found rectangle."""

import cv2
import numpy as np

from calibration.warp import Floats, Halves

_WIDE = 12
_STEPS = (3, 2)  # coarse pixels that a card may lie off, across and along
_SHIFT_COST = 0.004  # of correlation, a coarse pixel off


class Coarse:
    """Made once for the pictures (m, h, w, 3) of a deck."""

    def __init__(self, pictures: Floats) -> None:
        m, h, w = pictures.shape[:3]
        self.size = (_WIDE, max(6, round(_WIDE * h / w)))
        self.scale = (w / self.size[0], h / self.size[1])
        small = np.stack([cv2.resize(p, self.size, interpolation=cv2.INTER_AREA) for p in pictures])
        both = np.concatenate([small, small[:, ::-1, ::-1]])
        self.wanted = _unit(both.reshape(2 * m, -1))
        # What all cards share says nothing about which one it is, nor which way up.
        self.shared = _unit(self.wanted.mean(axis=0, keepdims=True))
        self.telling = _unit(self.wanted - self.wanted @ self.shared.T @ self.shared)

    def match(
        self, picture: Halves, frames: Floats, gains: Floats
    ) -> list[tuple[Floats, Floats, Floats]]:
        """For cards upright, then turned: moved frames (n, 3, 3) and likeness (n, m) to each.

        Likeness comes twice: of the whole cards, and of what they do not all share.

        `gains` (n, 3) bring the picture into the deck's light.
        """
        w, h = self.size
        dx, dy = _STEPS
        wide = (w + 2 * dx, h + 2 * dy)
        n = len(frames)
        zoom = np.diag([*self.scale, 1.0]).astype(np.float32)
        views = picture.take(frames @ zoom, wide).astype(np.float32) * gains[:, None, None]
        windows = np.lib.stride_tricks.sliding_window_view(views, (h, w), axis=(1, 2))
        rows, columns = windows.shape[1:3]
        flat = windows.transpose(0, 1, 2, 4, 5, 3).reshape(n * rows * columns, -1)
        alike = (_unit(flat) @ self.wanted.T).reshape(n, rows * columns, -1)
        y, x = np.mgrid[-dy : dy + 1, -dx : dx + 1].reshape(2, -1)
        alike -= (_SHIFT_COST * (np.abs(x) + np.abs(y)))[None, :, None].astype(np.float32)
        each = flat.reshape(n, rows * columns, -1)
        m = len(self.wanted) // 2
        ways: list[tuple[Floats, Floats, Floats]] = []
        for part in (slice(0, m), slice(m, 2 * m)):
            best = alike[:, :, part].max(axis=2).argmax(axis=1)
            seen = _unit(each[np.arange(n), best])
            telling = _unit(seen - seen @ self.shared.T @ self.shared) @ self.telling[part].T
            moves = np.tile(np.eye(3, dtype=np.float32), (n, 1, 1))
            moves[:, 0, 2] = x[best] * self.scale[0]
            moves[:, 1, 2] = y[best] * self.scale[1]
            ways.append((frames @ moves, alike[np.arange(n), best, part], telling))
        return ways


def _unit(rows: Floats) -> Floats:
    rows = rows - rows.mean(axis=1, keepdims=True)
    return np.asarray(rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-3), np.float32)
