"""Identity of events: ids as text, joined ids, and digests where there is none (SEMANTICS 1)."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from limecep.encoding import to_canonical_json

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Bytes of a digest: with 80 bits, a billion events collide with a chance of one in a million.
_SIZE = 10


def joined(parts: Sequence[str]) -> str:
    """One id of several parts, `k1/17`. Different parts give different ids: what separates is escaped in
    them."""
    return "/".join([p.replace("\\", "\\\\").replace("/", "\\/") for p in parts])


def digest(t_gen: int, key: Any, payload: dict[str, Any]) -> str:
    """The id of an event whose input has none: equal for equal time, key and payload."""
    return blake2b(to_canonical_json((t_gen, key, payload)), digest_size=_SIZE).hexdigest()
