"""Films the simulated table: moments become frames, fast enough to be watched as they happen.

What lies still is drawn once; each frame only draws the hands, the drift of light and the noise.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import cv2
import numpy as np
import numpy.typing as npt

from vision.simulated import sensor as exposing
from vision.simulated.acting import Actors, Moment
from vision.simulated.camera import project
from vision.simulated.hands import draw_hand
from vision.simulated.light import glare_field, light_field
from vision.simulated.moves import Move
from vision.simulated.render import Image, draw_flat, draw_table
from vision.simulated.scene import Points, Scene, Sensor
from vision.simulated.table import SimulatedTable
from vision.simulated.weather import Weather, draw_weather, spread

Floats = npt.NDArray[np.float32]

RATE = 15.0
NOTHING: Mapping[str, str] = MappingProxyType({})
_NOISES = 3
_ROOM = 64  # how much larger the noise is than the picture, so that no two frames share it
_HELD_HEIGHT = 5.0
_SHY = 0.04  # how much darker automatic exposure makes the picture when hands come in


@dataclass(frozen=True)
class FilmFrame:
    """A frame as JPEG, and the truth about it.

    `cards`: slot -> card that lies there, also under a hand. `touched`: slots that a hand is over.
    """

    number: int
    jpeg: bytes
    cards: Mapping[str, str]
    touched: frozenset[str]
    hands: int
    done: tuple[Move, ...]


class Film:
    """A script played at a simulated table before a camera that runs."""

    def __init__(
        self,
        table: SimulatedTable,
        moves: Sequence[Move],
        seed: int,
        weather: Weather | None = None,
        lying: Mapping[str, str] = NOTHING,
        rate: float = RATE,
    ) -> None:
        self._table = table
        self._moves = moves
        self._actors = Actors(table, seed, rate, lying)
        self._weather = weather
        self.rate = rate
        self._rng = np.random.default_rng([table.seed, seed, 12])
        self._scene = table.scene({}, seed)
        self._sensor = self._scene.sensor
        self._quiet = _quiet(self._sensor)
        self._still: _Still | None = None
        self._noise = _noises(self._sensor, table.camera.size)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of its frames."""
        return self._table.camera.size

    def frames(self, late: Callable[[], bool] = lambda: False) -> Iterator[FilmFrame]:
        """Every frame from the first move to the last; every second is left out while `late`."""
        shy, skipped = 0.0, False
        done: tuple[Move, ...] = ()
        for number, moment in enumerate(self._actors.act(self._moves), 1):
            shy += 0.2 * ((_SHY if moment.hands else 0.0) - shy)
            done += moment.done
            skipped = not skipped and late()
            if not skipped:
                yield self._shoot(number, replace(moment, done=done), shy)
                done = ()
        if done:
            # The last frame is never left out: somebody waits to hear of its moves.
            yield self._shoot(number, replace(moment, done=done), shy)

    def _shoot(self, number: int, moment: Moment, shy: float) -> FilmFrame:
        still = self._still
        if still is None or not still.shows(moment):
            still = self._still = self._draw(moment)
        image = still.image.copy()
        touched = self._draw_hands(image, still, moment) if moment.hands else frozenset()
        if self._weather is not None:
            gain = self._weather.gain(number / self.rate) * np.float32(1 - shy)
            field = spread(gain, self._table.camera.size)
            cv2.multiply(image, field, dst=image, scale=1 / 128)
        more, less = self._noise[int(self._rng.integers(len(self._noise)))]
        y, x = (int(v) for v in self._rng.integers(0, _ROOM, 2))
        window = (slice(y, y + image.shape[0]), slice(x, x + image.shape[1]))
        cv2.add(image, more[window], dst=image)
        cv2.subtract(image, less[window], dst=image)
        jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, self._sensor.quality])[1]
        faces = MappingProxyType(moment.faces())
        return FilmFrame(number, jpeg.tobytes(), faces, touched, len(moment.hands), moment.done)

    def _draw(self, moment: Moment) -> "_Still":
        scene = replace(
            self._scene,
            camera=moment.camera,
            cards=tuple(moment.cards.values()),
            things=self._scene.things + moment.shields,
        )
        bare, gloss = draw_table(self._table.stage, scene)
        light = light_field(scene.light, self._sensor, moment.camera.size)
        glare = glare_field(scene.light, moment.camera.size)
        lit = bare * light + (gloss * glare)[:, :, None]
        outlines = {
            name: project(moment.camera, slot.corners()) for name, slot in self._table.slots.items()
        }
        image = exposing.expose(lit, self._quiet)
        return _Still(moment, scene, bare, gloss, light, glare, image, outlines)

    def _draw_hands(self, image: Image, still: "_Still", moment: Moment) -> frozenset[str]:
        """Draw hands and what they hold into the picture; the slots they are over."""
        bare, gloss = still.bare.copy(), still.gloss.copy()
        for card in moment.held:
            outline = project(moment.camera, card.corners())
            turned = np.roll(outline, 2, axis=0) if card.upside_down else outline
            texture = self._table.stage.faces[card.name]
            draw_flat(bare, gloss, texture, turned, still.scene, _HELD_HEIGHT, card.gloss)
        hidden = np.zeros(image.shape[:2], np.uint8)
        for hand in moment.hands:
            draw_hand(bare, gloss, hidden, hand, still.scene)
        window = _changed(bare, still.bare)
        if window is None:
            return frozenset()
        lit = bare[window] * still.light[window] + (gloss * still.glare)[window][:, :, None]
        image[window] = exposing.expose(np.ascontiguousarray(lit), self._quiet)
        for card in moment.held:
            outline = project(moment.camera, card.corners())
            cv2.fillConvexPoly(hidden, np.round(outline).astype(np.int32), 255)
        return frozenset(n for n, outline in still.outlines.items() if _over(hidden, outline))


def film_game(
    table: SimulatedTable,
    moves: Sequence[Move],
    seed: int,
    lying: Mapping[str, str] = NOTHING,
    switches: int = 0,
) -> Film:
    """A film in the drifting light of an evening; `switches` times a lamp goes on or off."""
    seconds = 3.0 * len(moves)
    return Film(table, moves, seed, draw_weather(table.grade, seconds, seed, switches), lying)


@dataclass(frozen=True)
class _Still:
    """All that does not move between two moves, drawn once."""

    moment: Moment
    scene: Scene
    bare: Floats
    gloss: Floats
    light: Floats
    glare: Floats
    image: Image
    outlines: Mapping[str, Points]

    def shows(self, moment: Moment) -> bool:
        return (
            self.moment.cards is moment.cards
            and self.moment.shields is moment.shields
            and self.moment.camera == moment.camera
        )


def _changed(now: Floats, before: Floats) -> tuple[slice, slice] | None:
    """The window in which two pictures differ, on even pixels as the sensor's filter asks."""
    step = 8
    differs = (now[::step, ::step, 1] != before[::step, ::step, 1]).astype(np.uint8)
    x, y, w, h = cv2.boundingRect(differs)
    if w == 0:
        return None
    height, width = now.shape[:2]
    top, left = max(0, (y - 1) * step), max(0, (x - 1) * step)
    bottom, right = min(height, (y + h + 1) * step), min(width, (x + w + 1) * step)
    return slice(top, bottom), slice(left, right)


def _over(hidden: Image, outline: Points) -> bool:
    x0, y0 = np.maximum(np.floor(outline.min(0)).astype(int), 0)
    x1, y1 = np.ceil(outline.max(0)).astype(int) + 1
    return bool(hidden[y0:y1, x0:x1].any())


def _quiet(sensor: Sensor) -> Sensor:
    return replace(sensor, read_noise=0.0, shot_noise=0.0, quality=100)


def _noises(sensor: Sensor, size: tuple[int, int]) -> list[tuple[Image, Image]]:
    """What a grey wall shows under the sensor, as what to add and what to take away."""
    width, height = size
    wall = np.full((height + _ROOM, width + _ROOM, 3), 0.18, np.float32)
    plain = exposing.expose(wall, _quiet(sensor))
    pairs = []
    for k in range(_NOISES):
        noisy = exposing.expose(wall, replace(sensor, seed=sensor.seed + k, quality=100))
        pairs.append((cv2.subtract(noisy, plain), cv2.subtract(plain, noisy)))
    return [(np.asarray(a, np.uint8), np.asarray(b, np.uint8)) for a, b in pairs]
