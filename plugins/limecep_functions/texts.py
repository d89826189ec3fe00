"""Functions of texts. Places in a text are counted from 1."""

from __future__ import annotations

import sys


def lower(text: str) -> str:
    """A text in small letters."""
    return text.lower()


def upper(text: str) -> str:
    """A text in capitals."""
    return text.upper()


def trim(text: str) -> str:
    """A text without the blanks around it."""
    return text.strip()


def length(text: str) -> int:
    """How many characters a text has."""
    return len(text)


def substring(text: str, start: int, length: int = sys.maxsize) -> str | None:
    """A part of a text; missing where `start` is less than 1, or `length` less than 0.

    Args:
        text: The text.
        start: The place of its first character. Behind the end of the text there is ''.
        length: How many characters, if there are as many; without it all up to the end.
    """
    if start < 1 or length < 0:
        return None
    return text[start - 1 : start - 1 + length]


def _vet_part(text: object, start: object = None, length: object = None) -> str:
    """What is wrong with a part that is known before any event."""
    if isinstance(start, int) and start < 1:
        return f"places are counted from 1, and {start} is none"
    return f"{length} is no length" if isinstance(length, int) and length < 0 else ""


substring.vet = _vet_part  # type: ignore[attr-defined]


def replaced(text: str, old: str, new: str) -> str:
    """A text with every `old` in it replaced; as it is where `old` is ''."""
    return text.replace(old, new) if old else text


def contains(text: str, part: str) -> bool:
    """Whether a text has a part."""
    return part in text


def starts_with(text: str, start: str) -> bool:
    """Whether a text starts with another."""
    return text.startswith(start)


def ends_with(text: str, end: str) -> bool:
    """Whether a text ends with another."""
    return text.endswith(end)


def concat(text: str, *more: str) -> str:
    """Texts, one after the other."""
    return text + "".join(more)


def _vet_place(text: object, separator: object = None, place: object = None) -> str:
    """What is wrong with a place that is known before any event."""
    return "places are counted from 1, or from the end with -1" if place == 0 else ""


def split(text: str, separator: str, place: int) -> str | None:
    """The part of a text at a place, counted from 1, or from the end where it is negative, as the separator
    divides it; missing where there is none."""
    if not separator or not place:
        return None
    parts = text.split(separator)
    return parts[place - 1 if place > 0 else place] if -len(parts) <= place <= len(parts) else None


split.vet = _vet_place  # type: ignore[attr-defined]
