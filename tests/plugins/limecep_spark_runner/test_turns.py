"""The kernel for one bucket of keys at a time, as Spark calls it, but without Spark: what is found is what
one process finds."""

from __future__ import annotations

import dataclasses
import os
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

from limecep import Event, Pipeline
from limecep.host import Host
from limecep.intake.identity import joined
from limecep.model.event import UNVERSIONED, Statement, event_in, event_out
from limecep.model.time import FOREVER
from limecep.output.render import Renderer
from limecep.state.json_values import decode, encode
from limecep.testing import functions, tables
from limecep.testing.oracle import all_matches, assignment, maximal_matches
from limecep.testing.oracle.stated import counting
from limecep.testing.random_tests import for_all
from limecep.testing.statements import arrivals, listed, statements
from limecep.testing.strategies import patterns, streams
from limecep.testing.streams import SECOND, shown, written
from limecep_spark_runner.bucket import Bucket
from limecep_spark_runner.groups import bucket_of
from limecep_spark_runner.turns import Kernel
from limecep_spark_runner.work import OVER_US, Work

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.config.model import PipelineConfig
    from limecep.model.pattern import Pattern
    from limecep.model.update import Update
    from limecep_spark_runner.turns import Turn

EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "300")) // 10
REGISTRY = Host.load().with_plugins(functions, tables).registry


class Cluster:
    """Calls the kernel for each bucket of keys, batch by batch, with the time that those before have brought.

    Args:
        config: The pipeline.
        fails: Whether a bucket is attempted in vain: it happened, and the state knows nothing of it.
        buckets: How many there are.
    """

    def __init__(
        self, config: PipelineConfig, fails: Callable[[], bool] = lambda: False, buckets: int = 3
    ) -> None:
        self._fails = fails
        self._work = Work(config=config, specs=tuple(REGISTRY.specs()), outputs=(), buckets=buckets)
        self._kernels = [Kernel(g.config, self._work) for g in self._work.groups]
        self._timers: dict[int, int] = {}
        self._told = 0
        self.packed: dict[int, bytes] = {}
        self._keys: dict[int, int] = {}
        self.updates: list[Update] = []
        self.late: list[dict[str, Any]] = []
        self.counts: dict[str, Any] = {}
        self.sources: dict[str, Counter[str]] = {}
        self.patterns: dict[str, Counter[str]] = {}

    @property
    def keys(self) -> int:
        """How many keys something is known of."""
        return sum(self._keys.values())

    def batch(self, events: Sequence[Event]) -> None:
        by_bucket: dict[int, list[tuple[str, Event, int]]] = {}
        for number, event in enumerate(events):
            for group in self._work.groups:
                if (key := group.key(event)) is not None:
                    bucket = bucket_of(key, self._work.buckets)
                    by_bucket.setdefault(bucket, []).append((key, event, number))
        for bucket, came in by_bucket.items():
            self._turns(bucket, came)
        self._call()
        withdrawn = [e for e in events if isinstance(e, Statement) and e.withdrawn]
        self._told = max([self._told, *(e.t_gen for e in events if e not in withdrawn)])

    def finish(self) -> None:
        """Time goes on as far as it came, then the input is over."""
        self._call()
        self._told = OVER_US
        self._call()
        assert not self._timers

    def _call(self) -> None:
        for number in [number for number, due in self._timers.items() if due < self._told]:
            self._turns(number, [])

    def _turns(self, number: int, came: list[tuple[str, Event, int]]) -> None:
        bucket, turns = self._attempt(number, came)
        while self._fails():
            bucket, turns = self._attempt(number, came)
        for turn in turns:
            self.updates += turn.updates
            self.late += turn.late
        for name, counts in bucket.counts["sources"].items():
            known = self.counts.setdefault(name, {})
            for outcome, n in counts.items():
                known[outcome] = known.get(outcome, 0) + n
            self.sources.setdefault(name, Counter()).update(counts)
        for name, unmet in bucket.counts["withdrawals"].items():
            self.sources[name].update(unmet)
        for name, figures in bucket.counts["patterns"].items():
            self.patterns.setdefault(name, Counter()).update(figures)
        self._timers.pop(number, None)
        self._keys[number] = len(bucket)
        packed = bucket.packed()
        if packed is None:
            self.packed.pop(number, None)
            return
        self.packed[number] = packed
        if bucket.due < FOREVER:
            assert bucket.due >= self._told, "it would be called again at once"
            self._timers[number] = min(bucket.due, OVER_US - 1)

    def _attempt(self, number: int, came: list[tuple[str, Event, int]]) -> tuple[Bucket, list[Turn]]:
        bucket = Bucket(self._kernels, self.packed.get(number), self._told)
        values = [(key, event_out(event), f"f:{n}", 0, 0, n) for key, event, n in came]
        return bucket, list(bucket.turns(decode(encode(values))))


def copied(event: Event) -> Event:
    """The event as another process has it."""
    return event_in(decode(encode(event_out(event))))


def net(updates: Sequence[Update]) -> dict[str, list[str]]:
    """The contents of the matches that are live at the end, by pattern."""
    render = Renderer("none").render
    live: dict[str, dict[str, str]] = {}
    for record in map(render, updates):
        matches = live.setdefault(record["pattern"], {})
        if record["op"] == "retract":
            del matches[record["match"]]
        else:
            matches[record["match"]] = record["content"]
    return {pattern: sorted(matches.values()) for pattern, matches in live.items() if matches}


def config_of(named: dict[str, Any], **more: Any) -> PipelineConfig:
    return Pipeline.from_dict(
        {"version": 1, "tables": tables.BLOCK, "patterns": named, **more}, registry=REGISTRY
    ).config


def revising(id: Sequence[str], version: str | None = "rev") -> dict[str, Any]:
    """A source that revises events."""
    told = {"withdrawn": {"field": "gone"}, **({"version": version} if version else {})}
    file = {"type": "file", "channel": "s.jsonl", "as": {"field": "type"}, "time": "t"}
    return {"s": {**file, "id": [*id], "revise": told}}


@pytest.mark.parametrize("select", ["stnm", "stam", "sc"])
def test_what_is_found_by_key_is_what_one_process_finds(select: str) -> None:
    found = 0

    def holds(drawn: list[Pattern], events: list[Event], order: int) -> None:
        nonlocal found
        chosen = Random(order)
        reach = chosen.randrange(1, 9)
        arriving = sorted(events, key=lambda e: e.t_gen + chosen.randrange(reach) * SECOND)
        for number, event in enumerate(arriving):
            event.t_arr = 100 * SECOND + number
        named = {
            f"p{n}": {
                "query": str(pattern),
                "select": select,
                "lateness": "accept",
                "engine": chosen.choice(["maximal", "nfa"]),
                "results": {
                    **chosen.choice([{"type": "corrected"}] * 3 + [{"type": "cooldown", "for": "3s"}]),
                    "emit": chosen.choice(["eager", "complete", "slack"]),
                    **chosen.choice([{}, {"pick": chosen.choice(["first", "last", "longest", "shortest"])}]),
                },
            }
            for n, pattern in enumerate(drawn)
        }
        config = config_of(named)
        local = Pipeline(config, REGISTRY)
        right = local.feed([copied(e) for e in arriving]) + local.finish()
        # Some turns are in vain.
        cluster = Cluster(config, lambda: chosen.random() < 0.2, chosen.choice([1, 2, 1000]))
        found += bool(net(right))
        left = list(arriving)
        while left:
            size = chosen.randrange(1, 6)
            cluster.batch(left[:size])
            left = left[size:]
        cluster.finish()
        assert net(cluster.updates) == net(right), f"{named}\n{shown(arriving)}"

    for_all(
        holds,
        st.lists(patterns(), min_size=1, max_size=3),
        streams(size=12),
        st.integers(0, 2**32),
        examples=EXAMPLES,
    )
    assert found > EXAMPLES // 4


def test_time_that_other_keys_bring_decides_for_a_quiet_one() -> None:
    query = "PATTERN SEQ(A a, NOT B b) WITHIN 5 seconds PARTITION BY v"
    cluster = Cluster(config_of({"p": {"query": query, "lateness": "accept"}}))
    cluster.batch(written("a1=1"))
    assert not cluster.updates
    cluster.batch(written("a9=2"))
    assert not cluster.updates, "time is known once a batch is over"
    cluster.batch([])
    assert [u.key for u in cluster.updates] == [{"v": 1}]


def test_what_is_too_late_by_the_time_of_all_keys_is_refused_and_told() -> None:
    query = "PATTERN SEQ(A a, B b) WITHIN 5 seconds PARTITION BY v"
    lateness = {"type": "accept", "within": "3s"}
    cluster = Cluster(config_of({"p": {"query": query, "lateness": lateness}}))
    cluster.batch(written("a1=1 a20=2"))
    cluster.batch(written("b2=1 b21=2"))
    assert [(r["reason"], r["event"]["id"]) for r in cluster.late] == [("extremely_late", "b2")]
    assert [u.key for u in cluster.updates] == [{"v": 2}]
    assert cluster.counts == {"": {"in_order": 3, "extremely_late": 1}}


@pytest.mark.parametrize("buckets", [1, 100])
def test_what_is_known_of_a_key_leaves_when_nothing_can_need_it(buckets: int) -> None:
    query = "PATTERN SEQ(A a, B b) WITHIN 5 seconds PARTITION BY v"
    lateness = {"type": "accept", "within": "3s"}
    cluster = Cluster(config_of({"p": {"query": query, "lateness": lateness}}), buckets=buckets)
    cluster.batch(written("a1=1 b2=1"))
    assert cluster.keys == 1
    cluster.batch(written("a90=2"))
    assert cluster.keys == 2
    cluster.batch([])
    assert cluster.keys == 1
    cluster.batch(written("b91=2"))
    cluster.batch(written("a180=2"))
    cluster.batch([])
    assert [u.key for u in cluster.updates] == [{"v": 1}, {"v": 2}]
    assert cluster.keys == 1
    cluster.batch(written("a1000=3"))
    cluster.batch(written("a2000=4"))
    cluster.finish()
    assert cluster.packed == {}


def test_what_a_result_policy_remembers_of_a_key_lasts_as_long_as_it_says() -> None:
    pattern = {
        "query": "PATTERN SEQ(A a, B b) WITHIN 5 seconds PARTITION BY v",
        "lateness": {"type": "accept", "within": "3s"},
        "results": {"type": "cooldown", "for": "100s"},
    }
    cluster = Cluster(config_of({"p": pattern}))
    for batch in ("a1=1 b2=1", "a90=2", "", "a91=1 b92=1", "a190=2", "", "a191=1 b192=1"):
        cluster.batch(written(batch))
    assert [u.match.end.id for u in cluster.updates] == ["b2", "b192"]
    cluster.batch(written("a900=2"))
    cluster.batch([])
    assert cluster.keys == 1


def test_memory_holds_no_more_than_retention_allows() -> None:
    query = "PATTERN SEQ(A a, B b) WITHIN 5 seconds PARTITION BY v"
    limits = {"retention": {"time": "30s"}}
    cluster = Cluster(config_of({"p": {"query": query, "lateness": "accept"}}, **limits))
    sizes = []
    for second in range(1, 400):
        cluster.batch(written(f"a{second}=1"))
        sizes.append(sum(map(len, cluster.packed.values())))
    assert max(sizes) < 3 * sizes[40]


def test_what_left_the_memory_of_a_key_is_told_with_the_event_that_needed_it() -> None:
    query = "PATTERN SEQ(A a, B b) WITHIN 5 seconds PARTITION BY v"
    config = config_of({"p": {"query": query, "lateness": "accept"}}, retention={"time": "30s"})
    come = ["a1=1 b3=1", "a50=1 b53=1", "a100=1", "a2=1", "b102=1"]
    local = Pipeline(config, REGISTRY)
    cluster = Cluster(config)
    right: list[Update] = []
    for batch in come:
        right += local.feed(written(batch))
        cluster.batch(written(batch))
    cluster.finish()
    (told,) = cluster.late
    assert (told["reason"], told["event"]["id"], told["patterns"]) == ("evicted", "a2", ["p"])
    assert "nothing can be read again" in told["error"]
    assert cluster.patterns["p"]["unrepaired"] == local.report()["patterns"]["p"]["unrepaired"] == 1
    # What can still be found is.
    assert net(cluster.updates) == net(right + local.finish()) != {}


@pytest.mark.parametrize("results", ["corrected", "uncorrected"])
@pytest.mark.parametrize("query", ["SEQ(A a, B b, C c)", "SEQ(A a, B+ b[])", "SEQ(A a, NOT C c, B b)"])
def test_what_was_corrected_is_known_when_some_of_its_events_have_left(query: str, results: str) -> None:
    chosen = Random(query)
    pattern = {"query": f"PATTERN {query} WITHIN 9 seconds PARTITION BY v", "results": results}
    pattern |= {"slack": "none", "lateness": {"type": "accept", "within": "5s"}}
    config = config_of({"p": pattern})
    stream = [
        Event(chosen.choice("ABC"), str(n), n * SECOND, 0, payload={"v": chosen.randrange(2)})
        for n in range(1, 2000)
    ]
    stream.sort(key=lambda e: e.t_gen + chosen.randrange(4) * SECOND)
    for number, event in enumerate(stream):
        event.t_arr = (2000 + number) * SECOND
    local = Pipeline(config, REGISTRY)
    right = local.feed([copied(e) for e in stream]) + local.finish()
    cluster = Cluster(config)
    for begin in range(0, len(stream), 20):
        cluster.batch(stream[begin : begin + 20])
    cluster.finish()
    assert len(net(right)["p"]) > 50
    assert net(cluster.updates) == net(right)


@pytest.mark.parametrize("told", [True, False], ids=["the id tells the key", "events go to other keys"])
def test_what_is_revised_and_withdrawn_is_what_one_process_makes_of_it(*, told: bool) -> None:
    found = 0

    def holds(drawn: list[Pattern], events: list[Event], order: int) -> None:
        nonlocal found
        drawn = [dataclasses.replace(drawn[0], partition=(("k",),)), *drawn[1:]]
        chosen = Random(order)
        said = statements([replace(e, source="s") for e in events], chosen)
        keys = {e.id: e.payload["k"] for e in events} if told else {}
        for s in said if told else ():
            s.id, s.payload = joined([str(keys[s.id]), s.id]), s.payload and {**s.payload, "k": keys[s.id]}
        arriving = arrivals(said, chosen)
        named = {
            f"p{n}": {
                "query": str(pattern),
                "lateness": "accept",
                "select": chosen.choice(["stnm", "stam", "sc"]),
                "engine": chosen.choice(["maximal", "nfa"]),
                "results": {"emit": chosen.choice(["eager", "complete", "slack"])},
            }
            for n, pattern in enumerate(drawn)
        }
        config = config_of(named, sources=revising(["k", "n"] if told else ["n"]))
        local = Pipeline(config, REGISTRY)
        right = local.feed([copied(s) for s in arriving]) + local.finish()
        cluster = Cluster(config, lambda: chosen.random() < 0.2, chosen.choice([1, 2, 1000]))
        left = list(arriving)
        while left:
            size = chosen.randrange(1, 6)
            cluster.batch(left[:size])
            left = left[size:]
        cluster.finish()
        words = f"{named}\n{listed(arriving)}"
        assert net(cluster.updates) == net(right), words
        for n, pattern in enumerate(drawn):
            name = f"p{n}"
            find = maximal_matches if named[name]["engine"] == "maximal" else all_matches
            expected = find(pattern, counting(arriving), select=named[name]["select"])
            assert standing(cluster.updates, name) == expected, words
        found += bool(net(right))

    for_all(
        holds,
        st.lists(patterns(), min_size=1, max_size=2),
        streams(size=10, odd=not told),
        st.integers(0, 2**32),
        examples=2 * EXAMPLES,
    )
    assert found > EXAMPLES // 4


def standing(updates: Sequence[Update], name: str) -> set[Any]:
    """The matches of a pattern that are live at the end, as the oracle has them."""
    live = {}
    for update in (u for u in updates if u.pattern == name):
        match = (update.generation, assignment(update.first.events()), repr(update.key))
        live[match] = None if update.op == "retract" else assignment(update.match.events())
    return {*live.values()} - {None}


def statement(id: str, t: int, version: float = 0, *, withdrawn: bool = False, k: Any = 1) -> Statement:
    payload = {} if withdrawn else {"k": k, "v": version}
    return Statement(id[0].upper(), f"{k}/{id}", t * SECOND, 0, "s", payload, 0, 0, version, withdrawn)


QUERY = "PATTERN SEQ(A a, B b) WITHIN 5 seconds PARTITION BY k"


@pytest.mark.parametrize("within", ["3s", None])
def test_a_withdrawal_that_comes_first_is_known_as_long_as_its_event_may_come(within: str | None) -> None:
    lateness = {"type": "accept", **({"within": within} if within else {})}
    config = config_of({"p": {"query": QUERY, "lateness": lateness}}, sources=revising(["k", "n"]))
    cluster = Cluster(config, buckets=100)
    cluster.batch([statement("b2", 2, 2, withdrawn=True)])
    cluster.batch([statement("a1", 9, k=2)])
    cluster.batch([])
    assert cluster.keys == 2
    assert cluster.sources == {"s": {"withdrawn": 1, "in_order": 1, "unmet_withdrawals": 1}}
    cluster.batch([statement("a1", 9), statement("b2", 10, 1), statement("b3", 11)])
    assert [u.match.end.id for u in cluster.updates] == ["1/b3"]
    assert cluster.sources["s"]["duplicate"] == 1
    assert cluster.sources["s"]["unmet_withdrawals"] == 0
    for t in (100, 200, 300):
        cluster.batch([statement(f"a{t}", t, k=2), statement(f"b{t}", 0, 5, withdrawn=True, k=t)])
    cluster.batch([])
    assert cluster.keys == (1 if within else 5)


def test_without_a_version_what_came_last_counts_in_whatever_batch() -> None:
    sources = revising(["k", "n"], version=None)
    cluster = Cluster(config_of({"p": {"query": QUERY, "lateness": "accept"}}, sources=sources))
    cluster.batch([statement("a1", 1), statement("b2", 2), statement("b2", 90), statement("b2", 3)])
    assert [u.op for u in cluster.updates] == ["emit", "retract", "emit"]
    cluster.batch([statement("b2", 4)])
    cluster.batch([statement("b2", 0, UNVERSIONED, withdrawn=True)])
    cluster.batch([statement("b2", 2)])
    assert [u.op for u in cluster.updates][3:] == ["correct", "retract", "emit"]
    assert cluster.sources == {"s": {"in_order": 2, "revised": 4, "withdrawn": 1}}


def test_a_tombstone_withdraws_what_counts_when_it_comes() -> None:
    config = config_of({"p": {"query": QUERY, "lateness": "accept"}}, sources=revising(["k", "n"]))
    cluster = Cluster(config)
    cluster.batch([statement("a1", 1, 1), statement("b2", 2, 7)])
    cluster.batch([statement("b2", 0, UNVERSIONED, withdrawn=True)])
    cluster.batch([statement("b2", 2, 7)])
    cluster.batch([statement("b2", 3, 8)])
    assert [u.op for u in cluster.updates] == ["emit", "retract", "emit"]
    assert cluster.sources == {"s": {"in_order": 2, "withdrawn": 1, "duplicate": 1, "revised": 1}}


def test_what_is_final_is_never_taken_back_by_the_time_of_all_keys() -> None:
    lateness = {"type": "accept", "within": "3s"}
    config = config_of({"p": {"query": QUERY, "lateness": lateness}}, sources=revising(["k", "n"]))
    cluster = Cluster(config)
    cluster.batch([statement("a1", 1, 1), statement("b2", 2, 1), statement("a1", 20, k=2)])
    cluster.batch([statement("b2", 20, 2), statement("a1", 0, 2, withdrawn=True)])
    assert [(r["reason"], r["event"]["id"]) for r in cluster.late] == [
        ("extremely_late", "1/b2"), ("extremely_late", "1/a1"),
    ]  # fmt: skip
    assert [u.op for u in cluster.updates] == ["emit"]
