"""Identity of events: ids as text, joined ids, and digests where there is none (SEMANTICS 1)."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from limecep.encoding import DEPTH, to_canonical_json
from limecep.intake.fields import drop, exact, getter, serving, topic_level
from limecep.model.keys import canonical

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.config.model import SourceConfig
    from limecep.contracts.codec import Record
    from limecep.contracts.source import Message

#: Gives the key of a record for its digest.
KeyReader = Callable[["Record", "Message"], Any]

#: Bytes of a digest: with 80 bits, a billion events collide with a chance of one in a million.
_DIGEST_BYTES = 10
#: What each begins with: to copy it takes less time than to make one.
_EMPTY = blake2b(digest_size=_DIGEST_BYTES)
#: The types of values that have one spelling in any case.
_SPELLED = frozenset({str, int, bool, type(None)})


def joined(parts: Sequence[str]) -> str:
    """One id of several parts, `k1/17`. Different parts give different ids: what separates is escaped in
    them."""
    return "/".join([p.replace("\\", "\\\\").replace("/", "\\/") for p in parts])


def digest(t_gen: int | tuple[int, int], key: Any, payload: dict[str, Any]) -> str:
    """The id of an event whose input has none: equal for equal time, key and payload. Where a field orders
    events of one time, the time is `(t_gen, seq)`."""
    made = _EMPTY.copy()
    made.update(to_canonical_json((t_gen, key, payload)))
    return made.hexdigest()


def key_reader(config: SourceConfig, reads: Callable[[str], Any] | None) -> KeyReader | None:
    """Return a function that gives the key of a record in one spelling, so that 1 and 1.0 are one device;
    text that reads as a number stays text. None where the source has no key. `reads` is as for
    `limecep.intake.payload.payload_reader`."""
    if config.key is None:
        return None
    get = getter(config.key, config.levels)

    def key_of(record: Record, message: Message) -> Any:
        value = get(record, message)
        if reads is not None and type(value) is str:
            number = reads(value)
            return str(canonical(number)) if type(number) is float else value
        spelled = canonical(value)
        return value if spelled is None else spelled

    return key_of


def telling_reader(config: SourceConfig) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return a function that gives what of a payload tells events apart that have no id.

    That is all but the arrival time, which each copy has of its own, and the fields that serve as type, time
    or order unless `payload` names them: type, time and order tell events apart themselves. Numbers have one
    spelling, so that 1 and 1.0 are one reading. The payload itself stays as it is.
    """
    key = None if config.key is None or topic_level(config.key) is not None else config.key
    stays = set(config.payload or ())
    left_out = {path for what, path in serving(config) if what == "arrival" or path not in stays} - {key}
    paths = sorted(path for path in left_out if topic_level(path) is None)
    flat = [names[0] for path in paths if (names := exact(path)) is not None and len(names) == 1]
    nested = [path for path in paths if len(exact(path) or ()) != 1]

    def telling(payload: dict[str, Any]) -> dict[str, Any]:
        told = payload.copy()
        for name in flat:
            told.pop(name, None)
        for path in nested:
            drop(told, path)
        for name, value in told.items():
            kind = type(value)
            if kind is float:
                # Most have decimals, and stay.
                if value.is_integer():
                    told[name] = int(value)
            elif kind not in _SPELLED:
                told[name] = spelled(value)
        return told

    return telling


def spelled(value: Any, depth: int = 0) -> Any:
    """The value with one spelling for numbers that are equal."""
    kind = type(value)
    if kind is float or kind is Decimal:
        return canonical(value)
    if depth < DEPTH:
        if kind is dict:
            return {name: spelled(inner, depth + 1) for name, inner in value.items()}
        if kind is list:
            return [spelled(inner, depth + 1) for inner in value]
    return value
