"""The one error that means: what was handed in cannot be used."""


class BadInput(Exception):
    """One sentence that names the input, what was expected and what to do."""
