"""Events that are revised and taken back: the net results are those of what counts in the end, in order."""

from __future__ import annotations

import json
import os
from collections import Counter
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

from limecep import Pipeline
from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.detection.detection import Detection
from limecep.detection.event_time import SourceTraits
from limecep.language.parser import parse
from limecep.model.event import Event, Statement
from limecep.patterns.detector import Detector, Refusal
from limecep.plan.compiler import compile_plan
from limecep.spec import NoOptions
from limecep.testing.bench import SilentLogger
from limecep.testing.changelog import net, net_of_records
from limecep.testing.oracle import (
    all_matches,
    identity,
    kept_matches,
    maximal_matches,
    picked_matches,
)
from limecep.testing.oracle.stated import counting
from limecep.testing.random_tests import for_all
from limecep.testing.statements import arrivals, carried, listed, statements
from limecep.testing.strategies import FEATURES, patterns, streams
from limecep.testing.streams import SECOND
from limecep_lateness.accept import Accept
from limecep_lateness.config import AcceptOptions
from limecep_maximal.config import MaximalOptions
from limecep_maximal.engine import MaximalEngine
from limecep_nfa.engine import NfaEngine
from limecep_recompute.exact import Exact
from limecep_results.config import CorrectedOptions
from limecep_results.corrected import Corrected
from limecep_slack.config import FixedOptions
from limecep_slack.waiting import FixedSlack

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from limecep.model.pattern import Pattern
    from limecep.model.update import Update

#: How many pairs of patterns and streams each test draws.
EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "100"))

PLAIN = frozenset({"kleene", "negation", "each", "partition"})


def detector(name: str, pattern: Pattern, chosen: Random, clock: ManualClock) -> tuple[Detector, str]:
    """A pattern with an engine and policies, and these in words."""
    within = chosen.choice([None, None, None, 2 * SECOND, 5 * SECOND])
    emit: Any = chosen.choice(["eager", "eager", "complete", "slack", *(["final"] if within else [])])
    options = CorrectedOptions(
        emit=emit,
        final=within is not None and chosen.random() < 0.3,
        skip=chosen.choice(["none", "none", "none", "to-next", "past-last"]),
    )
    select = chosen.choice(["stnm", "stam", "sc"])
    pick = chosen.choice([None, None, None, "first", "longest"])
    wait = chosen.choice([0, 0, 1_500_000, 5_000_000])
    plan = compile_plan(pattern, name=name, select=select, pick=pick)
    context = Context(label=name, clock=clock, counters=Counter(), logger=SilentLogger())
    engine: Any = (
        MaximalEngine(plan, MaximalOptions(enumeration=10**6), context)
        if chosen.random() < 0.6
        else NfaEngine(plan, NoOptions(), context)
    )
    made = Detector(
        plan=plan,
        engine=engine,
        lateness=Accept(plan, AcceptOptions(within=within), context),
        slack=FixedSlack(plan, FixedOptions(wait=wait), context),
        recompute=Exact(plan, NoOptions(), context),
        results=Corrected(plan, options, context),
        context=context,
        group=(within, name if options.final or emit == "final" else ""),
    )
    return made, f"{pattern}\n{select} {engine.results} pick {pick} wait {wait} within {within} {options}"


@pytest.mark.parametrize("features", [FEATURES, PLAIN], ids=["everything", "plain"])
def test_net_results_are_those_of_what_counts_in_the_end(features: Any) -> None:
    def holds(drawn: list[Pattern], events: list[Event], order: int) -> None:
        chosen = Random(order)
        arriving = arrivals(statements(events, chosen), chosen)
        clock = ManualClock()
        updates: list[Update] = []
        refused: dict[str, set[int]] = {f"p{n}": set() for n in range(len(drawn))}

        def refuse(refusal: Refusal) -> None:
            event = refusal.event
            assert isinstance(event, Statement)
            for name in refusal.patterns:
                # A copy may be judged another way.
                refused[name].add(event.t_arr)

        made = [detector(f"p{n}", pattern, chosen, clock) for n, pattern in enumerate(drawn)]
        detection = Detection(
            [d for d, _ in made],
            clock,
            sources={"": SourceTraits(revises=True)},
            awaits_sources=False,
            deliver=updates.append,
            refuse=refuse,
            sequenced=any(s.seq for s in arriving),
        )
        batch = chosen.choice([1, 3, 100])
        for i in range(0, len(arriving), batch):
            detection.feed(arriving[i : i + batch])
        clock.advance(clock.now() + SECOND)
        detection.finish()
        detection.store.check()
        counted = detection.statistics.events()
        assert counted["read"] == len(arriving)
        for n, (d, words) in enumerate(made):
            name = f"p{n}"
            told = f"{words}\narriving\n{listed(arriving)}\nrefused {sorted(refused[name])}"
            log = [
                f"{u.detected // SECOND} {u.op} {u.revision} {u.cause} {u.key} "
                f"{[(e.id, e.t_gen // SECOND) for g in u.match.groups for e in g]}"
                for u in updates
                if u.pattern == name
            ]
            told = "\n".join([told, *log])
            try:
                got = net(updates, name)
            except AssertionError as broken:
                raise AssertionError(f"{told}\n{broken}") from None
            taken = counting(s for s in arriving if s.t_arr not in refused[name])
            find = maximal_matches if d.engine.results == "maximal" else all_matches
            expected = find(drawn[n], taken, select=d.plan.select)
            if d.plan.pick is not None:
                expected = picked_matches(expected, taken, d.plan.pick)
            if d.results.skip is not None:
                expected = kept_matches(expected, drawn[n], taken, d.results.skip)
            assert got == expected, (
                f"{told}\nmissing {sorted(expected - got)}\nwrong {sorted(got - expected)}"
            )
            carried(updates, name, {identity(e): e for e in taken}, told)

    for_all(
        holds,
        st.lists(patterns(features=features), min_size=1, max_size=2),
        streams(size=8),
        st.integers(0, 2**32),
        examples=EXAMPLES,
    )


BELOW = "PATTERN SEQ(A a, !D d, B+ b[]) WITHIN 4 seconds PARTITION BY k RETURN count(b) AS n, a.v AS v"
ABOVE = "PATTERN SEQ(below x, !C c, below+ y[]) WHERE y[i].n + y[i].v >= x.n WITHIN 12 seconds PARTITION BY k"


def test_a_pipeline_finds_in_the_change_log_of_another_what_it_would_in_its_net_results(
    tmp_path: Path,
) -> None:
    source = {
        "type": "file", "as": {"field": "type"}, "id": "id", "time": {"field": "t", "format": "epoch_us"},
        "arrival": {"field": "t_arr", "format": "epoch_us"},
        "revise": {"version": "v_", "withdrawn": {"field": "gone"}},
    }  # fmt: skip
    first = {
        "version": 1, "sources": {"s": {**source, "channel": "in.jsonl"}},
        "patterns": {"below": {"query": BELOW, "slack": "none"}},
        "sinks": {"out": {"type": "file", "path": "log.jsonl", "events": "none"}},
    }  # fmt: skip
    second = {
        "version": 1,
        "sources": {
            "log": {"type": "file", "channel": "log.jsonl", "format": "changelog"},
            "s": {**source, "channel": "in.jsonl"},
        },
        "patterns": {"above": {"query": ABOVE, "slack": "none"}},
        "sinks": {"out": {"type": "file", "path": "out.jsonl"}},
    }
    found = 0

    def holds(events: list[Event], order: int) -> None:
        nonlocal found
        chosen = Random(order)
        said = arrivals(statements(events, chosen), chosen)
        heads = [{"type": s.type, "id": s.id, "t": s.t_gen, "t_arr": s.t_arr} for s in said]
        lines = [
            {**head, "v_": s.version, "gone": s.withdrawn, **s.payload}
            for head, s in zip(heads, said, strict=True)
        ]
        for name in ("log.jsonl", "out.jsonl"):
            (tmp_path / name).unlink(missing_ok=True)
        (tmp_path / "in.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        with Pipeline.from_dict(first, root=tmp_path) as pipeline:
            pipeline.run()
        log = (tmp_path / "log.jsonl").read_text().splitlines() if (tmp_path / "log.jsonl").exists() else []
        standing = live(log)
        log += [line for line in log if chosen.random() < 0.2]
        chosen.shuffle(log)
        (tmp_path / "log.jsonl").write_text("".join(f"{line}\n" for line in log))
        with Pipeline.from_dict(second, root=tmp_path) as pipeline:
            pipeline.run()
        out = (tmp_path / "out.jsonl").read_text().splitlines() if (tmp_path / "out.jsonl").exists() else []
        derived = [
            Event("below", r["match"], instant(r["end"]), source="log", payload={**r["key"], **r["values"]})
            for r in standing
        ]
        there = [*derived, *[replace(e, source="s") for e in counting(said)]]
        expected = maximal_matches(parse(ABOVE), there, select="stnm")
        # Several of its causes arrived at one time: `net_of_records` takes them for one.
        found_now = net_of_records([{**r, "op": "emit", "revision": 1} for r in live(out)], "above")
        assert found_now == expected, f"{listed(said)}\n" + "\n".join(log)
        found += len(expected)

    for_all(
        holds, streams(types="AAAABBBBCD", size=16, odd=False), st.integers(0, 2**32), examples=EXAMPLES // 3
    )
    assert found


def live(log: Sequence[str]) -> list[dict[str, Any]]:
    """The last records of what is emitted and not taken back, in the order in which they were detected."""
    found: dict[str, dict[str, Any]] = {}
    for record in map(json.loads, log):
        found.pop(record["match"], None)
        if record["op"] != "retract":
            found[record["match"]] = record
    return sorted(found.values(), key=lambda r: str(r["detected"]))


def instant(text: str) -> int:
    """The microseconds of a time in a record."""
    return (datetime.fromisoformat(text) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
