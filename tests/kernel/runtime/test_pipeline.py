"""A pipeline as a library: events in, updates out, and the accounting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from structlog.testing import capture_logs

from limecep import Event, Pipeline
from limecep.contracts.lateness import Verdict
from limecep.errors import ComponentFailure, ConfigurationError
from limecep.local import component
from limecep.testing.changelog import net
from limecep.testing.oracle import maximal_matches
from limecep.testing.streams import disorder, stream, written

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.model.update import Update
    from limecep.registry import Registry

SECOND = 1_000_000
FIRST, LAST = -62_135_596_800_000_000, 253_402_300_799_999_999


def pipeline(installed: Registry, *queries: str, **more: Any) -> Pipeline:
    patterns = {f"p{n}": {"query": query, "slack": "none"} for n, query in enumerate(queries)}
    return Pipeline.from_dict({"version": 1, "patterns": patterns, **more}, registry=installed)


def said(updates: list[Update]) -> list[str]:
    return [f"{u.op} {' '.join(e.id for g in u.match.events().values() for e in g)}" for u in updates]


def test_feeding_gives_the_updates_that_it_causes(installed: Registry) -> None:
    fed = pipeline(installed, "PATTERN SEQ(A a, B+ b[], C c) WITHIN 10 s")
    assert fed.feed(written("a1 b2")) == []
    assert said(fed.feed(written("c5"))) == ["emit a1 b2 c5"]
    assert said(fed.feed(written("b3"))) == ["correct a1 b2 b3 c5"]
    assert said(fed.feed(e for e in written("a4 x9 b9.5 c10"))) == ["emit a4 b9.5 c10"]
    assert fed.finish() == []


def test_no_events_cause_nothing(installed: Registry) -> None:
    fed = pipeline(installed, "PATTERN SEQ(A a, B b) WITHIN 10 s")
    assert fed.feed([]) == []
    assert fed.feed(iter(())) == []
    assert fed.report()["events"]["read"] == 0


@pytest.mark.parametrize("engine", ["maximal", "nfa"])
def test_a_pattern_that_can_never_hold_finds_nothing(installed: Registry, engine: str) -> None:
    query = "PATTERN OR(A a, B b) WHERE count(a) = 1 AND count(b) = 1 WITHIN 10 s"
    fed = Pipeline.from_dict({"version": 1, "patterns": {"p": {"query": query, "engine": engine}}},
                             registry=installed)  # fmt: skip
    assert fed.feed(written("b2 a1 b3")) == fed.finish() == []


def test_what_waits_for_time_comes_when_time_has_passed(installed: Registry) -> None:
    fed = pipeline(installed, "PATTERN SEQ(A a, B b, !C c) WITHIN 10 s")
    assert fed.feed(written("a1 b2")) == []
    assert fed.report()["patterns"]["p0"]["pending"] == 1
    assert fed.advance(11 * SECOND) == []
    updates = fed.advance(11 * SECOND + 1)
    assert said(updates) == ["emit a1 b2"]
    assert (updates[0].cause, updates[0].cause_event) == ("time", None)
    assert fed.report()["patterns"]["p0"]["pending"] == 0


def test_an_event_makes_time_pass_as_well(installed: Registry) -> None:
    fed = pipeline(installed, "PATTERN SEQ(A a, B b, !C c) WITHIN 10 s")
    assert said(fed.feed(written("a1 b2 a3 b4 x11.000001"))) == ["emit a1 b2"]


def test_the_end_of_the_input_is_the_end_of_time(installed: Registry) -> None:
    fed = pipeline(installed, "PATTERN SEQ(A a, B b, !C c) WITHIN 10 s")
    fed.feed(written("a1 b2"))
    assert said(fed.finish()) == ["emit a1 b2"]
    assert fed.finish() == []


def test_what_time_had_passed_for_is_taken_back_by_a_late_event(installed: Registry) -> None:
    fed = pipeline(installed, "PATTERN SEQ(A a, B b, !C c) WITHIN 10 s")
    fed.feed(written("a1 b2 x20"))
    assert said(fed.feed(written("c5"))) == ["retract a1 b2"]


@pytest.mark.parametrize("wrong", [{"t_gen": LAST + 1}, {"t_gen": FIRST - 1}, {"t_arr": LAST + 1}])
def test_times_outside_the_years_1_to_9999_are_refused_and_nothing_is_taken_in(
    installed: Registry, wrong: dict[str, int]
) -> None:
    fed = pipeline(installed, "PATTERN SEQ(A a, B b) WITHIN 10 s")
    with pytest.raises(ValueError, match=r"years 1 to 9999.*odd"):
        fed.feed([Event("A", "a1", 0), Event("A", "odd", **{"t_gen": 0, **wrong})])
    assert fed.report()["events"]["read"] == 0
    assert fed.feed([Event("A", "a1", FIRST, FIRST), Event("B", "b1", LAST, LAST)]) == []
    assert fed.report()["events"]["in_order"] == 2


def test_identity_is_type_source_and_id(installed: Registry) -> None:
    fed = pipeline(installed, "PATTERN SEQ(A a, B b) WITHIN 10 s")
    events = [
        Event("A", "1", 1, source="s", payload={"v": 1}),
        Event("A", "1", 2, source="s", payload={"v": 2}),
        Event("A", "1", 3, source="t"),
        Event("B", "1", 4, source="s"),
        Event("B", "1", 4, source="s"),
        Event("X", "1", 5, source="s"),
        Event("X", "1", 5, source="s"),
    ]
    updates = fed.feed(events)
    assert [[(e.source, e.t_gen) for g in u.match.groups for e in g] for u in updates] == [
        [("s", 1), ("s", 4)],
        [("t", 3), ("s", 4)],
    ]
    report = fed.report()
    assert report["events"] == {
        "read": 7, "in_order": 3, "out_of_order": 0, "duplicate": 2, "extremely_late": 0, "future": 0,
        "invalid": 0, "irrelevant": 2, "revised": 0, "withdrawn": 0,
    }  # fmt: skip
    assert report["sources"] == {
        "s": {"read": 6, "in_order": 2, "duplicate": 2, "irrelevant": 2},
        "t": {"read": 1, "in_order": 1},
    }


def test_live_matches_are_those_emitted_and_not_taken_back(installed: Registry) -> None:
    fed = pipeline(installed, "PATTERN SEQ(A a, !X x, B b) WITHIN 10 s")
    fed.feed(written("a1 a2 b4 x3 b2.5"))
    figures = fed.report()["patterns"]["p0"]
    assert (figures["emitted"], figures["retracted"], figures["live"]) == (4, 2, 2)


@pytest.mark.parametrize("seed", range(5))
def test_events_of_several_sources_and_types_in_any_order_give_the_matches_of_the_law(
    installed: Registry, seed: int
) -> None:
    query = "PATTERN SEQ(A a, B+ b[], !D d, C c) WHERE b[i].v >= a.v WITHIN 12 s PARTITION BY k"
    attributes = {"v": lambda r: r.randint(0, 3), "k": lambda r: r.choice("xy")}
    events = stream(
        seed, 60, "ABCDE", ties=0.2, duplicates=0.1, sources=("s", "t"), attributes=attributes
    )  # fmt: skip
    arrived = disorder(events, seed, 0.3, 20 * SECOND)
    fed = pipeline(installed, query)
    updates = [u for n in range(0, len(arrived), 7) for u in fed.feed(arrived[n : n + 7])] + fed.finish()
    assert net(updates) == maximal_matches(fed.config.patterns[0].pattern, arrived, select="stnm")
    figures = fed.report()
    assert figures["patterns"]["p0"]["live"] == len(net(updates))
    assert figures["events"]["read"] == len(arrived)


# -- lateness ----------------------------------------------------------------------------------------


def lenient_and_strict(installed: Registry, query: str) -> Pipeline:
    strict = {"query": query, "lateness": {"type": "accept", "within": "5 s"}}
    return Pipeline.from_dict(
        {"version": 1, "patterns": {"lenient": {"query": query}, "strict": strict}}, registry=installed
    )


@pytest.mark.parametrize(
    "query",
    [
        "PATTERN SEQ(A a, B b) WITHIN 100 s",
        "PATTERN SEQ(A a, B b) WHERE a.v > 0 WITHIN 100 s",
        "PATTERN SEQ(A a, B b) WITHIN 100 s PARTITION BY v",
        "PATTERN SEQ((A OR D) a, B b) WITHIN 100 s",
        "PATTERN SEQ(A a, B b, !D d) WITHIN 100 s",
    ],
)
def test_an_event_refused_by_one_pattern_is_never_seen_by_it_again(installed: Registry, query: str) -> None:
    fed = lenient_and_strict(installed, query)
    updates = fed.feed(written("a10=7 b50=7 a20=7 b51=7 b49=7")) + fed.finish()
    strict = maximal_matches(
        fed.config.patterns[0].pattern, written("a10=7 b49=7 b50=7 b51=7"), select="stnm"
    )
    lenient = maximal_matches(
        fed.config.patterns[0].pattern, written("a10=7 b49=7 b50=7 b51=7 a20=7"), select="stnm"
    )
    assert net(updates, "strict") == strict
    assert net(updates, "lenient") == lenient
    assert strict < lenient


def test_an_event_refused_by_some_is_out_of_order_and_by_all_extremely_late(installed: Registry) -> None:
    fed = lenient_and_strict(installed, "PATTERN SEQ(A a, B b) WITHIN 100 s")
    with capture_logs() as logs:
        fed.feed(written("a10 b50 a20"))
    events = fed.report()["events"]
    assert (events["out_of_order"], events["extremely_late"]) == (1, 0)
    assert {n: p["refused"] for n, p in fed.report()["patterns"].items()} == {"lenient": 0, "strict": 1}
    (entry,) = logs
    assert (entry["reason"], entry["patterns"], entry["score"], entry["threshold"]) == (
        "extremely_late", ["strict"], 30.0, 5.0,
    )  # fmt: skip

    both = pipeline(installed, "PATTERN SEQ(A a, B b) WITHIN 1 s", "PATTERN SEQ(A a, C b) WITHIN 1 s")
    assert both.report()["events"]["extremely_late"] == 0


def test_an_event_refused_by_every_pattern_leaves_no_trace_but_its_count(installed: Registry) -> None:
    strict = {
        "query": "PATTERN SEQ(A a, B b) WITHIN 100 s",
        "lateness": {"type": "accept", "within": "5 s"},
        "slack": "none",
    }
    fed = Pipeline.from_dict({"version": 1, "patterns": {"p": strict}}, registry=installed)
    updates = fed.feed(written("a10 b50 a20 a44 a45 b51 a20"))
    assert said(updates) == ["emit a10 b50", "emit a45 b50"]
    events = fed.report()["events"]
    assert (events["extremely_late"], events["out_of_order"], events["duplicate"]) == (2, 1, 1)


def test_the_first_of_each_reason_and_source_is_logged(installed: Registry) -> None:
    strict = {"query": "PATTERN SEQ(A a, B b) WITHIN 9 s", "lateness": {"type": "accept", "within": "0 s"}}
    fed = Pipeline.from_dict({"version": 1, "patterns": {"p": strict}}, registry=installed)
    late = [Event("A", str(n), n, n, source) for n in (9, 1, 2, 3) for source in ("s", "t")]
    with capture_logs() as logs:
        fed.feed(late)
    assert [(e["log_level"], e["reason"], e["source"], e["late_event"]["id"]) for e in logs] == [
        ("warning", "extremely_late", "s", "1"),
        ("warning", "extremely_late", "t", "1"),
    ]


# -- making ------------------------------------------------------------------------------------------

KITCHEN = """\
version: 1
params: {limit: 3}
sources:
  s: {type: file, channel: "${FILE}", as: {field: type}, time: {field: t, format: epoch_s}}
patterns:
  p: {query: "PATTERN SEQ(A a, B b) WHERE a.v > $limit WITHIN 10 s"}
"""


def test_a_pipeline_comes_from_a_file_with_overrides_and_environment(
    tmp_path: Path, installed: Registry
) -> None:
    (tmp_path / "k.yaml").write_text(KITCHEN)
    made = Pipeline.from_yaml(
        tmp_path / "k.yaml", overrides=["params.limit=5"], environment={"FILE": "x.csv"}, registry=installed
    )
    assert made.config.sources[0].channel == "x.csv"
    assert made.config.name == "k"
    assert said(made.feed(written("a1=5 a2=6 b3"))) == ["emit a2 b3"]


def test_everything_wrong_with_a_file_is_raised(tmp_path: Path, installed: Registry) -> None:
    (tmp_path / "k.yaml").write_text(KITCHEN.replace("WITHIN", "IN").replace("as:", "az:"))
    with pytest.raises(ConfigurationError) as raised:
        Pipeline.from_yaml(tmp_path / "k.yaml", environment={"FILE": "x.csv"}, registry=installed)
    assert len(raised.value.problems) >= 2
    assert all(p.severity == "error" for p in raised.value.problems)


def test_what_is_installed_is_found_without_being_named() -> None:
    made = Pipeline.from_dict(
        {"version": 1, "patterns": {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 10 s"}}}
    )
    assert said(made.feed(written("a1 b2"))) == ["emit a1 b2"]


@pytest.mark.parametrize("engine", ["maximal", "nfa"])
def test_end_events_that_are_cut_short_are_counted_once_and_the_first_is_told(
    installed: Registry, engine: str
) -> None:
    """Also where a late event has them evaluated again."""
    results = {"type": "corrected", "max_per_end": 2}
    patterns = {
        "p": {"query": "PATTERN SEQ(A a, B+ b[]) WITHIN 20 s", "select": "stam", "engine": engine,
              "results": results, "slack": "none", "lateness": "accept"}
    }  # fmt: skip
    fed = Pipeline.from_dict({"version": 1, "patterns": patterns}, registry=installed)
    with capture_logs() as logs:
        fed.feed(written("a1 a2 a3 b4"))
        fed.feed(written("b5"))
        fed.feed(written("a3.5"))
    figures = fed.report()["patterns"]["p"]
    assert figures["truncated"] == 2
    assert figures["truncated_first"] == {
        "type": "B",
        "id": "b4",
        "time": "1970-01-01T00:00:04Z",
        "source": "",
        "bound": "max_per_end",
    }
    told = [entry for entry in logs if "max_per_end" in entry["event"]]
    assert [(e["log_level"], e["component"], e["end_event"]["id"]) for e in told] == [
        ("warning", "patterns.p", "b4")
    ]


@component("lateness", "asked_in_vain")
class AskedInVain:
    """A policy one of whose properties fails."""

    learns = False

    def __init__(self, plan: Any, options: Any, context: Any) -> None: ...

    def assess(self, event: Any, statistics: Any) -> Verdict:
        return Verdict(extremely_late=False)

    def horizon(self, statistics: Any) -> None: ...

    @property
    def by_window(self) -> bool:
        raise KeyError("mine")


def test_a_component_whose_properties_fail_is_named() -> None:
    pattern = {"query": "PATTERN SEQ(A a) WITHIN 1 s", "lateness": "asked_in_vain"}
    document = {"version": 1, "patterns": {"p": pattern}, "sinks": {"o": {"type": "none"}}}
    pipeline = Pipeline.from_dict(document, plugins=[AskedInVain])
    with pytest.raises(ComponentFailure, match=r"patterns\.p: lateness policy 'asked_in_vain'.*KeyError"):
        pipeline.run()
    pipeline.close()


#: Where a component ends the process.
ends = ""


def ended(where: str) -> None:
    if where == ends:
        raise SystemExit(0)


@component("slack", "ending")
class EndingSlack:
    """Ends the process."""

    def __init__(self, *given: Any) -> None: ...

    def wait(self, statistics: Any) -> int:
        ended("wait")
        return 0


@component("sink", "ending")
class EndingSink:
    """Ends the process."""

    counts_only = False

    def __init__(self, *given: Any) -> None: ...

    def open(self) -> None: ...

    def send(self, records: Any) -> None:
        ended("send")

    def flush(self) -> None:
        ended("flush")

    def close(self) -> None:
        ended("close")


@component("observer", "ending")
class EndingObserver:
    """Ends the process."""

    def __init__(self, *given: Any) -> None: ...

    def open(self) -> None:
        ended("open")

    def observe(self, figures: Any) -> None:
        ended(figures.phase)

    def close(self) -> None: ...


@component("codec", "ending")
class EndingCodec:
    """Ends the process."""

    untyped = False
    holding = False

    def __init__(self, *given: Any) -> None: ...

    def decode(self, messages: Any) -> Any:
        for message in messages:
            ended(message.value.decode())
        return [(m, {"id": m.value.decode(), "t": m.value[1] - 48}) for m in messages]

    def finish(self) -> list[Any]:
        return []

    def spelled(self, message: Any) -> list[Any]:
        return []


@pytest.mark.parametrize("kept", [False, True], ids=["without state", "with state"])
@pytest.mark.parametrize(
    ("where", "label"),
    [
        ("wait", "patterns.p: slack policy"),
        ("send", "sinks.o: sink"),
        ("flush", "sinks.o: sink"),
        ("close", "sinks.o: sink"),
        ("open", "observers.w: observer"),
        ("ended", "observers.w: observer"),
        ("a4", "sources.s: codec"),
    ],
)
def test_a_component_that_ends_the_process_fails_as_with_any_error(
    where: str, label: str, kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "e.txt").write_text("a1\na5\na4\na6\n")
    monkeypatch.setitem(globals(), "ends", where)

    def run(spared: bool) -> Pipeline:
        how = {"on_error": "disable"} if spared else {}
        skip = {"on_error": "skip"} if spared else {}
        document = {
            "version": 1,
            **({"state": {"dir": f"state {spared}"}} if kept else {}),
            "sources": {"s": {"type": "file", "channel": "e.txt", "as": "A", "time": {"field": "t", "format":
                              "epoch_s"}, "id": "id", "format": "ending", **skip}},
            "patterns": {"p": {"query": "PATTERN SEQ(A a, A b) WITHIN 9 s", "slack": "ending", **how}},
            "sinks": {"o": {"type": "ending", **how}, "n": {"type": "none"}},
            "observers": {"w": {"type": "ending", **how}},
        }  # fmt: skip
        plugins = [EndingSlack, EndingSink, EndingObserver, EndingCodec]
        pipeline = Pipeline.from_dict(document, plugins=plugins, root=tmp_path)
        try:
            pipeline.run()
        finally:
            pipeline.close()
        return pipeline

    with pytest.raises(ComponentFailure, match=rf"^{label} 'ending' .*raised SystemExit: 0") as failed:
        run(spared=False)
    assert "in ended" in failed.value.where
    report = run(spared=True).report()
    assert report["events"]["read"] == 4
    assert report["events"]["invalid"] == (where == "a4")
    part, name = label.partition(":")[0].split(".")
    assert where == "a4" or "raised SystemExit: 0" in report[part][name]["disabled"]
