"""Light that reaches the sensor becomes the bytes of a JPEG and back."""

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.simulated.scene import Sensor

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

_CODE = np.arange(256) / 255
_LINEAR = np.where(_CODE <= 0.04045, _CODE / 12.92, ((_CODE + 0.055) / 1.055) ** 2.4).astype(
    np.float32
)
_STEPS = 4096
_SPARE = 256
_LEVEL = np.arange(_STEPS) / (_STEPS - 1)
_GAMMA = np.where(_LEVEL <= 0.0031308, _LEVEL * 12.92, 1.055 * _LEVEL ** (1 / 2.4) - 0.055)


def to_linear(image: Image) -> Floats:
    """(h, w, 3) uint8 as printed to float32 linear light."""
    return _LINEAR[image]


def expose(picture: Floats, sensor: Sensor) -> Image:
    """(H, W, 3) float32 linear light to the (H, W, 3) uint8 BGR picture that is read from disk."""
    if sensor.blur > 0:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), sensor.blur))
    if any(sensor.motion):
        picture = np.asarray(cv2.filter2D(picture, -1, _streak(sensor.motion)))
    coded = _tones(sensor.contrast)[_noisy_mosaic(picture, sensor)]
    image = cv2.cvtColor(coded, cv2.COLOR_BayerRGGB2BGR)
    if sensor.saturation != 1:
        image = cv2.transform(image, _stretch(sensor.saturation))
    if sensor.sharpen > 0:
        soft = cv2.GaussianBlur(image, (0, 0), 1.2)
        image = cv2.addWeighted(image, 1 + sensor.sharpen, soft, -sensor.sharpen, 0)
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, sensor.quality])
    assert done
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


@lru_cache(maxsize=64)
def _tones(contrast: float) -> Image:
    # Cameras darken the darks and brighten the brights to please.
    steep = _GAMMA + contrast * np.sin(2 * np.pi * (_GAMMA - 0.5)) / (2 * np.pi)
    return np.round(np.clip(steep, 0, 1) * 255).astype(np.uint8)


def _stretch(saturation: float) -> Floats:
    grey = np.array([0.114, 0.587, 0.299], np.float32)
    return np.eye(3, dtype=np.float32) * saturation + (1 - saturation) * grey[None, :]


def _noisy_mosaic(picture: Floats, sensor: Sensor) -> npt.NDArray[np.int32]:
    # One colour a pixel, as under a sensor's filter: noise then comes out smeared as in life.
    raw = np.empty(picture.shape[:2], np.float32)
    for row, column, channel in ((0, 0, 2), (0, 1, 1), (1, 0, 1), (1, 1, 0)):
        raw[row::2, column::2] = picture[row::2, column::2, channel]
    strength = np.sqrt(sensor.read_noise**2 + sensor.shot_noise * np.maximum(raw, 0))
    raw += strength * _noise((picture.shape[0], picture.shape[1]), sensor.seed)
    np.clip(raw, 0, 1, out=raw)
    return (raw * (_STEPS - 1)).astype(np.int32)


def _noise(size: tuple[int, int], seed: int) -> Floats:
    # Drawing millions of numbers for each picture would take most of its time: each picture
    # takes its own window of one large sheet instead.
    rng = np.random.default_rng([seed, 7])
    y, x = rng.integers(0, _SPARE, 2)
    sheet = _noise_sheet(size[0] + _SPARE, size[1] + _SPARE)
    return sheet[y : y + size[0], x : x + size[1]]


@lru_cache(maxsize=2)
def _noise_sheet(height: int, width: int) -> Floats:
    return np.random.default_rng(7).standard_normal((height, width), np.float32)


def _streak(motion: tuple[float, float]) -> Floats:
    reach = int(np.ceil(max(abs(motion[0]), abs(motion[1])) / 2)) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    half = np.array(motion) / 2
    ends = [np.round((reach + side * half) * 16).astype(int).tolist() for side in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(kernel / kernel.sum(), np.float32)
