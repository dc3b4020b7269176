"""The layouts of a game, read for the eyes: the same files that its rules read."""

import json
from importlib.resources import files

from calibration.layout import Layout, layout_from_json


def layout_for(players: int) -> Layout:
    """The layout of Clans and Glory for this many players."""
    name = f"layout-{players}.json"
    text = files("scorer.games.clans_and_glory").joinpath(name).read_text("utf-8")
    return layout_from_json(json.loads(text), name)
