"""What a pipeline knows of its streams: how many events came, how late, from which source, of which type.

An event in order costs nothing here: the counts of the types come from the store, those of a source are added
up a batch at a time. Only an event that is out of order is looked at by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limecep.model.event import Event

#: Every event read has exactly one of these outcomes: the first that holds, in this order.
OUTCOMES = (
    "invalid", "future", "irrelevant", "duplicate", "extremely_late", "withdrawn", "revised", "out_of_order",
    "in_order",
)  # fmt: skip


class Spread:
    """Some figures, of which only these are kept.

    Attributes:
        count: How many there were.
        total: Their sum.
        minimum, maximum: The least and the greatest; 0 while there is none.
    """

    __slots__ = ("count", "maximum", "minimum", "total")

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0
        self.minimum = 0.0
        self.maximum = 0.0

    def add(self, value: float) -> None:
        """One more figure."""
        if not self.count:
            self.minimum = self.maximum = value
        elif value > self.maximum:
            self.maximum = value
        elif value < self.minimum:
            self.minimum = value
        self.count += 1
        self.total += value

    def take_back(self, value: float) -> None:
        """One of the figures was none; it may stay the least or the greatest."""
        self.count -= 1
        self.total -= value

    def snapshot(self) -> dict[str, float]:
        """All there is to it."""
        return {
            "count": self.count,
            "maximum": self.maximum,
            "minimum": self.minimum,
            "total": self.total,
        }

    def restore(self, known: Mapping[str, float]) -> None:
        """It is as it was in a snapshot."""
        self.count = int(known["count"])
        self.maximum, self.minimum, self.total = known["maximum"], known["minimum"], known["total"]

    @property
    def average(self) -> float | None:
        """None while there is none."""
        return self.total / self.count if self.count else None

    def seconds(self) -> dict[str, float] | None:
        """Figures in microseconds, as seconds; None while there is none."""
        if not self.count:
            return None
        return {
            "average": round(self.total / self.count / 1e6, 6),
            "minimum": self.minimum / 1e6,
            "maximum": self.maximum / 1e6,
        }


class SourceStatistics:
    """The figures of one source.

    Attributes:
        every: The period it is configured with, in microseconds; None where it has none.
        outcomes: How many events had each outcome.
        first, latest: The least and the greatest `t_gen`, in microseconds; None before the first event.
        unmet: How many withdrawals there were of events that have not come.
    """

    __slots__ = ("every", "first", "latest", "outcomes", "unmet")

    #: The configuration says it, and what was stated of events.
    transient: ClassVar[frozenset[str]] = frozenset({"every", "unmet"})

    def __init__(self) -> None:
        self.every: int | None = None
        self.outcomes = dict.fromkeys(OUTCOMES, 0)
        self.unmet = 0
        self.first: int | None = None
        self.latest: int | None = None

    def note_time(self, t_gen: int) -> None:
        """An event of this time has come."""
        if self.latest is None or self.first is None:
            self.first = self.latest = t_gen
        elif t_gen > self.latest:
            self.latest = t_gen
        elif t_gen < self.first:
            self.first = t_gen

    def snapshot(self) -> dict[str, Any]:
        """What must survive a crash."""
        return {"outcomes": self.outcomes, "first": self.first, "latest": self.latest}

    def restore(self, known: Mapping[str, Any]) -> None:
        """They are as they were in a snapshot."""
        self.outcomes.update(known["outcomes"])
        self.first, self.latest = known["first"], known["latest"]

    @property
    def read(self) -> int:
        """How many events were read: the sum of the outcomes."""
        return sum(self.outcomes.values())

    @property
    def late(self) -> int:
        """How many came out of order, used or not."""
        return self.outcomes["out_of_order"] + self.outcomes["extremely_late"]

    @property
    def events(self) -> int:
        """How many concerned a pattern: those in order, and the late ones."""
        return self.outcomes["in_order"] + self.late

    @property
    def acar(self) -> float | None:
        """The actual period, in microseconds: the mean time from one event to the next, of all types,
        duplicates and what was quarantined aside. None before the second event."""
        gaps = self.events + self.outcomes["irrelevant"] - 1
        if gaps < 1 or self.first is None or self.latest is None:
            return None
        return (self.latest - self.first) / gaps


class TypeStatistics:
    """The figures of one event type.

    Attributes:
        lateness: How far behind `lta` its late events were, used or not, in microseconds.
        extremely_late: How many every pattern concerned refused.
    """

    __slots__ = ("_stored", "extremely_late", "lateness")

    def __init__(self, stored: Any) -> None:
        self._stored = stored
        self.lateness = Spread()
        self.extremely_late = 0

    def snapshot(self) -> dict[str, Any]:
        """What must survive a crash."""
        return {"lateness": self.lateness.snapshot(), "extremely_late": self.extremely_late}

    def restore(self, known: Mapping[str, Any]) -> None:
        """They are as they were in a snapshot."""
        self.lateness.restore(known["lateness"])
        self.extremely_late = known["extremely_late"]

    @property
    def events(self) -> int:
        """How many events there were, late ones included, duplicates not."""
        return (self._stored.arrived if self._stored is not None else 0) + self.extremely_late

    @property
    def late(self) -> int:
        """How many came out of order, used or not."""
        return self.lateness.count

    @property
    def latest(self) -> int | None:
        """The greatest `t_gen` that entered the store, in microseconds; None before the first event."""
        return self._stored.latest if self._stored is not None else None


class PatternStatistics:
    """The figures of one pattern.

    Attributes:
        scores: What its lateness policy gave late events, by type.
        latency: From the arrival of a match's first event to the emission of the match, corrections included,
            in microseconds of the arrival clock. Nothing where matches are only counted.
    """

    __slots__ = ("latency", "scores")

    #: It is the result manager's.
    transient: ClassVar[frozenset[str]] = frozenset({"latency"})

    def __init__(self) -> None:
        self.scores: dict[str, Spread] = {}
        self.latency = Spread()

    def note_score(self, event_type: str, score: float) -> None:
        """Its lateness policy has judged an event."""
        scores = self.scores.get(event_type)
        if scores is None:
            scores = self.scores[event_type] = Spread()
        scores.add(score)

    def snapshot(self) -> dict[str, Any]:
        """What must survive a crash."""
        return {"scores": {name: score.snapshot() for name, score in self.scores.items()}}

    def restore(self, known: Mapping[str, Any]) -> None:
        """They are as they were in a snapshot."""
        for name, score in known["scores"].items():
            self.scores.setdefault(name, Spread()).restore(score)


class Statistics:
    """The statistical manager: the figures of a pipeline that policies decide by.

    Args:
        stored: What the store holds of each type: its type sets, or others that have `arrived` and `latest`.

    Attributes:
        lta: The latest `t_gen` seen, in microseconds; what is before it is out of order.
        lateness: How far behind `lta` late events were, of all types, in microseconds.
        sources, patterns: The figures of each that is known, by name.
    """

    def __init__(self, stored: Mapping[str, Any] | None = None) -> None:
        self.lta = -FOREVER
        self.lateness = Spread()
        self.sources: dict[str, SourceStatistics] = {}
        self.patterns: dict[str, PatternStatistics] = {}
        self._stored = stored if stored is not None else {}
        self._types: dict[str, TypeStatistics] = {}

    # -- what was noted ------------------------------------------------------------------------------------

    def source(self, name: str) -> SourceStatistics:
        """The figures of a source, made when first asked for."""
        found = self.sources.get(name)
        if found is None:
            found = self.sources[name] = SourceStatistics()
        return found

    def type(self, name: str) -> TypeStatistics:
        """The figures of an event type."""
        found = self._types.get(name)
        if found is None:
            found = self._types[name] = TypeStatistics(self._stored.get(name))
        return found

    def pattern(self, name: str) -> PatternStatistics:
        """The figures of a pattern, made when first asked for."""
        found = self.patterns.get(name)
        if found is None:
            found = self.patterns[name] = PatternStatistics()
        return found

    def latest_of(self, event_type: str) -> int | None:
        """The greatest `t_gen` of a type that entered the store, in microseconds; None before the first."""
        return self.type(event_type).latest

    @property
    def ratio(self) -> float:
        """The share of events that came out of order, over all sources, 0 to 1."""
        late = events = self.lateness.count
        if not late:
            return 0.0
        for source in self.sources.values():
            events += source.outcomes["in_order"]
        return late / events

    # -- noting --------------------------------------------------------------------------------------------

    def came_late(self, event: Event) -> None:
        """An event has come out of order. It counts as used until `refused` says that no pattern takes it."""
        behind = float(self.lta - event.t_gen)
        self.lateness.add(behind)
        self.type(event.type).lateness.add(behind)
        self.source(event.source).outcomes["out_of_order"] += 1

    def refused(self, event: Event) -> None:
        """Every pattern concerned has refused an event that came late."""
        self.type(event.type).extremely_late += 1
        outcomes = self.source(event.source).outcomes
        outcomes["out_of_order"] -= 1
        outcomes["extremely_late"] += 1

    def was_copy(self, event: Event) -> None:
        """An event that came late turned out to be a copy of one that is older than memory."""
        behind = float(self.lta - event.t_gen)
        self.lateness.take_back(behind)
        self.type(event.type).lateness.take_back(behind)
        outcomes = self.source(event.source).outcomes
        outcomes["out_of_order"] -= 1
        outcomes["duplicate"] += 1

    # -- telling -------------------------------------------------------------------------------------------

    def events(self) -> dict[str, int]:
        """The outcomes over all sources, and `read`, their sum."""
        total = {o: sum(s.outcomes[o] for s in self.sources.values()) for o in reversed(OUTCOMES)}
        return {"read": sum(total.values()), **total}

    def outcomes(self) -> dict[str, Any]:
        """The outcomes of each source, for the report."""
        return {
            name: {
                "read": s.read,
                **{o: n for o, n in s.outcomes.items() if n},
                **({"unmet_withdrawals": s.unmet} if s.unmet else {}),
            }
            for name, s in self.sources.items()
        }

    def told(self) -> dict[str, Any]:
        """All other figures, for the report: times in seconds, None where there is nothing to tell."""
        return {
            "events": sum(s.events for s in self.sources.values()),
            "late": sum(s.late for s in self.sources.values()),
            "ratio": round(self.ratio, 6),
            "lateness": self.lateness.seconds(),
            "types": {name: _of_type(self.type(name)) for name in sorted({*self._stored, *self._types})},
            "sources": {name: _of_source(s) for name, s in self.sources.items()},
            "patterns": {name: _of_pattern(p) for name, p in self.patterns.items()},
        }

    # -- what survives a crash -----------------------------------------------------------------------------

    def snapshot(self) -> dict[str, Any]:
        """What must survive: all but what comes from the store."""
        return {
            "lta": self.lta,
            "lateness": self.lateness.snapshot(),
            "sources": {name: s.snapshot() for name, s in self.sources.items()},
            "types": {name: t.snapshot() for name, t in self._types.items()},
            "patterns": {name: p.snapshot() for name, p in self.patterns.items()},
        }

    def restore(self, known: Mapping[str, Any]) -> None:
        """They are as they were in a snapshot."""
        self.lta = known["lta"]
        self.lateness.restore(known["lateness"])
        for find, part in ((self.source, "sources"), (self.type, "types"), (self.pattern, "patterns")):
            for name, figures in known[part].items():
                find(name).restore(figures)


def _of_type(figures: TypeStatistics) -> dict[str, Any]:
    return {
        "events": figures.events,
        "late": figures.late,
        "extremely_late": figures.extremely_late,
        "lateness": figures.lateness.seconds(),
    }


def _of_source(figures: SourceStatistics) -> dict[str, Any]:
    acar = figures.acar
    return {
        "events": figures.events,
        "late": figures.late,
        "every": None if figures.every is None else figures.every / 1e6,
        "period": None if acar is None else round(acar / 1e6, 6),
    }


def _of_pattern(figures: PatternStatistics) -> dict[str, Any]:
    return {
        "scores": {t: round(s.total / s.count, 6) for t, s in sorted(figures.scores.items())},
        "detection_latency": figures.latency.seconds(),
    }
