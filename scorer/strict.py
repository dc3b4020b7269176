"""Read JSON strictly: what is wrong is refused with its place, `turns[3].card: expected ...`."""

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from scorer.errors import BadInput

MOST_BYTES = 8_000_000


@dataclass(frozen=True)
class Json:
    """A parsed JSON value that knows where it stands in its file."""

    value: Any
    source: str
    place: str = ""

    def refusal(self, expected: str) -> BadInput:
        """The error to raise: what was expected here, and what stands here instead."""
        where = f"{self.source}: {self.place}" if self.place else self.source
        return BadInput(f"{where}: expected {expected}, got {_shown(self.value)}")

    def at(self, key: str) -> "Json":
        """The value under `key` of an object that was checked to have it."""
        place = f"{self.place}.{key}" if self.place else key
        return Json(self.value[key], self.source, place)

    def check_object(self, required: Collection[str], optional: Collection[str] = ()) -> None:
        """An object with exactly these keys, the optional ones perhaps missing."""
        keys = ", ".join([*required, *(f"{key} (optional)" for key in optional)])
        if not isinstance(self.value, dict):
            raise self.refusal(f"an object with {keys}")
        for key in required:
            if key not in self.value:
                raise self.refusal(f"an object with {keys}; {key} is missing")
        for key in self.value:
            if key not in required and key not in optional:
                raise self.refusal(f"only the keys {keys}; {_shown(key)} is unknown")

    def entries(self, most: int) -> Iterator[tuple[str, "Json"]]:
        """The keys and values of an object whose keys are free."""
        if not isinstance(self.value, dict):
            raise self.refusal("an object")
        if len(self.value) > most:
            raise self.refusal(f"at most {most} entries")
        for key in self.value:
            Json(key, self.source, f"{self.place} key").text(least=0)
            yield key, self.at(key)

    def items(self, most: int, least: int = 0) -> list["Json"]:
        """The values of a list."""
        if not isinstance(self.value, list):
            raise self.refusal("a list")
        if not least <= len(self.value) <= most:
            raise self.refusal(f"a list of {least} to {most}")
        return [
            Json(item, self.source, f"{self.place}[{number}]")
            for number, item in enumerate(self.value)
        ]

    def text(self, least: int = 1, most: int = 60) -> str:
        """A string that can be printed: not absurdly long, no control characters."""
        value = self.value
        if not isinstance(value, str) or not value.isprintable():
            raise self.refusal(f"{least} to {most} printable characters")
        if not least <= len(value) <= most or (value and value.isspace()):
            raise self.refusal(f"{least} to {most} printable characters")
        return value

    def whole(self, least: int, most: int, what: str = "a whole number") -> int:
        """A whole number within bounds; true and false are none."""
        if type(self.value) is not int or not least <= self.value <= most:
            raise self.refusal(f"{what} from {least} to {most}")
        return self.value

    def flag(self) -> bool:
        """true or false."""
        if not isinstance(self.value, bool):
            raise self.refusal("true or false")
        return self.value


def read_json_file(path: Path) -> Json:
    """The JSON of a file; a file that is none gives BadInput."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadInput(f"{path}: is larger than {MOST_BYTES} bytes; no record is")
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}); give a record file") from error
    return parse_json(data, str(path))


def parse_json(data: bytes | str, source: str) -> Json:
    """Parse JSON with no key twice and no NaN."""
    try:
        text = data if isinstance(data, str) else data.decode("utf-8-sig")
        value = json.loads(text, object_pairs_hook=_no_key_twice, parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise BadInput(f"{source}: is not UTF-8 text (byte {error.start}); give JSON") from error
    except RecursionError as error:
        raise BadInput(f"{source}: is nested too deeply to be a record; give JSON") from error
    except ValueError as error:
        raise BadInput(f"{source}: is not JSON ({_one_line(error)}); give JSON") from error
    return Json(value, source)


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {_shown(twice)} stands twice in one object")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _one_line(error: ValueError) -> str:
    return " ".join(str(error).split())[:200]
