"""What holds for all tests."""

from hypothesis import settings

# How long an example takes says more of what else the machine is doing than of the code.
settings.register_profile("cairn", deadline=None)
settings.load_profile("cairn")
