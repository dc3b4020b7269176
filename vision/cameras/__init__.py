"""Cameras: webcams, network streams, video files, folders of frames, all read the same way."""

from vision.cameras.files import read_frames
from vision.cameras.frame import Frame
from vision.cameras.lost import lost_picture
from vision.cameras.opening import open_source
from vision.cameras.source import Source
from vision.cameras.webcam import list_cameras

__all__ = ["Frame", "Source", "list_cameras", "lost_picture", "open_source", "read_frames"]
