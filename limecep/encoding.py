"""JSON text of whatever a record or a payload holds. Never raises, and never writes a number that is not
finite."""

from __future__ import annotations

import json
import math
from typing import Any

import msgspec

#: How deep lists and objects may stand in each other; what is deeper is written as null.
DEPTH = 100

_encode = msgspec.json.Encoder(enc_hook=str).encode
_encode_sorted = msgspec.json.Encoder(enc_hook=str, order="sorted").encode


def to_json(value: Any) -> bytes:
    """The value as compact JSON: NaN and infinities as null, what JSON does not know as its text."""
    try:
        return _encode(value)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return _json(_plain(value), sort_keys=False)


def to_canonical_json(value: Any) -> bytes:
    """The same text for equal values: keys sorted."""
    try:
        return _encode_sorted(value)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return _json(_plain(value), sort_keys=True)


def frozen(value: Any) -> Any:
    """A value of JSON with tuples for lists."""
    return tuple([frozen(v) for v in value]) if type(value) is list else value


def _json(value: Any, *, sort_keys: bool) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=sort_keys)
    return text.encode("utf-8", errors="replace")


def _plain(value: Any, depth: int = 0) -> Any:
    """The value in the types that `json` writes, for the few that msgspec refuses: keys that are not text,
    half surrogates, depth."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, (dict, list, tuple, set, frozenset)):
        if depth == DEPTH:
            return None
        if isinstance(value, dict):
            return {str(k): _plain(v, depth + 1) for k, v in value.items()}
        return [_plain(v, depth + 1) for v in value]
    return str(value)
