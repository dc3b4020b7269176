"""Camera, loose cards and things: the parts of the simulated table on their own."""

import itertools

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.simulated import print_deck, scatter_photo
from vision.simulated.camera import picture_map, project, unproject
from vision.simulated.scene import Camera
from vision.simulated.things import KINDS, thing_texture

CAMERAS = st.builds(
    Camera,
    size=st.just((1280, 720)),
    look=st.tuples(st.floats(-100, 100), st.floats(-100, 100)),
    scale=st.floats(0.8, 4),
    distance=st.floats(500, 1500),
    tilt=st.floats(0, 20),
    azimuth=st.floats(0, 360),
    roll=st.floats(-180, 180),
    k1=st.floats(-0.06, 0.03),
    shift=st.tuples(st.floats(-20, 20), st.floats(-20, 20)),
    turn=st.floats(-2, 2),
)


@settings(max_examples=60, deadline=None)
@given(CAMERAS, st.floats(0, 1280), st.floats(0, 720))
def test_a_picture_point_comes_back_from_the_table(camera: Camera, x: float, y: float) -> None:
    back = project(camera, unproject(camera, [[x, y]]))
    assert np.allclose(back, [[x, y]], atol=0.05)


def test_the_whole_map_agrees_with_single_points() -> None:
    camera = Camera((640, 480), (10, 20), 2.0, 700, tilt=12, azimuth=40, roll=7, k1=-0.05)
    whole = picture_map(camera)
    for x, y in ((0, 0), (639, 479), (123, 307)):
        assert np.allclose(whole[y, x], unproject(camera, [[x, y]])[0], atol=0.05)


def test_scattered_cards_lie_apart_inside_the_picture() -> None:
    deck = print_deck(1000)
    names = list(deck.faces)[:12]
    photo = scatter_photo(1000, deck, names, "ordinary", (1280, 720))
    assert [name for name, _ in photo.cards] == names
    for _, corners in photo.cards:
        assert (corners > 0).all()
        assert (corners < (1280, 720)).all()
    for (_, one), (_, other) in itertools.combinations(photo.cards, 2):
        area, _ = cv2.intersectConvexConvex(one, other)
        assert area < 0.01 * cv2.contourArea(one)


def test_too_many_scattered_cards_are_refused() -> None:
    deck = print_deck(1000)
    with pytest.raises(ValueError, match="no room for 42 cards"):
        scatter_photo(1000, deck, list(deck.faces), "gentle", (320, 240), card_width=80)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "pile"])
def test_things_have_a_shape_with_clear_ground_around(kind: str) -> None:
    texture = thing_texture(kind, (40, 90, 180), 60)
    cover = texture[:, :, 3]
    assert cover.max() == pytest.approx(1)
    assert not cover[0].any()
    assert 0.04 < cover.mean() < 1


def test_the_printed_marker_can_be_detected() -> None:
    texture = thing_texture("marker", (10, 4, 3), 120)
    grey = np.full((200, 200), 200, np.uint8)
    grey[39:161, 39:161] = np.clip(texture[:, :, 1] * 255, 0, 255).astype(np.uint8)
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    _, ids, _ = cv2.aruco.ArucoDetector(words).detectMarkers(grey)
    assert ids is not None
    assert ids.ravel().tolist() == [17]
