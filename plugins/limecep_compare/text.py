"""Differences as text for people, and as values of JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep_compare.differences import Difference, Record
    from limecep_compare.results import Results

#: What stands before a match that has come, has gone, is another.
_COME, _GONE, _WAS, _IS = "+", "-", "<", ">"


def lines(difference: Difference, most: int) -> Iterator[str]:
    """What is different of a pattern.

    Args:
        difference: The difference.
        most: How many matches of each kind are shown.
    """
    d = difference
    matches = "1 match" if d.after == 1 else f"{d.after:,} matches"
    there = {"both": "", "new": ", which is new", "old": ", which is gone"}[d.there]
    if not d.any:
        yield f"{d.pattern}{there}: {matches}, as before"
        return
    counts = [(len(d.come), "comes", "come"), (len(d.gone), "goes", "go")]
    counts.append((len(d.changed), "changes", "change"))
    said = ", ".join(f"{n:,} {one if n == 1 else several}" for n, one, several in counts if n)
    yield f"{d.pattern}{there}: {matches}, {d.before:,} before: {said}"
    yield from _shown(_COME, d.come, most)
    yield from _shown(_GONE, d.gone, most)
    for was, now in d.changed[:most]:
        yield f"  {_WAS} {_match(was)}"
        yield f"  {_IS} {_match(now)}"
    yield from _more(len(d.changed), most)


def _shown(mark: str, records: Sequence[Record], most: int) -> Iterator[str]:
    for record in records[:most]:
        yield f"  {mark} {_match(record)}"
    yield from _more(len(records), most)


def _more(there: int, most: int) -> Iterator[str]:
    if there > most:
        yield f"    and {there - most:,} more"


def _match(record: Record) -> str:
    key = record["key"]
    parts = [] if key is None else [", ".join(f"{name} {value}" for name, value in key.items())]
    parts.append(f"{record['start']} to {record['end']}")
    parts.append(" ".join(f"{name} {','.join(ids)}" for name, ids in record["events"].items() if ids))
    if "values" in record:
        parts.append(" ".join(f"{name}={value}" for name, value in record["values"].items()))
    return "  ".join([*parts, record["match"]])


def read(results: Results) -> str:
    """How much was read."""
    records = "1 record" if results.invalid == 1 else f"{results.invalid:,} records"
    invalid = f", and {records} that gave none" if results.invalid else ""
    return f"{results.events:,} events{invalid}"


def document(difference: Difference, most: int) -> dict[str, Any]:
    """The same as values of JSON: all counts, and as many matches."""
    d = difference
    return {
        "pattern": d.pattern,
        "there": d.there,
        "matches": {"before": d.before, "after": d.after},
        "counts": {"come": len(d.come), "gone": len(d.gone), "changed": len(d.changed)},
        "come": list(d.come[:most]),
        "gone": list(d.gone[:most]),
        "changed": [{"before": was, "after": now} for was, now in d.changed[:most]],
    }
