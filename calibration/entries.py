"""teach.json: which photograph shows which cards, and the photographs themselves."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from calibration.deck import check_name
from calibration.errors import BadInput
from calibration.photo import Image, load_photo

Entry = Mapping[str, Any]
_STATES = ("face-down", "face-up")
_OFTEN = 2  # times that even a deck with doubles has one card on the table


class Photos(Mapping[str, Image]):
    """The photographs of a folder, loaded when asked for: many large ones take no memory."""

    def __init__(self, folder: Path, names: Sequence[str]) -> None:
        self.folder = folder
        self.names = tuple(dict.fromkeys(names))

    def __getitem__(self, name: str) -> Image:
        return load_photo(self.folder / name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


def read_entries(path: Path) -> list[Entry]:
    """The entries of a teach.json, or BadInput with the place that is wrong."""
    try:
        data = json.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}); give a teach.json") from error
    except ValueError as error:
        raise BadInput(f"{path}: is not JSON ({error}); give a teach.json") from error
    return check_entries(data, str(path))


def check_entries(data: Any, source: str) -> list[Entry]:
    """Parsed teach.json, or BadInput with the place that is wrong."""
    if not isinstance(data, Sequence) or isinstance(data, str) or not data:
        raise BadInput(f"{source}: expected a list of photographs with their cards")
    for i, entry in enumerate(data):
        place = f"{source}: [{i}]"
        if not isinstance(entry, Mapping) or not isinstance(entry.get("photo"), str):
            raise BadInput(f"{place}: expected an object with photo and card or cards")
        if ("card" in entry) == ("cards" in entry):
            raise BadInput(f"{place}: expected either card or cards")
        if "card" in entry:
            _check_card(entry["card"], f"{place}.card")
        elif not isinstance(entry["cards"], Mapping) or not entry["cards"]:
            raise BadInput(f"{place}.cards: expected an object of slot: card")
        else:
            for slot, card in entry["cards"].items():
                _check_card(card, f"{place}.cards.{slot}")
    return list(data)


def named_often(entry: Entry) -> list[str]:
    """A sentence for every card that one photograph is said to show suspiciously often."""
    times = Counter(entry.get("cards", {}).values())
    return [
        f"{entry['photo']}: {card} is named in {count} slots; name each card where it lies"
        for card, count in times.items()
        if count > _OFTEN
    ]


def _check_card(name: Any, place: str) -> None:
    check_name(name, place)
    if name.lower() in _STATES:
        raise BadInput(f"{place}: {name} is no card; leave out slots that show no card's face")
