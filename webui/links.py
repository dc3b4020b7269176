"""Links: the two secrets that open the page, one for the host and one for everybody's seats."""

import json
import os
import secrets
import socket
from dataclasses import asdict, dataclass
from pathlib import Path

from scorer.errors import BadInput
from scorer.strict import read_json_file

FILE = "links.json"


@dataclass(frozen=True)
class Links:
    """What stands behind `/join/` in each link, and the key that signs cookies."""

    host: str
    seat: str
    signature: str


def load_links(folder: Path) -> Links:
    """The links of a data folder, made when it is first used, so that a restart keeps them."""
    path = folder / FILE
    if not path.exists():
        links = Links(secrets.token_urlsafe(16), secrets.token_urlsafe(9), secrets.token_hex(32))
        _write_private(path, json.dumps(asdict(links)))
        return links
    data = read_json_file(path)
    data.check_object(("host", "seat", "signature"))
    return Links(*(data.at(key).text(most=200) for key in ("host", "seat", "signature")))


def find_address() -> str:
    """This machine's address for phones in the same network; no packet is sent to learn it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _write_private(path: Path, text: str) -> None:
    """Whole or not at all, and readable by nobody else."""
    aside = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
    except OSError as error:
        raise BadInput(
            f"{path}: cannot be written ({error.strerror}); choose another data folder"
        ) from error
