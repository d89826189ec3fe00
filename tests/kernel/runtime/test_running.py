"""Runs over files: what is read, in which order, where it goes, and how it is accounted for."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest
from structlog.testing import capture_logs

from limecep import Event, Pipeline
from limecep.clock import Stopwatch
from limecep.errors import RunFailure

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from limecep.registry import Registry

SOURCE = {
    "type": "file",
    "as": {"field": "type"},
    "id": "id",
    "time": {"field": "t", "format": "epoch_s"},
}
ARRIVING = {**SOURCE, "arrival": {"field": "arr", "format": "epoch_s"}}
AB = "PATTERN SEQ(A a, B b) WITHIN 10 s"


class Running:
    """A pipeline in a folder, and what came of it."""

    def __init__(self, folder: Path, installed: Registry) -> None:
        self.folder = folder
        self.report: dict[str, Any] = {}
        self._installed = installed

    def write(self, name: str, text: str) -> None:
        """Writes events: `a1 b2@5=7` is an A at 1 s, and a B at 2 s that arrives at 5 s with v = 7."""
        lines = []
        for word in text.split():
            head, _, v = word.partition("=")
            name_, _, arrival = head.partition("@")
            record: dict[str, Any] = {"type": name_[0].upper(), "id": name_, "t": float(name_[1:])}
            if arrival:
                record["arr"] = float(arrival)
            if v:
                record["v"] = json.loads(v)
            lines.append(json.dumps(record) + "\n")
        data = "".join(lines).encode()
        (self.folder / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)

    def pipeline(self, patterns: Any = AB, sinks: Any = None, **more: Any) -> Pipeline:
        if isinstance(patterns, str):
            patterns = {"p": {"query": patterns}}
        if sinks is None:
            sinks = {
                "out": {"type": "file", "path": "out.jsonl"},
                "late": {"type": "file", "path": "late.jsonl", "of": "late"},
            }
        document = {"version": 1, "name": "test", "patterns": patterns, "sinks": sinks, **more}
        return Pipeline.from_dict(document, root=self.folder, registry=self._installed)

    def __call__(
        self,
        patterns: Any = AB,
        *,
        stop: Callable[[], bool] = lambda: False,
        seconds: float | None = None,
        **more: Any,
    ) -> list[str]:
        """Runs a pipeline; gives what it wrote to `out.jsonl`, in short."""
        pipeline = self.pipeline(patterns, **more)
        try:
            pipeline.run(stop, seconds)
        finally:
            pipeline.close()
            self.report = pipeline.report()
        return [shown(r) for r in self.records("out.jsonl")]

    def records(self, name: str) -> list[dict[str, Any]]:
        path = self.folder / name
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    @property
    def outcomes(self) -> dict[str, int]:
        return {name: n for name, n in self.report["events"].items() if n}


def shown(record: dict[str, Any]) -> str:
    events = record.get("events", {})
    return f"{record['op']} {' '.join(e['id'] for group in events.values() for e in group)}"


def source(channel: str, **more: Any) -> dict[str, Any]:
    return {**SOURCE, "channel": channel, **more}


def arriving(channel: str, **more: Any) -> dict[str, Any]:
    return {**ARRIVING, "channel": channel, **more}


@pytest.fixture
def run(tmp_path: Path, installed: Registry) -> Running:
    return Running(tmp_path, installed)


# -- what is read, in which order -----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["e.jsonl", "e.ndjson.gz"])
def test_a_file_is_read_to_its_end(run: Running, name: str) -> None:
    run.write(name, "a1 b2 x3 a4 b9 b2")
    assert run(sources={"s": source(name)}) == ["emit a1 b2", "emit a4 b9"]
    assert run.outcomes == {"read": 6, "in_order": 4, "duplicate": 1, "irrelevant": 1}
    assert run.records("late.jsonl") == []


def test_csv_is_read_with_its_types(run: Running) -> None:
    (run.folder / "e.csv").write_text("type,id,t,v\nA,1,1,5\nA,2,2,4\nB,3,3,\n")
    assert run("PATTERN SEQ(A a, B b) WHERE a.v > 4 WITHIN 10 s", sources={"s": source("e.csv")}) == [
        "emit 1 3"
    ]
    (record,) = run.records("out.jsonl")
    assert record["events"]["a"][0]["payload"] == {"type": "A", "id": 1, "t": 1, "v": 5}
    assert record["events"]["b"][0]["payload"] == {"type": "B", "id": 3, "t": 3}


def test_the_files_of_a_glob_are_one_stream(run: Running) -> None:
    run.write("x2.jsonl", "a1 a4 b7 a10")
    run.write("x1.jsonl", "b3 b5 a6 b12")
    assert run(sources={"s": source("x*.jsonl")}) == [
        "emit a1 b3", "emit a4 b5", "emit a6 b7", "emit a10 b12",
    ]  # fmt: skip
    assert run.outcomes == {"read": 8, "in_order": 8}


@pytest.mark.parametrize("first", ["a", "b"])
def test_several_sources_are_merged_by_arrival_with_ties_in_their_order(run: Running, first: str) -> None:
    run.write("early.jsonl", "a1@50 a2@60")
    run.write("later.jsonl", "b5@50 b6@70")
    sources = {"a": arriving("early.jsonl"), "b": arriving("later.jsonl")}
    run(sources=dict(sorted(sources.items(), reverse=first == "b")))
    # Taken first, `b5` makes a late event of `a1`; `a2` is late either way.
    assert run.outcomes == (
        {"read": 4, "in_order": 3, "out_of_order": 1}
        if first == "a"
        else {"read": 4, "in_order": 2, "out_of_order": 2}
    )
    assert run.report["sources"] == {
        "a": {"read": 2, "in_order": 1, "out_of_order": 1}
        if first == "a"
        else {"read": 2, "out_of_order": 2},
        "b": {"read": 2, "in_order": 2},
    }


def test_where_arrival_goes_back_within_a_file_the_order_of_the_file_counts(run: Running) -> None:
    run.write("x.jsonl", "a1@10 b2@5 a3@11")
    run.write("y.jsonl", "a0@7 b4@10.5")
    assert run(sources={"x": arriving("x.jsonl"), "y": arriving("y.jsonl")}) == [
        "emit a0 b2", "emit a1 b2", "emit a3 b4",
    ]  # fmt: skip
    # The order is a0, a1, b2, b4, a3.
    assert run.outcomes == {"read": 5, "in_order": 4, "out_of_order": 1}


def test_disorder_within_a_file_is_disorder(run: Running) -> None:
    run.write("e.jsonl", "a1 b5 b3")
    assert run(sources={"s": source("e.jsonl")}) == ["emit a1 b5", "retract a1 b5", "emit a1 b3"]
    assert run.outcomes == {"read": 3, "in_order": 2, "out_of_order": 1}


@pytest.mark.parametrize("text", ["", "\n\n", " \n"])
def test_empty_input_is_no_trouble(run: Running, text: str) -> None:
    (run.folder / "e.jsonl").write_text(text)
    assert run(sources={"s": source("e.jsonl")}) == []
    assert run.outcomes == {}
    assert run.report["patterns"]["p"]["emitted"] == 0


def test_a_file_of_nothing_but_a_header_is_empty(run: Running) -> None:
    (run.folder / "e.csv").write_text("type,id,t\n")
    (run.folder / "f.csv").write_text("type,id,t\nA,1,1\nB,2,2\n")
    assert run(sources={"s": source("?.csv")}) == ["emit 1 2"]
    assert run.outcomes == {"read": 2, "in_order": 2}


def test_a_file_that_is_not_there_is_a_failure_in_words(run: Running) -> None:
    with pytest.raises(RunFailure, match=r"there is no file e\.jsonl"):
        run(sources={"s": source("e.jsonl")})


def test_what_was_found_before_a_failure_is_written(run: Running) -> None:
    lines = [{"type": "A", "id": "a1", "t": 1}, {"type": "B", "id": "b2", "t": 2}]
    lines += [{"type": "X", "id": f"x{n}", "t": n} for n in range(3, 20_000)]
    packed = gzip.compress("".join(f"{json.dumps(line)}\n" for line in lines).encode())
    (run.folder / "e.jsonl.gz").write_bytes(packed[:-100])
    with pytest.raises(RunFailure, match=r"cannot read e\.jsonl\.gz after line \d{4}"):
        run(sources={"s": source("e.jsonl.gz")})
    assert [shown(r) for r in run.records("out.jsonl")] == ["emit a1 b2"]
    assert run.outcomes["in_order"] == 2
    assert run.outcomes["irrelevant"] > 10_000


def test_records_that_give_no_event_do_not_stop_the_stream(run: Running) -> None:
    (run.folder / "e.jsonl").write_bytes(
        b'{"type": "A", "id": "a1", "t": 1}\n{"type": "A", "id": 2\n{"type": "A", "id": "a3"}\n'
        b'{"type": "A", "id": "\xff", "t": 1}\n{"type": "B", "id": "b2", "t": 2}\n'
    )
    assert run(sources={"s": source("e.jsonl")}) == ["emit a1 b2"]
    assert run.outcomes == {"read": 5, "in_order": 2, "invalid": 3}
    late = run.records("late.jsonl")
    assert [(r["reason"], r["source"], r["position"]) for r in late] == [
        ("invalid", "s", f"e.jsonl:{line}") for line in (2, 3, 4)
    ]  # fmt: skip
    assert late[1]["raw"] == '{"type": "A", "id": "a3"}'
    assert "'t' is missing" in late[1]["error"]


def test_values_that_do_not_convert_are_reported(run: Running) -> None:
    (run.folder / "e.csv").write_text("type,id,t,v\nA,1,1,high\nB,2,2,3\n")
    run(sources={"s": source("e.csv", payload={"v": "float"})})
    assert run.report["sources"]["s"]["unconverted"] == {"v": 1}


# -- time -----------------------------------------------------------------------------------------------


def test_the_end_of_the_input_is_the_end_of_time(run: Running) -> None:
    run.write("e.jsonl", "a1 b2")
    assert run("PATTERN SEQ(A a, B b, !C c) WITHIN 10 s", sources={"s": source("e.jsonl")}) == ["emit a1 b2"]
    assert run.report["patterns"]["p"]["pending"] == 0


def test_a_source_that_has_ended_holds_time_back_no_more(run: Running) -> None:
    run.write("short.jsonl", "a1 b2")
    run.write("long.jsonl", "x1 x30 c31")
    query = "PATTERN SEQ(A a, B b, !C c) WITHIN 10 s"
    run(query, sources={"s": source("short.jsonl"), "l": source("long.jsonl")})
    (record,) = run.records("out.jsonl")
    assert record["cause"] == {"kind": "time", "event": None}


def test_a_replay_detects_at_the_time_of_arrival(run: Running) -> None:
    run.write("e.jsonl", "a1@100 b2@160")
    run(sources={"s": arriving("e.jsonl")})
    (record,) = run.records("out.jsonl")
    assert (record["detected"], record["latency"]) == ("1970-01-01T00:02:40Z", 0)


def test_a_replay_can_be_paced_and_writes_matches_as_it_goes(run: Running) -> None:
    run.write("e.jsonl", "a1 b3 a9000")
    watch = Stopwatch()
    found = run(
        sources={"s": source("e.jsonl", speed=10)}, stop=lambda: bool(run.records("out.jsonl")), seconds=60
    )
    assert found == ["emit a1 b3"]
    assert 0.2 <= watch.seconds < 30


def test_events_from_the_future_are_set_apart(run: Running) -> None:
    run.write("e.jsonl", "a1@1 a50@2 b2@3 a4@4 x99@4 b5@4")
    assert run(sources={"s": arriving("e.jsonl", max_future_skew="10s")}) == ["emit a1 b2", "emit a4 b5"]
    assert run.outcomes == {"read": 6, "in_order": 4, "future": 2}
    late = run.records("late.jsonl")
    assert [(r["reason"], r["event"]["id"], r["position"]) for r in late] == [
        ("future", "a50", "e.jsonl:2"), ("future", "x99", "e.jsonl:5"),
    ]  # fmt: skip
    assert not any("patterns" in r for r in late)


def test_a_stop_leaves_open_what_time_has_not_decided(run: Running) -> None:
    run.write("e.jsonl", "a1 b2 a1000")
    asked = iter([False, True])
    query = "PATTERN SEQ(A a, B b, !C c) WITHIN 10 s"
    sources = {"s": source("e.jsonl", speed=20)}
    assert run(query, sources=sources, stop=lambda: next(asked, True)) == []
    assert run(query, sources=sources, seconds=1.0) == []
    assert run.report["patterns"]["p"]["pending"] == 1
    assert run.outcomes == {"read": 2, "in_order": 2}


def test_time_is_up_when_the_duration_has_passed(run: Running) -> None:
    run.write("e.jsonl", "a1 b2000")
    watch = Stopwatch()
    run(sources={"s": source("e.jsonl", speed=1)}, seconds=0.3)
    assert 0.3 <= watch.seconds < 3
    assert run.outcomes == {"read": 1, "in_order": 1}


# -- late output ----------------------------------------------------------------------------------------


def test_late_output_says_who_refused_the_event_and_why(run: Running) -> None:
    run.write("e.jsonl", "a10 b50 a20 a47 b51 a5")
    patterns = {
        "strict": {
            "query": "PATTERN SEQ(A a, B b) WITHIN 60 s",
            "lateness": {"type": "accept", "within": "5s"},
        },
        "lenient": {
            "query": "PATTERN SEQ(A a, B b) WITHIN 60 s",
            "lateness": {"type": "accept", "within": "40s"},
        },
        "other": {"query": "PATTERN SEQ(C c, B b) WITHIN 60 s"},
    }
    with capture_logs() as logs:
        run(patterns, sources={"s": source("e.jsonl")})
    assert run.outcomes == {"read": 6, "in_order": 3, "out_of_order": 2, "extremely_late": 1}
    assert {n: p["refused"] for n, p in run.report["patterns"].items()} == {
        "strict": 2,
        "lenient": 1,
        "other": 0,
    }
    first, second = run.records("late.jsonl")
    assert first == {
        "reason": "extremely_late",
        "event": {
            "type": "A",
            "id": "a20",
            "time": "1970-01-01T00:00:20Z",
            "source": "s",
            "payload": {"type": "A", "id": "a20", "t": 20.0},
        },
        "error": "30 s late, more than 5 s",
        "patterns": ["strict"],
        "score": 30.0,
        "threshold": 5.0,
        "source": "s",
        "position": "e.jsonl:3",
    }
    assert (second["patterns"], second["score"], second["position"]) == (
        ["strict", "lenient"],
        46.0,
        "e.jsonl:6",
    )
    assert [e["position"] for e in logs if e["log_level"] == "warning"] == ["e.jsonl:3"]
    by_pattern = {
        name: [e["id"] for r in run.records("out.jsonl") if r["pattern"] == name for e in r["events"]["a"]]
        for name in patterns
        if name != "other"
    }
    assert by_pattern == {"strict": ["a10", "a47"], "lenient": ["a10", "a20", "a47"]}


def test_late_output_without_a_sink_is_counted(run: Running) -> None:
    run.write("e.jsonl", "a50@50 a1@51 b60@52 a90@53 b54@54")
    patterns = {"p": {"query": AB, "lateness": {"type": "accept", "within": "7s"}}}
    sinks = {"out": {"type": "file", "path": "out.jsonl"}}
    with capture_logs() as logs:
        found = run(patterns, sinks=sinks, sources={"s": arriving("e.jsonl", max_future_skew="20s")})
    assert found == ["emit a50 b60", "retract a50 b60", "emit a50 b54"]
    assert run.outcomes == {"read": 5, "in_order": 2, "out_of_order": 1, "extremely_late": 1, "future": 1}
    assert sorted(e["reason"] for e in logs) == ["extremely_late", "future"]
    assert {e["event"] for e in logs} == {
        f"late output: {reason}, the first from this source; others are counted at the end"
        for reason in ("extremely_late", "future")
    }
    sums = [
        (s["reason"], s["source"], s["pattern"], s["count"], s["example"]["event"]["id"])
        for s in run.report["late"]
    ]
    assert sums == [("future", "s", None, 1, "a90"), ("extremely_late", "s", "p", 1, "a1")]


@pytest.mark.parametrize(
    ("text", "behind"),
    [
        ("a1 b2", None),
        ("a20 a2 b30", None),
        ("a20 a2 b30 a3", {"event_time": "1970-01-01T00:00:30Z", "source": "s", "extremely_late": 1}),
        ("a1 a2000 b3 a4 x5 b6", {"event_time": "1970-01-01T00:33:20Z", "source": "s", "extremely_late": 3}),
    ],
)
def test_the_report_says_how_many_came_too_late_behind_the_latest_event_time(
    text: str, behind: object, run: Running
) -> None:
    run.write("e.jsonl", text)
    patterns = {"p": {"query": AB, "lateness": {"type": "accept", "within": "7s"}}}
    run(patterns, sources={"s": source("e.jsonl")})
    assert run.report["behind"] == behind


# -- sinks ----------------------------------------------------------------------------------------------


def test_sinks_take_the_patterns_and_as_much_of_each_event_as_they_say(run: Running) -> None:
    run.write("e.jsonl", "a1=1 b2 c3")
    patterns = {"ab": {"query": AB}, "ac": {"query": "PATTERN SEQ(A a, C+ c) WITHIN 10 s"}}
    sinks = {
        "all": {"type": "file", "path": "all"},
        "one": {"type": "file", "path": "one", "patterns": ["ac"], "events": "ids"},
        "bare": {"type": "file", "path": "bare", "events": "none"},
        "nothing": {"type": "none"},
    }
    run(patterns, sinks=sinks, sources={"s": source("e.jsonl")})
    whole = run.records("all")
    assert [(r["pattern"], r["op"]) for r in whole] == [("ab", "emit"), ("ac", "emit")]
    assert whole[0]["events"]["a"][0]["payload"]["v"] == 1
    assert [(r["pattern"], r["events"]) for r in run.records("one")] == [("ac", {"a": ["a1"], "c": ["c3"]})]
    assert [r["pattern"] for r in run.records("bare")] == ["ab", "ac"]
    assert all("events" not in r for r in run.records("bare"))
    assert {r["match"] for r in run.records("bare")} == {r["match"] for r in whole}
    assert run.report["sinks"] == {
        "all": {"records": 2}, "one": {"records": 1}, "bare": {"records": 2}, "nothing": {"records": 0},
    }  # fmt: skip


@pytest.mark.parametrize(
    "query",
    [
        AB,
        "PATTERN SEQ(A a, B+ b) WITHIN 10 s",
        "PATTERN SEQ(A a, !C c, B b) WITHIN 10 s",
        "PATTERN SEQ(A a, B b, !C c) WITHIN 10 s",
        "PATTERN OR(SEQ(A a, B b), SEQ(A a, (B OR C) b)) WITHIN 10 s",
    ],
)
def test_matches_that_are_only_counted_are_counted_alike(run: Running, query: str) -> None:
    run.write("e.jsonl", "a1 c2 a3 b4 b5 b2.5 a9 c8 b13 c11 b1.5 a20 b21")
    sources = {"s": source("e.jsonl")}
    written = run(query, sources=sources)
    figures = run.report["patterns"]["p"]
    run(query, sources=sources, sinks={"out": {"type": "none"}})
    assert run.report["patterns"]["p"] == figures
    assert figures["emitted"] + figures["corrected"] + figures["retracted"] == len(written)
    assert figures["emitted"] > 0
    assert len(run.records("out.jsonl")) == len(written)


def test_a_torn_line_that_was_cut_is_reported(run: Running) -> None:
    run.write("e.jsonl", "a1 b2")
    (run.folder / "out.jsonl").write_text('{"torn')
    with capture_logs() as logs:
        assert run(sources={"s": source("e.jsonl")}) == ["emit a1 b2"]
    assert run.report["sinks"]["out"] == {"records": 1, "torn_lines": 1}
    assert [e["event"] for e in logs] == ["torn last line cut off"]


# -- memory ---------------------------------------------------------------------------------------------


def test_what_there_is_no_room_for_is_evicted_and_counted(run: Running) -> None:
    run.write("e.jsonl", " ".join(f"a{n}" for n in range(1, 100)) + " b100")
    found = run("PATTERN SEQ(A a, B b) WITHIN 1000 s", sources={"s": source("e.jsonl")})
    assert len(found) == 99
    (run.folder / "out.jsonl").unlink()
    # Room is looked after between batches.
    run.write("f.jsonl", "b101")
    sources = {"s": source("e.jsonl"), "t": source("f.jsonl")}
    found = run("PATTERN SEQ(A a, B b) WITHIN 1000 s", sources=sources, retention={"events": 50})
    assert 0 < run.report["evicted"] < 100
    assert run.outcomes == {"read": 101, "in_order": 101}
    assert found[:99] == [f"emit a{n} b100" for n in range(1, 100)]


def test_events_are_kept_as_long_as_retention_says(run: Running) -> None:
    run.write("e.jsonl", " ".join(f"a{n}" for n in range(1, 3000)) + " b3000")
    run.write("f.jsonl", "b3001")
    patterns = {
        "p": {"query": "PATTERN SEQ(A a, B b) WITHIN 5 s", "lateness": {"type": "accept", "within": "9s"}}
    }
    sources = {"s": source("e.jsonl"), "t": source("f.jsonl")}
    run(patterns, sources=sources)
    assert run.report["evicted"] == 0
    assert run.report["patterns"]["p"]["emitted"] == 5


# -- a run is a run -------------------------------------------------------------------------------------


def test_a_pipeline_is_run_once(run: Running) -> None:
    run.write("e.jsonl", "a1 b2")
    pipeline = run.pipeline(sources={"s": source("e.jsonl")})
    pipeline.run()
    with pytest.raises(RuntimeError, match="make another"):
        pipeline.run()
    pipeline.close()
    fed = run.pipeline()
    fed.feed([Event("A", "a1", 1)])
    with pytest.raises(RuntimeError, match="make another"):
        fed.run()
    fed.close()


def test_a_run_reports_all_its_figures(run: Running) -> None:
    run.write("e.jsonl", "a1 b2 x3")
    run(sources={"s": source("e.jsonl")})
    report = run.report
    assert report["events"] == {
        "read": 3, "in_order": 2, "out_of_order": 0, "duplicate": 0, "extremely_late": 0, "future": 0,
        "invalid": 0, "irrelevant": 1, "revised": 0, "withdrawn": 0,
    }  # fmt: skip
    assert report["patterns"]["p"] == {
        "emitted": 1, "corrected": 0, "retracted": 0, "live": 1, "pending": 0, "engine_runs": 1,
        "on_demand_runs": 0, "events_handed": 2, "refused": 0, "slack_waits": 0, "unrepaired": 0,
    }  # fmt: skip
    assert report["sources"]["s"] == {"read": 3, "in_order": 2, "irrelevant": 1}
    assert 0 < report["seconds"] < 10
    assert report["events_per_second"] > 0
    assert report["peak_rss_bytes"] > 0
    assert json.loads(json.dumps(report)) == report


@pytest.mark.parametrize("select", ["stnm", "stam"])
@pytest.mark.parametrize("engine", [{"type": "maximal", "enumeration": 10**9}, "nfa"], ids=["maximal", "nfa"])
def test_a_search_without_end_is_cut_off_where_a_run_is_to_end(
    run: Running, engine: Any, select: str
) -> None:
    """Without any signal: a program of one's own may run a pipeline."""
    many = " ".join(f"a{t}={t} a{t}.1={t}" for t in range(1, 200))
    run.write("e.jsonl", f"{many} b300 a301=1 b302")
    patterns = {
        "p": {"query": "PATTERN SEQ(A+ a[], A+ b[], A+ c[], B d) WHERE sum(a.v) == sum(c.v) + 0.5 "
                       "WITHIN 1 h", "engine": engine,
              "select": select, "results": {"type": "corrected", "max_per_end": 10**9}}
    }  # fmt: skip
    asked: list[Stopwatch] = []

    def stop() -> bool:
        asked.append(Stopwatch())
        return asked[0].seconds > 0.5

    run(patterns, sources={"s": source("e.jsonl")}, stop=stop)
    assert asked[0].seconds < 5
    assert run.report["stopped"] == {"cut_off": True, "input_left": True, "not_looked_at": 2}
    assert run.report["events"]["read"] == len(many.split()) + 1
