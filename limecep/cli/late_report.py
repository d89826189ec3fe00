"""The late output in words: how much of it there was, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.diagnosis.origins import every
from limecep.diagnosis.unusable import wrong

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

#: Of more sums than these the others are only counted.
_LINES = 10


def late_lines(report: Mapping[str, Any], sinks: Sequence[str]) -> Iterator[str]:
    """A line for each reason, source and pattern, with an example, and one that says where all of it is.

    Args:
        report: The report of a run.
        sinks: Where the late output went, if anywhere.
    """
    sums = report.get("late", ())
    for entry in sums[:_LINES]:
        reason = entry["reason"].replace("_", " ")
        of = f"source {entry['source']}" if entry["source"] else "other sources and patterns"
        if entry["pattern"]:
            of += f", pattern {entry['pattern']}"
        yield f"late      {entry['count']:,} {reason}, {of}: the first {first(entry)}"
    if len(sums) > _LINES:
        yield f"late      {sum(e['count'] for e in sums[_LINES:]):,} for other reasons, sources and patterns"
    if sums:
        where = f"all are in {', '.join(sinks)}" if sinks else "a sink with 'of: late' would keep them"
        yield f"          {where}"


def first(entry: Mapping[str, Any]) -> str:
    """The example of a sum: where it stood, and what was wrong with it."""
    record = entry["example"]
    event = record.get("event")
    where = f"at {record['position']}" if record.get("position") else "of them"
    what = f"{event['type']} {event['id']} {where}" if event else where
    error = record.get("error", "")
    if not error and event:
        error = f"its time is {event['time']}"
    return f"{what}: {wrong(error, entry.get('fields', ()))}"


def spoiled(report: Mapping[str, Any]) -> str:
    """What to say where all that a run read from a source was invalid; "" if there is no such source."""
    said = []
    for name, counts in report["sources"].items():
        earlier = counts.get("earlier", {})
        read, invalid = (counts.get(k, 0) - earlier.get(k, 0) for k in ("read", "invalid"))
        if not read or invalid < read:
            continue
        example = next(
            (e for e in report.get("late", ()) if (e["reason"], e["source"]) == ("invalid", name)), None
        )
        said.append(
            every(read, f"of source '{name}'", "invalid")
            + (f"; the first {first(example)}" if example else "")
        )
    return "; ".join(said)
