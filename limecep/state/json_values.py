"""Values as JSON, and back."""

from __future__ import annotations

from typing import Any

import msgspec

from limecep.encoding import to_json
from limecep.errors import RunFailure

_decode = msgspec.json.Decoder().decode


def encode(value: Any) -> bytes:
    """A value as JSON."""
    return to_json(value)


def decode(value: bytes) -> Any:
    """The value.

    Raises:
        RunFailure: It is none: nobody wrote that.
    """
    try:
        return _decode(value)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise damaged(str(error)) from None


def damaged(what: str) -> RunFailure:
    """That a state is not as it was written, in words for the user."""
    return RunFailure(f"the state is damaged: {what}. To begin anew: limecep state reset DIR")
