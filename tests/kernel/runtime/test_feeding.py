"""What a program feeds goes through detection, state and sinks, one call after the other."""

from __future__ import annotations

import json
import re
import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from structlog.testing import capture_logs

from limecep import Event, InvalidEvent, Pipeline, events
from limecep.errors import RunFailure
from limecep.testing.streams import written

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from limecep.registry import Registry

SECOND = 1_000_000


@pytest.fixture
def made(tmp_path: Path, installed: Registry) -> Callable[..., Pipeline]:
    """A pipeline that finds an A and a B, with a file for its updates."""

    def pipeline(query: str = "PATTERN SEQ(A a, B b) WITHIN 10 s", **more: Any) -> Pipeline:
        objects = {name: more.pop(name) for name in ("sources", "sinks") if name in more}
        document = {
            "version": 1,
            "patterns": {"p": {"query": query, "slack": "none"}},
            "sinks": {"out": {"type": "file", "path": "out.jsonl"}},
        }
        return Pipeline.from_dict({**document, **more}, root=tmp_path, registry=installed, **objects)

    return pipeline


def records(folder: Path, name: str = "out.jsonl") -> list[Any]:
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


def test_the_sinks_have_what_is_returned_when_it_is(tmp_path: Path) -> None:
    late = {"type": "file", "path": "late.jsonl", "of": "late"}
    sinks = {"out": {"type": "file", "path": "out.jsonl"}, "late": late}
    document = {"version": 1, "sinks": sinks,
                "patterns": {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 10 s", "slack": "none",
                                   "lateness": {"type": "bound", "within": "2 s"}}}}  # fmt: skip
    with Pipeline.from_dict(document, root=tmp_path) as pipeline:
        updates = pipeline.feed(written("a1 b2"))
        assert records(tmp_path) == updates.records()
        found = pipeline.feed([*written("x20 a3"), {"type": "B", "time": 5}], invalid="refuse")
        assert [(r.reason, r.patterns) for r in found.refused] == [
            ("invalid", ()),
            ("extremely_late", ("p",)),
        ]
        invalid, refused = found.refused
        assert (invalid.event, invalid.given["time"]) == (None, 5)
        assert "event 2 of those given: 'time' is the number 5" in invalid.error
        assert refused.event is refused.given
        assert refused.given.id == "a3"
        assert [r["reason"] for r in records(tmp_path, "late.jsonl")] == ["invalid", "extremely_late"]
        assert pipeline.feed([]).refused == []
        assert pipeline.report()["sinks"]["out"]["records"] == 1


def test_standard_output_is_left_alone_unless_it_is_named(
    installed: Registry, capsys: pytest.CaptureFixture[str]
) -> None:
    document = {"version": 1, "patterns": {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 10 s"}}}
    with Pipeline.from_dict(document, registry=installed) as pipeline:
        assert len(pipeline.feed(written("a1 b2"))) == 1
    assert capsys.readouterr().out == ""


def test_one_invalid_event_keeps_all_others_out(made: Callable[..., Pipeline]) -> None:
    with made() as pipeline:
        odd: Any = Event("B", "b2", 2 * SECOND, payload={"v": {1}})
        with pytest.raises(InvalidEvent, match=r"event 1 .*\(id 'b2'\): 'v' is a set"):
            pipeline.feed([*written("a1"), odd])
        assert pipeline.outcomes()["read"] == 0
        with pytest.raises(ValueError, match="invalid must be"):
            pipeline.feed([], invalid="drop")  # type: ignore[arg-type]


def test_values_of_other_types_are_compared_as_what_they_are(made: Callable[..., Pipeline]) -> None:
    numpy = pytest.importorskip("numpy")
    with made("PATTERN SEQ(A a, B b) WHERE b.v > a.v WITHIN 10 s") as pipeline:
        a = Event("A", "a", 1, payload={"v": numpy.int64(1)})
        b = Event("B", "b", 2, payload={"v": numpy.float32(1.5)})
        (update,) = pipeline.feed([a, b])
    assert update.record()["events"]["a"][0]["payload"] == {"v": 1}


def test_a_pipeline_with_state_goes_on_where_it_was_fed(
    tmp_path: Path, made: Callable[..., Pipeline]
) -> None:
    state = {"state": {"dir": "state"}}
    trailing = "PATTERN SEQ(A a, B b, !C c) WITHIN 10 s"
    with made(trailing, **state) as pipeline:
        assert pipeline.feed(written("a1 b2")) == []
        with pytest.raises(RunFailure, match="is in use"):
            made(trailing, **state).feed([])
    assert records(tmp_path) == []
    with made(trailing, **state) as pipeline:
        # What was fed is known, so feeding it again is no harm.
        (update,) = pipeline.feed(written("a1 b2 x20"))
        assert pipeline.outcomes()["duplicate"] == 2
        assert pipeline.feed(written("c5"))[0].id == update.id
        assert pipeline.report()["state"]["resumed"]
    assert [r["op"] for r in records(tmp_path)] == ["emit", "retract"]


def test_after_a_failure_half_a_batch_is_not_kept(tmp_path: Path, made: Callable[..., Pipeline]) -> None:
    state = {"state": {"dir": "state"}}

    def refuse(record: Any) -> None:
        raise OSError("the disk is full")

    pipeline = made(sinks={"out": refuse}, **state)
    with pytest.raises(Exception, match="the disk is full"):
        pipeline.feed(written("a1 b2"))
    with pytest.raises(RuntimeError, match="this pipeline failed"):
        pipeline.feed(written("a3"))
    pipeline.close()
    taken: list[Any] = []
    with made(sinks={"out": taken}, **state) as again:
        again.feed([])
    assert [r["op"] for r in taken] == ["emit"]


def test_threads_take_turns_and_each_gets_what_it_caused(made: Callable[..., Pipeline]) -> None:
    query = "PATTERN SEQ(A a, B b) WHERE a.k = b.k WITHIN 1 s PARTITION BY thread"
    found: dict[int, int] = {}

    with made(query) as pipeline:

        def feed(thread: int) -> None:
            found[thread] = 0
            for n in range(200):
                for name, t in (("A", 2 * n), ("B", 2 * n + 1)):
                    event = Event(name, f"{thread}-{t}", t * SECOND, payload={"thread": thread, "k": n})
                    updates = pipeline.feed(event)
                    assert {u.key["thread"] for u in updates if u.key} <= {thread}
                    found[thread] += len(updates)

        threads = [threading.Thread(target=feed, args=[n]) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        pipeline.finish()
    assert found == dict.fromkeys(range(4), 200)


def test_it_is_not_fed_from_inside_of_its_own_feed(made: Callable[..., Pipeline]) -> None:
    def again(record: Any) -> None:
        pipeline.feed([])

    pipeline = made(sinks={"out": again})
    with pytest.raises(Exception, match="cannot be fed from inside of its own feed"):
        pipeline.feed(written("a1 b2"))
    pipeline.close()


def test_a_closed_pipeline_and_one_that_was_run_take_nothing(made: Callable[..., Pipeline]) -> None:
    with made() as pipeline:
        pipeline.feed([])
    pipeline.close()
    with pytest.raises(RuntimeError, match="is closed: make another one"):
        pipeline.feed([])
    with made(sources={"s": []}) as pipeline:
        pipeline.run()
        with pytest.raises(RuntimeError, match="was run before"):
            pipeline.feed([])


def test_a_pipeline_whose_input_is_over_takes_nothing_more(made: Callable[..., Pipeline]) -> None:
    with made() as pipeline:
        pipeline.feed(written("a1"))
        pipeline.finish()
        assert pipeline.finish() == []
        for more in (lambda: pipeline.feed(written("b2")), lambda: pipeline.advance(5)):
            with pytest.raises(RuntimeError, match=r"is over since finish\(\) was called"):
                more()


def test_what_the_end_causes_and_no_sink_takes_is_told(installed: Registry) -> None:
    document = {"version": 1, "patterns": {"p": {"query": "PATTERN SEQ(A a, B b, !C c) WITHIN 10 s"}}}
    with capture_logs() as logs, Pipeline.from_dict(document, registry=installed) as pipeline:
        pipeline.feed(written("a1 b2"))
    assert [(e["log_level"], e["updates"]) for e in logs] == [("warning", 1)]
    assert "call finish() for them" in logs[0]["event"]


@pytest.mark.parametrize(
    ("fields", "error", "said"),
    [
        ({"format": {"a": 1}}, TypeError, "'format' must be text, not {'a': 1}"),
        ({"time": None}, TypeError, "'time' must be text, not None"),
        ({"tme": "t"}, TypeError, "there is no keyword 'tme': did you mean 'time'?"),
        ({"now": "t"}, TypeError, "there is no keyword 'now': known: arrival, format,"),
        ({"zone": "Nowhere"}, ValueError, "unknown time zone 'Nowhere'"),
    ],
)
def test_what_says_how_events_are_made_is_refused_in_words(
    made: Callable[..., Pipeline], fields: Any, error: type[Exception], said: str
) -> None:
    with made() as pipeline:
        with pytest.raises(error, match=rf"^{re.escape(said)}"):
            pipeline.feed([{"type": "A", "time": "2026-01-05T10:00:00Z"}], **fields)
        with pytest.raises(error, match=rf"^{re.escape(said)}"):
            events([], **fields)
        assert pipeline.feed([{"type": "A", "time": "2026-01-05T10:00:00Z"}], type=None, zone=None) == []


def test_time_comes_to_a_moment_with_a_zone(made: Callable[..., Pipeline]) -> None:
    with made() as pipeline:
        with pytest.raises(ValueError, match=r"^'to' has no time zone, 2026-01-05 00:00:00"):
            pipeline.advance(datetime(2026, 1, 5))
        for wrong in ("2026-01-05", 3.5, True, None):
            with pytest.raises(TypeError, match=r"^'to' must be a datetime, or microseconds"):
                pipeline.advance(wrong)  # type: ignore[arg-type]
        assert pipeline.advance(datetime(2026, 1, 5, tzinfo=UTC)) == []
