"""The function. Its annotations say what it takes and gives, and the spec says the same."""

from __future__ import annotations


def mine(text: str, least: int = 1) -> str | None:
    """The first letters of the words of a text, in small letters; None where it has none.

    Args:
        text: The text.
        least: Shorter words are left out.
    """
    words = [word for word in text.lower().split() if len(word) >= least]
    return "".join(word[0] for word in words) or None
