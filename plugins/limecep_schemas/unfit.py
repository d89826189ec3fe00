"""Why a file of schemas cannot be used."""

from __future__ import annotations


class Unfit(Exception):
    """A schema, or a file of such, that cannot be used.

    Args:
        message: Why, in words for the user.
        hint: What to do.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        self.hint = hint
        super().__init__(message)


class Unreadable(ValueError):
    """A message that its schema does not read, in words for the user."""


def unreadable(path: object, error: OSError) -> Unfit:
    """A file that cannot be read."""
    why = error.strerror or type(error).__name__
    return Unfit(
        f"{path} cannot be read: {why}", "relative paths are below the folder of the pipeline's file"
    )
