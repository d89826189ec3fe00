"""Sources against what a pattern needs of them: nothing read, all of it invalid, late, ahead or doubled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.diagnosis.reason import reason
from limecep.model.instants import rfc3339

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from limecep.diagnosis.evidence import Evidence
    from limecep.language.problems import QueryProblem

#: Times before 1975 are those of a clock that was never set, or numbers in another unit.
_EARLY_US = 157_766_400_000_000
#: The part of what a source brought that has to have an outcome to be worth a word.
_MANY = 2

#: Outcomes that keep events from patterns, each with what is said of so many events, and what to look at.
_LOST = {
    "invalid": ("invalid", "were invalid", "the late output has each with its error"),
    "future": (
        "ahead",
        "were further ahead of their arrival than max_future_skew",
        "look at the clock of the device, and at the unit and zone of 'time'",
    ),
    "duplicate": ("doubled", "were copies of others, by their id", "look at 'id': is it unique?"),
    "extremely_late": (
        "all-late",
        "were extremely late for every pattern",
        "look at 'lateness', and whether one event with a wrong time came first",
    ),
}


def silent(types: Collection[str], evidence: Evidence) -> str:
    """Why none of some types came, where that is because of their sources, or of the patterns that derive
    them; "" if it is not."""
    if all(t in evidence.derived for t in types):
        names = [f"'{name}'" for t in types for name in evidence.derived[t]]
        derive = "derives it" if len(names) == 1 else "derive it"
        return f"{' and '.join(names)}, which {derive}, found nothing that stands"
    sources = [s for s in evidence.sources if s.brings(types)]
    if not sources or any(s.read > s.outcomes.get("invalid", 0) for s in sources):
        return ""
    return " and ".join(
        every(s.read, f"of source '{s.name}'", "invalid")
        if s.read
        else f"nothing was read from source '{s.name}'" + (f" ({s.channel})" if s.channel else "")
        for s in sources
    )


def every(count: int, of: str, what: str) -> str:
    """That all records of something are something."""
    return f"the only record {of} is {what}" if count == 1 else f"all {count:,} records {of} are {what}"


def lost(types: Iterable[str], evidence: Evidence) -> Iterator[QueryProblem]:
    """What sources brought, and no pattern saw."""
    for source in evidence.sources:
        if not source.brings(types):
            continue
        for outcome, (code, what, hint) in _LOST.items():
            count = source.outcomes.get(outcome, 0)
            if count * _MANY >= max(source.read, 1) and count < source.read:
                yield reason(
                    code, f"{count:,} of {source.read:,} events of source '{source.name}' {what}", hint
                )
            elif count and count == source.read and outcome != "invalid":
                yield reason(
                    code, f"all{f' {count:,}' * (count > 1)} events of source '{source.name}' {what}", hint
                )


def odd_times(evidence: Evidence) -> Iterator[QueryProblem]:
    """Times that are numbers in another unit, as it seems, or that a plugin gives in one."""
    for source in evidence.sources:
        if (
            (source.epoch or source.reader)
            and source.first is not None
            and source.latest is not None
            and source.latest < _EARLY_US
        ):
            yield reason(
                "odd-time",
                f"the times of source '{source.name}' are from {rfc3339(source.first)} to "
                f"{rfc3339(source.latest)}",
                f"look at the unit of 'time': format is {source.epoch}"
                if source.epoch
                else f"look at the time format '{source.reader}': it gives whole microseconds since 1970",
            )
