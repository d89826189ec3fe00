"""What is shown of a message that gave no event."""

from __future__ import annotations

#: How much of it goes to the late output, in characters.
RAW_CHARACTERS = 1000


def raw_text(value: bytes) -> str:
    """The beginning of a message as text; bytes that are no UTF-8 are shown as replacement characters."""
    # A character has at most four bytes, so this much is enough, and megabytes are not decoded for it.
    text = value[: 4 * RAW_CHARACTERS + 4].decode("utf-8", errors="replace")
    whole = len(text) <= RAW_CHARACTERS and len(value) <= 4 * RAW_CHARACTERS
    return text if whole else f"{text[:RAW_CHARACTERS]}..."
