"""The taught Deck: pictures of cards, upright and in even light, with their names."""

import io
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.errors import BadInput
from calibration.warp import Crops

KIND, VERSION = "cairn-deck", 1

# A zip entry needs a date; a fixed one makes equal decks equal files.
_DATE = (1980, 1, 1, 0, 0, 0)
_ADVICE = "teach the deck again with `cairn teach`"


@dataclass(frozen=True)
class Deck:
    """Every taught sample.

    `names`: card name of each sample. `crops`: (n, h, w, 3) uint8 BGR, all the same way up and
    brought to one light. `copies`: the same card has been seen twice at once, so cards of this
    deck need not be unique.
    """

    names: tuple[str, ...]
    crops: Crops
    copies: bool = False

    def __post_init__(self) -> None:
        if len(self.names) != len(self.crops) or not self.names:
            raise ValueError("a deck needs one name for each of its crops, at least one")

    @property
    def colours(self) -> tuple[str, ...]:
        """Colours in the order first taught."""
        return tuple(dict.fromkeys(split_name(name)[0] for name in self.names))

    @property
    def ranks(self) -> tuple[str, ...]:
        """Ranks in the order first taught."""
        return tuple(dict.fromkeys(split_name(name)[1] for name in self.names))

    @property
    def cards(self) -> tuple[str, ...]:
        """Every card there can be: colours times ranks."""
        return tuple(f"{c}-{r}" for c in self.colours for r in self.ranks)


def split_name(name: str) -> tuple[str, str]:
    """Colour and rank of a card name: "red-5" is red and 5."""
    colour, _, rank = name.partition("-")
    return colour, rank


def check_name(name: Any, place: str) -> str:
    """A usable card name, or BadInput naming its place."""
    if not isinstance(name, str) or not all(split_name(name)):
        raise BadInput(f"{place}: expected a card such as red-5, got {name!r}")
    return name


def save_deck(deck: Deck, path: Path | str) -> None:
    """Write one file: a zip of deck.json and one PNG a sample."""
    samples = [{"card": n, "picture": f"{i:04}.png"} for i, n in enumerate(deck.names)]
    data = {"kind": KIND, "version": VERSION, "copies": deck.copies, "samples": samples}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(zipfile.ZipInfo("deck.json", _DATE), json.dumps(data, indent=1))
        for sample, crop in zip(samples, deck.crops, strict=True):
            content = cv2.imencode(".png", crop)[1].tobytes()
            archive.writestr(zipfile.ZipInfo(sample["picture"], _DATE), content)
    try:
        Path(path).write_bytes(buffer.getvalue())
    except OSError as error:
        raise BadInput(f"{path}: cannot be written ({error.strerror}); choose another") from error


def load_deck(path: Path | str) -> Deck:
    """Read and check a deck file; BadInput says what is wrong with it."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}); give a deck file") from error
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
        raise BadInput(f"{path}: is not a deck file or is damaged; {_ADVICE}") from error
    try:
        data = json.loads(members["deck.json"])
        kind, version = data["kind"], data["version"]
    except (KeyError, ValueError, TypeError) as error:
        raise BadInput(f"{path}: is not a deck file; {_ADVICE}") from error
    if kind != KIND:
        raise BadInput(f"{path}: is not a deck file; {_ADVICE}")
    if version != VERSION:
        raise BadInput(f"{path}: is a deck of version {version}, expected {VERSION}; {_ADVICE}")
    try:
        names = [sample["card"] for sample in data["samples"]]
        crops = [_decoded(members[sample["picture"]]) for sample in data["samples"]]
        for name in names:
            check_name(name, str(path))
        return Deck(tuple(names), np.stack(crops), bool(data["copies"]))
    except (KeyError, ValueError, TypeError, cv2.error) as error:
        raise BadInput(f"{path}: the deck file is damaged ({error}); {_ADVICE}") from error


def _decoded(content: bytes) -> Crops:
    crop = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    if crop is None:
        raise ValueError("a picture in it cannot be read")
    return np.ascontiguousarray(crop, dtype=np.uint8)
