"""Roles: who may do what. Every route names the role it needs."""

from collections.abc import Callable
from enum import IntEnum
from functools import wraps
from typing import ParamSpec, TypeVar

from flask import session as cookie

from webui.errors import Refusal

P = ParamSpec("P")
R = TypeVar("R")


class Role(IntEnum):
    """What a link makes of a visitor; a higher role may do all that a lower one may."""

    NOBODY = 0
    SEAT = 1
    HOST = 2


def needs(role: Role) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """The route below is for this role and higher ones."""

    def decorate(view: Callable[P, R]) -> Callable[P, R]:
        @wraps(view)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
            if own_role() < role:
                raise Refusal(403, "no-link" if own_role() is Role.NOBODY else "host-only")
            return view(*args, **kwargs)

        guarded.role = role  # type: ignore[attr-defined]
        return guarded

    return decorate


def own_role() -> Role:
    """The role that this visitor's link gave."""
    return Role(cookie.get("role", Role.NOBODY))


def own_device() -> str:
    """The name by which this visitor's browser is known; it says who sits in which seat."""
    return str(cookie.get("device", ""))
