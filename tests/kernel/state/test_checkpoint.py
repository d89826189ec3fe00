"""Checkpoints: a detection that is restored is the one that was, whatever its patterns and policies."""

from __future__ import annotations

import inspect
import os
from collections import deque
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pytest
import structlog
from hypothesis import strategies as st

from limecep import Event
from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.detection.event_time import SourceTraits
from limecep.detection.refusals import Refusals
from limecep.detection.retention import Limits
from limecep.host import Host
from limecep.model.match import Match
from limecep.model.time import FOREVER
from limecep.output.render import Renderer
from limecep.patterns.archive import Archive
from limecep.patterns.pending import Pending
from limecep.runtime import assembly
from limecep.runtime.assembly import Assembly
from limecep.runtime.retrieval import Retrieval
from limecep.state.book import Book, Noted, Numbers
from limecep.state.checkpoint import Checkpoint
from limecep.state.json_values import decode, encode
from limecep.state.segments import read, within
from limecep.testing.random_tests import for_all
from limecep.testing.streams import SECOND

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.config.model import PipelineConfig
    from limecep.contracts.state import Row
    from limecep.detection.detection import Detection
    from limecep.model.update import Update
    from limecep.patterns.detector import Refusal

EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "300")) // 15
REGISTRY = Host.load().registry


def pattern(query: str, **policies: Any) -> dict[str, Any]:
    return {"query": f"PATTERN {query}", "lateness": "accept", "slack": "none", **policies}


FINAL = {"type": "corrected", "emit": "final"}

TRAITS = {
    "s": SourceTraits(max_future_skew=40 * SECOND),
    "t": SourceTraits(idle_after=5 * SECOND),
}


class Saved(NamedTuple):
    """What a state store has."""

    known: Any
    rows: list[Row]
    segments: list[bytes]


class Machine(ManualClock):
    """A clock that might be set."""

    def passed(self) -> int:
        return self.now()


class Life:
    """Detection until it is killed.

    Attributes:
        told: Records of the updates, and what was refused by whom.
    """

    def __init__(self, config: PipelineConfig, saved: Saved | None = None) -> None:
        self.begins = -FOREVER
        self.told: list[Any] = []
        self.segments = [] if saved is None else list(saved.segments)
        self._rows: dict[int, Row] = {}
        numbers, clock = Numbers(), Machine()
        self.book = Book(numbers)
        self.detection = Assembly(config, REGISTRY, clock, structlog.get_logger()).detection(
            self._deliver,
            self._refuse,
            sources=TRAITS,
            awaits_sources=True,
            past=Retrieval([], self),
            tables=self.book,
        )
        self.checkpoint = Checkpoint(self.detection, self.book)
        if saved is not None:
            for row in saved.rows:
                numbers.seen(row.number)
                self._rows[row.number] = row
            self.checkpoint.restore(saved.known, saved.rows, saved.segments)

    def events(self, t_from: int, t_to: int) -> Sequence[Event]:
        """As a journal."""
        return within(self.segments, t_from, t_to)

    def feed(self, events: Sequence[Event]) -> None:
        copies = [msgspec.structs.replace(e) for e in events]
        self.detection.feed(copies)
        self.segments += [text for _, _, text in self.checkpoint.segments(copies)]

    def saved(self) -> Saved:
        put, deleted = self.book.changes()
        for number in deleted:
            del self._rows[number]
        self._rows.update((row.number, row) for row in put)
        rows = [self._rows[number] for number in sorted(self._rows)]
        return Saved(decode(encode(self.checkpoint.snapshot())), rows, list(self.segments))

    def _deliver(self, update: Update) -> None:
        self.told.append(decode(encode(Renderer("none").render(update))))

    def _refuse(self, refusal: Refusal) -> None:
        self.told.append((refusal.reason, refusal.event.id, refusal.patterns))


def config_of(patterns: dict[str, Any], **retention: Any) -> PipelineConfig:
    document = {"version": 1, "name": "p", "patterns": patterns, "retention": retention}
    loaded = load_dict(document, REGISTRY)
    assert loaded.config is not None, loaded.problems
    return loaded.config


def drawn(chosen: Random, length: int) -> list[list[Event]]:
    """Batches of events of two sources, one of which falls silent, out of order now and then."""
    events = []
    for n in range(length):
        t_gen = n * SECOND // 2 + chosen.choice([0, 0, 0, 0, -3, -7, -20]) * SECOND
        if chosen.random() < 0.02:
            t_gen += 100 * SECOND
        source = "t" if n < length // 3 and chosen.random() < 0.3 else "s"
        made = Event(chosen.choice("AABBCD"), f"e{n}", max(0, t_gen), n * SECOND // 2, source=source)
        made.payload = {"v": chosen.randrange(2)} if chosen.random() < 0.9 else {}
        events.append(made)
        if chosen.random() < 0.05:
            events.append(msgspec.structs.replace(chosen.choice(events), t_arr=n * SECOND // 2))
    batches = []
    while events:
        size = chosen.randrange(1, 12)
        batches.append(events[:size])
        events = events[size:]
    return batches


# -- what every attribute is ---------------------------------------------------------------------------------

ROOMS = ("limecep.detection", "limecep.patterns", "limecep.store", "limecep.statistics", "limecep.contracts")


def attributes(thing: Any) -> Iterator[tuple[str, Any]]:
    """Names, without what marks them as private, and values."""
    declared = "__slots__", "__mypyc_attrs__"
    names = [n for cls in type(thing).__mro__ for kind in declared for n in getattr(cls, kind, ())]
    found = dict.fromkeys([*names, *getattr(thing, "__dict__", ())])
    for name in [name for name in found if name != "__dict__"]:
        yield name.lstrip("_"), getattr(thing, name)


def owners(value: Any) -> list[Any]:
    """The objects with a state of their own among a value and what it contains; the entries of tables are
    none."""
    if isinstance(value, dict):
        return [] if isinstance(value, Noted) else owners(list(value.values()))
    if isinstance(value, (list, tuple, deque)):
        return [found for item in value for found in owners(item)]
    if not type(value).__module__.startswith(ROOMS):
        return []
    own = hasattr(value, "restore") or any(isinstance(v, Noted) for _, v in attributes(value))
    return [value] if own else []


def reachable(detection: Detection) -> list[Any]:
    """The objects with a state of their own, detection first; not by way of what follows from the rest."""
    found, queue = {}, [detection]
    while queue:
        owner = queue.pop()
        if id(owner) not in found:
            found[id(owner)] = owner
            follows = getattr(owner, "transient", ())
            queue += [o for name, value in attributes(owner) if name not in follows for o in owners(value)]
    return list(found.values())


def undeclared(owner: Any) -> set[str]:
    """The attributes of which nobody says what becomes of them in a crash."""
    given = inspect.signature(type(owner)).parameters
    kept = owner.snapshot() if hasattr(owner, "snapshot") else ()
    known = {*given, *kept, *getattr(owner, "transient", ())}
    return {name for name, value in attributes(owner) if name not in known and not isinstance(value, Noted)}


def parts(owner: Any) -> set[str]:
    """The attributes that have a state of their own."""
    return {name for name, value in attributes(owner) if owners(value)}


def shape(value: Any) -> Any:
    """A value that can be compared with one of another life."""
    if isinstance(value, Event):
        return value.type, value.source, value.id, value.t_gen, value.ordinal
    if isinstance(value, Match):
        return [[shape(e) for e in group] for group in value.groups]
    if isinstance(value, msgspec.Struct):
        return [shape(getattr(value, name)) for name in value.__struct_fields__]
    if isinstance(value, Pending):
        return [(name, shape(v)) for name, v in attributes(value) if name != "view"]
    if isinstance(value, (set, frozenset)):
        return sorted(map(repr, map(shape, value)))
    if isinstance(value, dict):
        return [(shape(k), shape(v)) for k, v in value.items()]
    if isinstance(value, (list, tuple, deque)):
        return [shape(v) for v in value]
    return value


def kept(owner: Any) -> dict[str, Any]:
    """The attributes that must be the same after a crash."""
    passing = {*inspect.signature(type(owner)).parameters, *getattr(owner, "transient", ())}
    return {
        # What waits in a view is known by the view, which is another one.
        name: shape(list(value.values()) if name == "by_view" else value)
        for name, value in attributes(owner)
        if name not in passing and not owners(value)
    }


def family(owner: Any) -> str:
    """The class that an owner's class has in common with others: the highest one."""
    return next(c.__qualname__ for c in reversed(type(owner).__mro__) if c.__module__.startswith(ROOMS))


def alike(life: Life, again: Life) -> None:
    for before, after in zip(reachable(life.detection), reachable(again.detection), strict=True):
        assert type(before) is type(after)
        assert kept(before) == kept(after), type(before)


LIMITS: list[dict[str, Any]] = [{}, {"events": 40}, {"time": "20s"}]
#: How many bytes events take is judged by samples, and not the same in another life.
BYTES = {"events": 60, "bytes": "30 kB"}


@pytest.mark.interpreted
def test_every_attribute_of_detection_is_a_table_in_a_snapshot_or_declared(kinds: dict[str, Any]) -> None:
    life = Life(config_of(kinds))
    for batch in drawn(Random(1), 100):
        life.feed(batch)
    missing: dict[str, set[str]] = {}
    with_state: dict[str, set[str]] = {}
    for owner in reachable(life.detection):
        name = type(owner).__qualname__
        missing.setdefault(name, set()).update(undeclared(owner))
        with_state.setdefault(name, set()).update(parts(owner))
    said = {name: names - with_state[name] for name, names in missing.items() if names - with_state[name]}
    assert not said, f"neither in a table nor in the snapshot nor in 'transient': {said}"
    assert len(missing) > 20


def test_every_declared_name_is_that_of_an_attribute(kinds: dict[str, Any]) -> None:
    life = Life(config_of(kinds))
    life.feed([Event("A", "a", 1, source="s")])
    declared: dict[type, set[str]] = {}
    for owner in reachable(life.detection):
        names = {name for name, _ in attributes(owner)}
        declared.setdefault(type(owner), {*getattr(owner, "transient", ())}).difference_update(names)
    assert not {cls.__qualname__: names for cls, names in declared.items() if names}


#: Events come back from the journal, views and lanes with them; what components count is in the snapshot of
#: the result manager.
OF_OTHERS = ("Content", "View", "Context")


def things(value: Any) -> list[Any]:
    """The objects of detection in a value, those without a state too."""
    if isinstance(value, dict):
        return [] if isinstance(value, Noted) else things(list(value.values()))
    if isinstance(value, (list, tuple, deque)):
        return [found for item in value for found in things(item)]
    return [value] if type(value).__module__.startswith(ROOMS) else []


def sizes(detection: Detection) -> dict[tuple[str, str], set[str]]:
    """The plain values that attributes of objects without a `restore` have, and how much is in the others.
    Objects that someone declares to be transient are left out."""
    found: dict[int, Any] = {}
    passing: set[int] = set()
    queue: list[Any] = [detection]
    while queue:
        thing = queue.pop()
        if id(thing) not in found:
            found[id(thing)] = thing
            for name, value in attributes(thing):
                inside = things(value)
                queue += inside
                if name in getattr(thing, "transient", ()):
                    passing.update(map(id, inside))
    values: dict[tuple[str, str], set[str]] = {}
    for thing in found.values():
        owner = type(thing).__qualname__
        if id(thing) in passing or hasattr(thing, "restore") or owner in OF_OTHERS:
            continue
        for name, value in attributes(thing):
            if isinstance(value, (list, dict, set, deque)) and not isinstance(value, Noted):
                value = len(value)
            if value is None or isinstance(value, (int, float, str)):
                values.setdefault((owner, name), set()).add(repr(value))
    return values


def test_what_changes_with_events_belongs_to_an_object_that_is_restored(kinds: dict[str, Any]) -> None:
    life = Life(config_of(kinds))
    before = sizes(life.detection)
    for batch in drawn(Random(1), 160):
        life.feed(batch)
        life.detection.advance(batch[-1].t_gen)
    assert len(before) > 20
    assert {
        name: values for name, values in sizes(life.detection).items() if before.get(name) != values
    } == {}


# -- there and back ------------------------------------------------------------------------------------------


@pytest.mark.interpreted
def test_what_is_restored_is_as_it_was_in_every_field(kinds: dict[str, Any]) -> None:
    strict = [name for name, policies in kinds.items() if "within" in policies["lateness"]]
    configs = [config_of(kinds, **limits) for limits in [*LIMITS, BYTES]]
    configs.append(config_of({name: kinds[name] for name in strict}))
    #: The fields of each family of classes, and those that were not as in the beginning when restored.
    fields: set[tuple[str, str]] = set()
    moved: set[tuple[str, str]] = set()
    for config in configs:
        life = Life(config)
        for number, batch in enumerate(drawn(Random(1), 160)):
            life.feed(batch)
            life.detection.advance(batch[-1].t_gen)
            life.detection.idle()
            if number % 8:
                continue
            for owner in reachable(life.detection):
                if isinstance(owner, (Archive, Refusals)):
                    # As if there had been no room for what is before all events.
                    owner.lost_until = -1
            saved = life.saved()
            again = Life(config, saved)
            alike(life, again)
            assert again.saved() == saved
            begun = {
                (family(owner), name): value
                for owner in reachable(Life(config).detection)
                for name, value in kept(owner).items()
            }
            for owner in reachable(again.detection):
                cls = family(owner)
                fields.update((cls, name) for name in kept(owner))
                moved.update(
                    (cls, name) for name, value in kept(owner).items() if value != begun.get((cls, name))
                )
                moved.update((cls, name) for name in parts(owner))
    assert fields - moved == set()


def test_who_is_restored_now_and_then_says_what_one_life_says(kinds: dict[str, Any]) -> None:
    def holds(seed: int) -> None:
        chosen = Random(seed)
        named = {name: kinds[name] for name in chosen.sample(sorted(kinds), 3)}
        # How many bytes the events take depends on the views that were made, which a life makes when it
        # needs them.
        config = config_of(named, **chosen.choice([limits for limits in LIMITS if "bytes" not in limits]))
        life, mortal = Life(config), Life(config)
        for batch in drawn(chosen, 120):
            life.feed(batch)
            mortal.feed(batch)
            saved = mortal.saved()
            if chosen.random() < 0.2:
                told, mortal = mortal.told, Life(config, saved)
                mortal.told = told
        life.detection.finish()
        mortal.detection.finish()
        assert mortal.told == life.told
        assert mortal.detection.patterns() == life.detection.patterns()
        assert mortal.detection.statistics.told() == life.detection.statistics.told()

    for_all(holds, st.integers(0, 2**32), examples=EXAMPLES)


# -- what must not be forgotten ------------------------------------------------------------------------------


def restarted(life: Life, config: PipelineConfig) -> Life:
    again = Life(config, life.saved())
    again.told = life.told
    return again


def test_what_is_final_before_a_crash_is_final_after_it() -> None:
    # The lateness policy accepts any event: only what was final says that this one is too late.
    results = {**FINAL, "horizon": "6s"}
    config = config_of({"p": pattern("SEQ(A a, C c) WITHIN 6 s", results=results)})
    life = Life(config)
    # Time goes on without source t, which is idle.
    life.feed([Event("A", "a1", 1 * SECOND, 0, source="t")])
    life.feed([Event("C", f"c{t}", t * SECOND, t * SECOND, source="s") for t in (3, 20)])
    assert [record["op"] for record in life.told] == ["emit"]
    again = restarted(life, config)
    # It is heard of again, and holds time back: to before what was said to be final.
    again.feed([Event("A", "a2", 2 * SECOND, 20 * SECOND, source="t")])
    assert again.told[1:] == [("extremely_late", "a2", ("p",))]


def test_how_late_an_event_was_accepted_says_how_long_events_are_kept(kinds: dict[str, Any]) -> None:
    config = config_of({"p": kinds["learns"]})
    life = Life(config)
    life.feed([Event("B", f"b{n}", n * SECOND, 0, source="s") for n in range(15)])
    life.feed([Event("B", "late", 2 * SECOND, 0, source="s")])
    again = restarted(life, config)
    again.feed([Event("B", f"b{n}", n * SECOND, 0, source="s") for n in range(15, 30)])
    assert again.detection.store.earliest == 0


def test_what_was_emitted_and_is_not_known_any_more_is_left_alone_after_a_crash() -> None:
    # Memory is shorter than a window, so no end event before 30 s can be evaluated again.
    config = config_of({"p": pattern("SEQ(A a, B b) WITHIN 10 s")}, events=2)
    life = Life(config)
    life.feed([Event("AB"[n % 2], f"e{n}", n * 3 * SECOND, 0, source="s") for n in range(6)])
    assert life.detection.store.size < 6
    again, told = restarted(life, config), len(life.told)
    again.feed([Event("A", "late", 14 * SECOND, 0, source="s")])
    assert again.told[told:] == [("evicted", "late", ("p",))]


def test_time_that_was_told_before_a_crash_has_passed_after_it() -> None:
    # Source t has brought nothing yet: only what is told lets time pass.
    config = config_of({"p": pattern("SEQ(A a, B b, !C c) WITHIN 6 s")})
    life = Life(config)
    life.feed([Event("A", "a1", 1 * SECOND, 0, source="s")])
    life.detection.advance(30 * SECOND)
    again = restarted(life, config)
    again.feed([Event("B", "b3", 3 * SECOND, 0, source="s")])
    again.feed([Event("B", "b20", 20 * SECOND, 0, source="s")])
    assert [record["op"] for record in again.told] == ["emit"]


def test_when_retention_looks_next_is_known_again() -> None:
    config = config_of({"p": pattern("SEQ(A a, B b) WITHIN 1 s")}, time="20s")
    life = Life(config)
    for n in range(30):
        life.feed([Event("A", f"a{n}", n * SECOND, 0, source="s")])
    stored = life.detection.store.size
    again = restarted(life, config)
    again.feed([Event("A", "a29", 29 * SECOND, 0, source="s")])
    assert again.detection.store.size == stored


def test_what_is_late_for_the_last_life_is_late_for_the_next_one(kinds: dict[str, Any]) -> None:
    config = config_of({"p": kinds["grows"]})
    life = Life(config)
    life.feed([Event("A", "a1", 10 * SECOND, source="s")])
    again = restarted(life, config)
    late, now = Event("A", "a2", 8 * SECOND, source="s"), Event("A", "a3", 20 * SECOND, source="s")
    again.feed([late, now])
    # It stands apart in the journal, so that no segment reaches far.
    assert [[e.id for e in events] for events, _ in read(again.segments)] == [["a1"], ["a3"], ["a2"]]


def test_what_was_packed_is_packed_in_the_next_life(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembly, "Limits", partial(Limits, unpacked=1))
    config = config_of({"p": pattern("SEQ(A a, B+ b[]) WITHIN 4 s")})
    for seed in range(10):
        chosen = Random(seed)
        life, mortal = Life(config), Life(config)
        for batch in drawn(chosen, 120):
            life.feed(batch)
            mortal.feed(batch)
            if chosen.random() < 0.1:
                mortal = restarted(mortal, config)
        retention = mortal.detection.retention
        assert mortal.told == life.told
        assert retention.size == life.detection.retention.size
        assert retention.size > mortal.detection.store.size + 20
        # A copy is known whether its like is packed or not.
        copies = [e for batch in drawn(Random(seed), 120) for e in batch]
        mortal.feed(copies)
        assert retention.size == life.detection.retention.size
