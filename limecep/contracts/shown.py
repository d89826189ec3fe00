"""Values of others in messages."""

from __future__ import annotations


def shown(value: object, most: int = 200) -> str:
    """A value as it shows itself, in so many characters; what type it is of where it cannot."""
    try:
        return repr(value)[:most]
    except KeyboardInterrupt:
        raise
    except BaseException:
        return f"<a value of {type(value).__qualname__}, whose repr fails>"
