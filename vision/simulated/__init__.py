"""The simulated table: decks, tiles, camera, light and hands, drawn from seeds."""

from vision.simulated.deck import PrintedDeck, print_deck
from vision.simulated.scatter import ScatterPhoto, scatter_photo
from vision.simulated.table import Photo, SimulatedTable, set_table

__all__ = [
    "Photo",
    "PrintedDeck",
    "ScatterPhoto",
    "SimulatedTable",
    "print_deck",
    "scatter_photo",
    "set_table",
]
