"""Keep a film on disk, with all that is needed to watch it again."""

import json
from collections.abc import Callable
from pathlib import Path

from calibration.deck import save_deck
from calibration.table import save_table
from vision.simulated.evening import Evening
from vision.simulated.film import Film
from vision.simulated.moves import Move, PutShield


def keep_film(evening: Evening, film: Film, folder: Path, say: Callable[[str], None]) -> None:
    """Write `table`, `deck` and a folder `frames` with its pictures and its taps.jsonl."""
    frames = folder / "frames"
    frames.mkdir(parents=True, exist_ok=True)
    save_table(evening.table, folder / "table")
    save_deck(evening.deck, folder / "deck")
    with (frames / "taps.jsonl").open("w", encoding="utf-8") as taps:
        for frame in film.frames():
            name = f"{frame.number:05}.jpg"
            (frames / name).write_bytes(frame.jpeg)
            for move in frame.done:
                shield = shield_of(evening, move)
                if shield is not None:
                    tap = {"player": shield[0], "tile": shield[1]}
                    taps.write(json.dumps({"after": name, "shield": tap}) + "\n")
            if frame.number % 100 == 0:
                say(f"{frame.number} frames")


def shield_of(evening: Evening, move: Move) -> tuple[int, int] | None:
    """Player and tile of a move that puts a shield down."""
    if not isinstance(move, PutShield):
        return None
    tiles = evening.simulated.layout.tiles
    return move.seat, next(int(tile) for tile, slots in tiles.items() if move.slot in slots)
