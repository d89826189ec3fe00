"""Whenever a pipeline with state dies, and however often: it goes on as if it had not."""

from __future__ import annotations

import json
import os
import shutil
import sys
import types
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
import pytest
from hypothesis import strategies as st

from limecep import ComponentSpec, Pipeline
from limecep.cli import logs
from limecep.contracts.source import Message
from limecep.errors import ComponentFailure
from limecep.host import Host
from limecep.model.alternatives import spread
from limecep.registry import Registry
from limecep.testing import functions, tables
from limecep.testing.changelog import net_of_records
from limecep.testing.oracle import all_matches, maximal_matches, picked_matches
from limecep.testing.programs import DERIVED, programs
from limecep.testing.random_tests import for_all
from limecep.testing.returning import with_values
from limecep.testing.strategies import patterns, streams
from limecep.testing.streams import SECOND, shown
from limecep_sqlite.config import SqliteOptions
from limecep_sqlite.store import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from limecep.model.event import Event
    from limecep.model.pattern import Pattern

#: How many pairs of patterns and streams each test draws.
EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "300")) // 8

#: From one burst of events to the next, in microseconds: more than patterns look back.
APART = 60 * SECOND

STAGES = (
    "before the commit",
    "after the commit",
    "while it is sent",
    "when it is sent",
    "when it is struck out",
    "while it reads",
)


class Died(Exception):
    """The process is no more."""


class Fate:
    """When the process dies: in which turn, at which stage."""

    def __init__(self) -> None:
        self.turns = 10**9
        self.stage = ""

    def turn(self) -> None:
        """A batch is read."""
        self.turns -= 1
        self.reach("while it reads")

    def reach(self, stage: str) -> bool:
        """That stage is reached, which may be the end.

        Raises:
            Died: It is.
        """
        if self.turns <= 0 and stage == self.stage:
            raise Died(stage)
        return self.turns <= 0


FATE = Fate()


class Script:
    """A source that ends, and brings batches as they are written down; told where to go on, the rest."""

    speed = None
    batches: ClassVar[list[list[bytes]]] = []

    def __init__(self, channel: str, settings: Any, options: Any, context: Any) -> None:
        self._done = 0

    def seek(self, positions: Sequence[str]) -> None:
        (self._done,) = (int(p.rpartition(":")[2]) + 1 for p in positions)

    def open(self) -> None: ...

    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        FATE.turn()
        first = 0
        for batch in self.batches:
            if first <= self._done < first + len(batch):
                values = list(enumerate(batch, first))[self._done - first :]
                self._done = first + len(batch)
                return [Message(value, "s", f"s:{n}") for n, value in values]
            first += len(batch)
        return []

    @property
    def ended(self) -> bool:
        return self._done >= sum(map(len, self.batches))

    def commit(self, positions: Sequence[str]) -> None: ...

    def close(self) -> None: ...

    def replay(self, t_from: int, t_to: int) -> None: ...


class Reel:
    """A sink that keeps all that it was ever sent."""

    counts_only: ClassVar[bool] = False
    records: ClassVar[dict[str, list[dict[str, Any]]]] = {}

    def __init__(self, channel: str, settings: Any, options: Any, context: Any) -> None:
        self._kept = self.records.setdefault(context.label, [])

    def open(self) -> None: ...

    def send(self, records: Sequence[dict[str, Any]]) -> None:
        half = len(records) // 2
        self._kept += json.loads(json.dumps(records[:half]))
        FATE.reach("while it is sent")
        self._kept += json.loads(json.dumps(records[half:]))

    def flush(self) -> None:
        FATE.reach("when it is sent")

    def close(self) -> None: ...


class Mortal(SqliteStore):
    """The state store, whose process may die."""

    def commit(self, *, durable: bool = True) -> None:
        if durable:
            FATE.reach("before the commit")
        super().commit(durable=durable)
        FATE.reach("after the commit" if durable else "when it is struck out")


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Registry:
    module = types.ModuleType("limecep_test_mortal")
    module.__dict__.update(Script=Script, Reel=Reel, Mortal=Mortal)
    monkeypatch.setitem(sys.modules, "limecep_test_mortal", module)
    logs.configure("error", sys.stderr)
    made = [
        ComponentSpec(
            kind="source", name="script", factory="limecep_test_mortal:Script", summary="x",
            capabilities=frozenset({"finite"}),
        ),
        ComponentSpec(kind="sink", name="reel", factory="limecep_test_mortal:Reel", summary="x"),
        ComponentSpec(
            kind="state", name="mortal", factory="limecep_test_mortal:Mortal", summary="x",
            options=SqliteOptions,
        ),
    ]  # fmt: skip
    return Registry([*Host.load().with_plugins(functions, tables).registry.specs(), *made])


def document(drawn: dict[str, Any], room: int) -> dict[str, Any]:
    source = {
        "type": "script", "channel": "s", "as": {"field": "type"}, "id": "id", "order": "seq",
        "format": "json",
        "time": {"field": "t", "format": "epoch_s"}, "arrival": {"field": "arr", "format": "epoch_s"},
    }  # fmt: skip
    return {
        "version": 1,
        "tables": tables.BLOCK,
        "sources": {"s": source},
        "patterns": drawn,
        "sinks": {"out": {"type": "reel"}, "late": {"type": "reel", "of": "late"}},
        "retention": {"events": room},
        "state": {"type": "mortal", "dir": "state"},
    }


def restated(lines: list[dict[str, Any]], chosen: Random) -> list[dict[str, Any]]:
    """Records of a source that takes back what it told: some say something else first, some are none in the
    end, in any order."""
    said = []
    for line in lines:
        versions = chosen.choice([1, 1, 2, 3])
        for version in range(1, versions + 1):
            other = version < versions
            moved = chosen.randrange(-3, 4) if other and chosen.random() < 0.5 else 0
            changed = {"v": chosen.randrange(5)} if other and chosen.random() < 0.5 else {}
            gone = chosen.random() < (0.15 if other else 0.25) and versions > 1
            said.append({**line, **changed, "t": max(0, line["t"] + moved), "rev": version, "gone": gone})
    said.sort(key=lambda line: line["arr"] + chosen.randrange(6))
    return [{**line, "arr": n} for n, line in enumerate(said)]


def lives(
    folder: Path, registry: Registry, pipeline: dict[str, Any], ends: list[tuple[int, str]]
) -> tuple[dict[str, list[dict[str, Any]]], dict[str, Any]]:
    """Runs a pipeline that dies as often as said, and then to its end; gives what the sinks were sent, and
    the last report."""
    shutil.rmtree(folder / "state", ignore_errors=True)
    Reel.records.clear()
    for turns, stage in [*ends, (10**9, "")]:
        FATE.turns, FATE.stage = turns, stage
        life = Pipeline.from_dict(pipeline, root=folder, registry=registry)
        try:
            life.run()
        except ComponentFailure as failure:
            if not isinstance(failure.__cause__, Died):
                raise
            continue
        report = life.report()
        if stage == "":
            return {name: list(kept) for name, kept in Reel.records.items()}, report
    raise AssertionError("unreachable")


def policies(pattern: Pattern, select: str, chosen: Random) -> dict[str, Any]:
    """A pattern with some policies, as YAML has it."""
    within = chosen.choice([None, None, 0, 2, 5, 9])
    emit = chosen.choice(["eager", "eager", "complete", "slack", *(["final"] if within is not None else [])])
    results: dict[str, Any] = {"type": "corrected", "emit": emit}
    if within is not None and chosen.random() < 0.5:
        results["final"] = True
    named = chosen.choice([s.variable for s in spread(pattern.structure)[0] if not s.negated])
    if chosen.random() < 0.3:
        results["skip"] = chosen.choice(["to-next", "past-last", f"to-first[{named}]", f"to-last[{named}]"])
    elif chosen.random() < 0.2 and emit == "eager":
        results = chosen.choice([{"type": "uncorrected"}, {"type": "cooldown", "for": "4s"}])
    if chosen.random() < 0.4:
        results["pick"] = chosen.choice(["first", "last", "longest", "shortest"])
    lateness: Any = "accept" if within is None else {"type": "accept", "within": f"{within}s"}
    if within is None and chosen.random() < 0.5:
        lateness = {"type": chosen.choice(["score", "deviation", "quantile"]), "warm_up": 2}
    return {
        "query": str(pattern),
        "select": select,
        "engine": chosen.choice(["maximal", "nfa"]),
        "lateness": lateness,
        "slack": chosen.choice(["none", {"type": "fixed", "wait": "2s"}, {"type": "fixed", "wait": "5s"}]),
        "results": results,
    }


def bursts() -> st.SearchStrategy[list[Event]]:
    """A few short streams a minute apart, as one."""
    return st.lists(streams(size=6, ties=2), min_size=3, max_size=4).map(
        lambda drawn: [
            msgspec.structs.replace(e, id=f"{e.id}.{n}", t_gen=e.t_gen + n * APART)
            for n, burst in enumerate(drawn)
            for e in burst
        ]
    )


def enough(events: list[Event], windows: int) -> int:
    """How many events there may be in so many windows: memory that is smaller misses matches in order too."""
    times = [e.t_gen for e in events]
    return max((sum(t <= u <= t + windows for u in times) for t in times), default=0) * 10 // 9 + 1


def arrivals(events: list[Event], chosen: Random, far: int) -> list[Event]:
    """Some order of arrival, in which some are late, by up to nine times `far`, and some repeated."""
    events = list(events)
    reach = chosen.randrange(1, 9)
    events.sort(key=lambda e: e.t_gen + (chosen.randrange(reach) * far if chosen.random() < 0.4 else 0))
    for event in list(events):
        if chosen.random() < 0.15:
            events.insert(chosen.randrange(len(events) + 1), event)
    return events


def written(arriving: list[Event], chosen: Random) -> list[list[bytes]]:
    """The batches of a stream, and one more that says that time has passed."""
    end = max((e.t_gen for e in arriving), default=0) // SECOND + 10_000
    lines = [
        {"type": e.type, "id": e.id, "t": e.t_gen // SECOND, "arr": n, "seq": e.seq, **e.payload}
        for n, e in enumerate(arriving)
    ]
    lines.append({"type": "Z", "id": "z", "t": end, "arr": len(lines) + 10_000, "seq": 0})
    batches: list[list[bytes]] = [[]]
    for line in lines:
        if batches[-1] and chosen.random() < 0.5:
            batches.append([])
        batches[-1].append(json.dumps(line).encode())
    return batches


def told(records: list[dict[str, Any]]) -> dict[tuple[Any, ...], dict[str, Any]]:
    """What somebody knows who takes each update of a match for one, however often it comes."""
    seen: dict[tuple[Any, ...], dict[str, Any]] = {}
    for record in records:
        name = (record["match"], record["revision"], record["op"])
        assert seen.setdefault(name, record) == record, f"{name} says two things"
    return seen


def difference(got: dict[Any, dict[str, Any]], right: dict[Any, dict[str, Any]]) -> str:
    """What is told otherwise, for people."""
    lines = [f"missing {right[name]}" for name in right if name not in got]
    lines += [f"too much {got[name]}" for name in got if name not in right]
    for name in got:
        if name in right and got[name] != right[name]:
            lines += [
                f"{name} {key}: {value} and not {right[name].get(key)}"
                for key, value in got[name].items()
                if value != right[name].get(key)
            ]
    return "\n".join(lines)


@pytest.mark.parametrize("little", [False, True], ids=["all in memory", "little memory"])
@pytest.mark.parametrize("select", ["stnm", "stam", "sc"])
def test_a_pipeline_that_dies_goes_on_as_if_it_had_not(
    select: str, little: bool, tmp_path: Path, registry: Registry
) -> None:
    resumed = repaired = 0

    def holds(drawn: list[Pattern], events: list[Event], order: int) -> None:
        nonlocal resumed, repaired
        chosen = Random(order)
        arriving = arrivals(events, chosen, APART // 4 if little else SECOND)
        room = enough(events, 3 * max(p.within for p in drawn)) if little else 1_000_000
        Script.batches = written(arriving, chosen)
        named = {f"p{n}": policies(pattern, select, chosen) for n, pattern in enumerate(drawn)}
        pipeline = document(named, room)
        undisturbed, whole = lives(tmp_path, registry, pipeline, [])
        ends = [
            (chosen.randrange(1, max(2, len(Script.batches) // 2)), chosen.choice(STAGES))
            for _ in range(chosen.randrange(1, 4))
        ]
        died, report = lives(tmp_path, registry, pipeline, ends)
        resumed += report["state"]["resumed"]
        # Nothing but the journal has the events that memory let go.
        repaired += whole["retrieved"]["events"] > 0
        batches = "\n".join(f"{[json.loads(v) for v in b]}" for b in Script.batches)
        case = f"{json.dumps(named, indent=1)}\ndied {ends}\n{shown(arriving)}\n{batches}"
        first = {e.id: f"s:{n}" for n, e in reversed([*enumerate(arriving)])}
        got, right = told(died["sinks.out"]), told(undisturbed["sinks.out"])
        if got != right or list(got) != list(right):
            pytest.fail(f"{case}\n{difference(got, right)}")
        try:
            found = {name: net_of_records(got.values(), name) for name in named}
        except AssertionError as broken:
            pytest.fail(f"{case}\n{broken}")
        if little:
            return
        for (name, policy), pattern in zip(named.items(), drawn, strict=True):
            if "skip" not in policy["results"] and policy["results"]["type"] == "corrected":
                # A copy may come when the event has left already, and is then as late as any.
                refused = {
                    r["event"]["id"]
                    for r in died["sinks.late"]
                    if name in r.get("patterns", ()) and r["position"] == first[r["event"]["id"]]
                }
                seen = [msgspec.structs.replace(e, source="s") for e in events if e.id not in refused]
                oracle = all_matches if policy["engine"] == "nfa" else maximal_matches
                expected = oracle(pattern, seen, select=select)
                if "pick" in policy["results"]:
                    expected = picked_matches(expected, seen, policy["results"]["pick"])
                assert found[name] == expected, case

    for_all(
        holds,
        st.lists(with_values(patterns() | patterns(conjunctions=True)), min_size=1, max_size=2),
        bursts() if little else streams(size=12, ties=3),
        st.integers(0, 2**32),
        examples=EXAMPLES,
    )
    assert resumed > EXAMPLES // 3
    print(f"{resumed} resumed, {repaired} repaired")
    assert repaired > EXAMPLES // 20 or not little


@pytest.mark.parametrize("little", [False, True], ids=["all in memory", "little memory"])
def test_what_was_taken_back_stays_so_when_a_pipeline_dies(
    little: bool, tmp_path: Path, registry: Registry
) -> None:
    revised = 0

    def holds(drawn: list[Pattern], events: list[Event], order: int) -> None:
        nonlocal revised
        chosen = Random(order)
        arriving = arrivals(events, chosen, APART // 4 if little else SECOND)
        room = enough(events, 3 * max(p.within for p in drawn)) if little else 1_000_000
        batches = written(arriving, chosen)
        *lines, last = [json.loads(line) for batch in batches for line in batch]
        said = [*restated(lines, chosen), {**last, "rev": 1}]
        Script.batches = [
            [json.dumps(line).encode() for line in said[n : n + 2]] for n in range(0, len(said), 2)
        ]
        named = {
            f"p{n}": policies(p, chosen.choice(["stnm", "stam", "sc"]), chosen) for n, p in enumerate(drawn)
        }
        pipeline = document(named, room)
        pipeline["sources"]["s"]["revise"] = {"version": "rev", "withdrawn": {"field": "gone"}}
        undisturbed, whole = lives(tmp_path, registry, pipeline, [])
        ends = [
            (chosen.randrange(1, max(2, len(Script.batches) // 2)), chosen.choice(STAGES))
            for _ in range(chosen.randrange(1, 4))
        ]
        died, report = lives(tmp_path, registry, pipeline, ends)
        revised += whole["events"]["revised"] + whole["events"]["withdrawn"]
        case = f"{json.dumps(named, indent=1)}\ndied {ends}\n" + "\n".join(map(str, Script.batches))
        try:
            got, right = told(died["sinks.out"]), told(undisturbed["sinks.out"])
        except AssertionError as broken:
            pytest.fail(f"{case}\n{broken}")
        if got != right or list(got) != list(right):
            pytest.fail(f"{case}\n{difference(got, right)}")
        # What is older than memory is known no longer after a restart, and then too late.
        sums = [{**r["events"], "duplicate": 0, "extremely_late": 0} for r in (report, whole)]
        assert sums[0] == sums[1], case

    for_all(
        holds,
        st.lists(patterns(), min_size=1, max_size=2),
        bursts() if little else streams(size=9, ties=3),
        st.integers(0, 2**32),
        examples=EXAMPLES,
    )
    assert revised > EXAMPLES


@pytest.mark.parametrize("little", [False, True], ids=["all in memory", "little memory"])
def test_what_was_derived_stays_so_when_a_pipeline_dies(
    little: bool, tmp_path: Path, registry: Registry
) -> None:
    derived = repaired = 0

    def holds(drawn: list[Pattern], events: list[Event], order: int) -> None:
        nonlocal derived, repaired
        chosen = Random(order)
        arriving = arrivals(events, chosen, APART // 4 if little else SECOND)
        room = enough(events, 9 * max(p.within for p in drawn)) if little else 1_000_000
        Script.batches = written(arriving, chosen)
        named = {
            f"p{n}": policies(p, chosen.choice(["stnm", "stam", "sc"]), chosen) for n, p in enumerate(drawn)
        }
        finals = any(p["results"].get("final") or p["results"].get("emit") == "final" for p in named.values())
        for n, policy in enumerate([*named.values()][: len(DERIVED)]):
            policy["derive"] = {"as": DERIVED[n], "time": chosen.choice(["start", "end"])}
            if finals and (not isinstance(policy["lateness"], dict) or "within" not in policy["lateness"]):
                # What is final stands on what becomes final.
                policy["lateness"] = {"type": "accept", "within": "9s"}
        pipeline = document(named, room)
        undisturbed, whole = lives(tmp_path, registry, pipeline, [])
        ends = [
            (chosen.randrange(1, max(2, len(Script.batches) // 2)), chosen.choice(STAGES))
            for _ in range(chosen.randrange(1, 4))
        ]
        died, report = lives(tmp_path, registry, pipeline, ends)
        derived += sum(whole["patterns"][f"p{n}"]["emitted"] for n in range(1, len(drawn)))
        repaired += whole["retrieved"]["events"] > 0
        case = f"{json.dumps(named, indent=1)}\ndied {ends}\n" + "\n".join(map(str, Script.batches))
        try:
            got, right = told(died["sinks.out"]), told(undisturbed["sinks.out"])
        except AssertionError as broken:
            pytest.fail(f"{case}\n{broken}")
        if got != right or list(got) != list(right):
            pytest.fail(f"{case}\n{difference(got, right)}")
        assert report["events"] == whole["events"], case

    for_all(
        holds,
        programs(complete=True),
        bursts() if little else streams(size=9, ties=3),
        st.integers(0, 2**32),
        examples=EXAMPLES,
    )
    print(f"{derived} of what is derived, {repaired} repaired")
    assert derived > EXAMPLES // 2
