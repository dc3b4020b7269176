"""The simulated table as a camera: a film that is played while it is made."""

from collections.abc import Callable, Iterator

from vision.cameras.files import Pace
from vision.cameras.frame import Ended, Shot
from vision.cameras.source import Source
from vision.simulated.film import Film, FilmFrame
from vision.simulated.moves import Move


class Screening:
    """A film shown in real time, or `speed` times as fast as far as the machine can draw it."""

    def __init__(self, film: Film, speed: float, tell: Callable[[Move], None]) -> None:
        self._size, self._rate = film.size, film.rate
        self._pace = Pace(film.rate * speed)
        self._frames: Iterator[FilmFrame] = film.frames(self._pace.is_late)
        self._tell = tell

    def words(self) -> str:
        """Resolution and rate."""
        width, height = self._size
        return f"simulated table, {width}x{height}, {self._rate:.0f} frames a second"

    def grab(self) -> Shot:
        """The next frame, when it is time for it."""
        frame = next(self._frames, None)
        if frame is None:
            raise Ended
        self._pace.wait()
        for move in frame.done:
            self._tell(move)
        return Shot(None, data=frame.jpeg)

    def close(self) -> None:
        """Nothing is held open."""


def screen(
    film: Film, speed: float = 1.0, tell: Callable[[Move], None] = lambda move: None
) -> Source:
    """A Source that shows the film once; `tell` hears of every move when it is done."""
    screening = Screening(film, speed, tell)
    return Source("simulated", lambda: screening)
