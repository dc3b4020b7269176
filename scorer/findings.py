"""Findings: what is wrong, by a stable code, with the slots and cards that prove it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong with a turn (counted from 0), or with the start cards (None).

    `facts` holds what else its sentence needs: see `scorer/sentences.py`.
    """

    code: str
    slots: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    turn: int | None = None
    facts: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
