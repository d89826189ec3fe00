"""The change log of a pipeline, as the events that its matches are: what another pipeline reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.contracts.codec import Undecodable
from limecep_codecs.rewritten import RewrittenCodec

if TYPE_CHECKING:
    from limecep.contracts.codec import Record
    from limecep.contracts.context import Context
    from limecep_codecs.config import ChangelogOptions

#: What a record says of the match itself. Of each the event has the attribute with an underscore before it.
ABOUT = ("match", "revision", "op", "pattern", "start", "end")
_OPS = ("emit", "correct", "retract", "final")


class ChangelogCodec(RewrittenCodec):
    """Reads records of the change log, bare or as CloudEvents. A match is an event: it has the values of the
    match and those of its partition key, and what is said of the match with an underscore: `_end`."""

    def __init__(self, options: ChangelogOptions, context: Context) -> None:
        super().__init__(context, _event)


def _event(record: Record) -> Record | Undecodable:
    inside = record.get("data")
    if "specversion" in record and isinstance(inside, dict):
        record = inside
    lacking = [name for name in ABOUT if record.get(name) is None]
    if lacking or record["op"] not in _OPS:
        said = f"it has no '{lacking[0]}'" if lacking else f"'op' is {record['op']!r:.40}"
        return Undecodable(f"no record of a change log: {said}")
    named: Record = {f"_{name}": record[name] for name in ABOUT}
    for part in ("key", "values"):
        inside = record.get(part)
        if isinstance(inside, dict):
            if taken := sorted(named.keys() & inside.keys()):
                return Undecodable(
                    f"a change log with two attributes '{taken[0]}': rename one with RETURN ... AS"
                )
            named |= inside
    return named
