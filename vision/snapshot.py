"""Take one photograph with a camera, once its exposure has settled."""

import time

import cv2
import numpy as np

from calibration.errors import BadInput
from vision.cameras import open_source

PATIENCE = 10.0  # seconds for a camera to give its first frame
SETTLE = 1.5  # seconds that automatic exposure and white balance take
QUALITY = 97


def take_photo(camera: str) -> bytes:
    """A photograph as JPEG, or BadInput if the camera gives none."""
    source = open_source(camera)
    try:
        frame = source.newest(0, PATIENCE)
        if frame is None:
            raise BadInput(f"camera {camera}: gives no picture; plug it in or name another")
        until = time.monotonic() + SETTLE
        while (left := until - time.monotonic()) > 0:
            frame = source.newest(frame.number, left) or frame
    finally:
        source.close()
    _, jpeg = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return np.asarray(jpeg).tobytes()
