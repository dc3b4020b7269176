"""For all tests: a slow machine is no failure."""

from hypothesis import settings

settings.register_profile("cairn", deadline=None)
settings.load_profile("cairn")
