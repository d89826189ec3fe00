"""Contents: which events a match takes, as a short text that is the same wherever it is written."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from limecep.encoding import to_canonical_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from limecep.model.event import Event

#: Bytes of a digest. It must never stand for two matches.
_DIGEST_BYTES = 12


def assignment(groups: Mapping[str, Sequence[Event]]) -> list[object]:
    """Which events a match takes, by identity, the same whatever the order of its steps (`AND`), and whether
    a variable that took nothing is named or not (`OR`)."""
    return [
        [name, [(e.type, e.source, e.id) for e in groups[name]]] for name in sorted(groups) if groups[name]
    ]


def match_id(pattern: str, key: Mapping[str, object] | None, taken: list[object], generation: int = 0) -> str:
    """The id of a match.

    Args:
        pattern: The name of its pattern.
        key: Its partition key; None if it has none.
        taken: The `assignment` with which it was emitted first.
        generation: How many others had begun so before it, and gone on as something else.
    """
    return digest([pattern, key, taken, generation] if generation else [pattern, key, taken])


def digest(value: object) -> str:
    """A short text that stands for a value, and for no other."""
    # JSON keeps apart what a plain join would not: ("a", "b") from ("ab",).
    return blake2b(to_canonical_json(value), digest_size=_DIGEST_BYTES).hexdigest()
