"""Fields that a source names as its key or in its payload, and that none of its records has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.diagnosis.attributes import listed
from limecep.diagnosis.evidence import GLANCE_EVENTS, MOST_EVENTS, stored
from limecep.intake.fields import OTHERS, getter, topic_level
from limecep.problems import suggestion

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from limecep.config.model import SourceConfig
    from limecep.detection.detection import Detection
    from limecep.model.event import Event

#: What the report has of such a field: the `key` of the source that names it, the `field`, how many records
#: were `looked_at`, and the fields that they `have`, as far as payloads show them.
Absent = dict[str, Any]


def absent_fields(
    detection: Detection, sources: Sequence[SourceConfig], unconverted: Mapping[str, Collection[str]]
) -> dict[str, list[Absent]]:
    """Such fields by source, for the report.

    Args:
        detection: What detected.
        sources: The sources that it was fed from.
        unconverted: The fields of each source that some record has, though not of the declared type.
    """
    found: dict[str, list[Absent]] = {}
    # Most sources have all that they name: a glance is enough then.
    for most in (GLANCE_EVENTS, MOST_EVENTS) if sources else ():
        events: dict[str, list[Event]] = {}
        for event in (e for seen in stored(detection, most).values() for e in seen.events):
            events.setdefault(event.source, []).append(event)
        found = {
            s.name: absent
            for s in sources
            if (absent := list(absent_from(s, events.get(s.name, ()), unconverted.get(s.name, ()))))
        }
        if not found:
            break
    return found


def absent_from(
    source: SourceConfig, events: Sequence[Event], unconverted: Collection[str]
) -> Iterator[Absent]:
    """Such fields of one source, where events came from it."""
    payloads = [e.payload for e in events]
    for key, path in _named(source):
        get: Any = getter(path, source.levels)
        if payloads and path not in unconverted and all(get(p, None) is None for p in payloads):
            names = sorted({name for p in payloads for name in p if p[name] is not None})
            yield {"key": key, "field": path, "looked_at": len(payloads), "have": names}


def _named(source: SourceConfig) -> Iterator[tuple[str, str]]:
    named = [("payload", path) for path in source.payload or () if path != OTHERS]
    if source.key is not None:
        named.insert(0, ("key", source.key))
    # The key stays in the payload, and may be declared there, too.
    told = set()
    for key, path in named:
        if topic_level(path) is None and path not in told:
            told.add(path)
            yield key, path


def in_words(absent: Absent, read: int, source: str) -> str:
    """Such a field in a line, with what the records have.

    Args:
        absent: The field.
        read: How many records were read.
        source: The source, in words.
    """
    looked = absent["looked_at"]
    records = f"all {looked:,} records" if looked > 1 else "the only record"
    if looked < read:
        records = f"the {looked:,} records looked at (of {read:,})"
    said = f"{absent['key']} '{absent['field']}' of {source} was missing in {records}"
    if not absent["have"]:
        return said
    near = suggestion(absent["field"], absent["have"])
    has = "they have" if looked > 1 else "it has"
    return f"{said}: {has} {listed(absent['have'])}" + (f"; {near}" if near.startswith("did") else "")
