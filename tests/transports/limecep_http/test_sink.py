"""The sink posts records, each alone or some together."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from limecep import Pipeline
from limecep.testing.messages import records
from limecep_codecs.cloudevents import CloudEvents
from limecep_codecs.config import CloudEventsOptions
from limecep_http.config import HttpSinkOptions, HttpSinkSettings
from limecep_http.sink import HttpSink, key_of

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.contracts.context import Context


def send(hook: Any, context: Context, count: int, channel: str = "", batch: int = 1) -> list[Any]:
    sink = HttpSink(channel, HttpSinkSettings(batch=batch), HttpSinkOptions(url=hook.url), context)
    sink.open()
    sink.send(records(count))
    sink.close()
    return list(hook.came)


def test_a_record_is_a_request(hook: Any, context: Context) -> None:
    came = send(hook, context, 5)
    assert [json.loads(p.body) for p in came] == records(5)
    assert [p.headers["Idempotency-Key"] for p in came] == [
        "m0/1/emit", "m1/1/emit", "m2/1/emit", "m0/2/correct", "m1/2/correct"
    ]  # fmt: skip


def test_or_a_part_of_an_array(hook: Any, context: Context) -> None:
    came = send(hook, context, 5, batch=2)
    assert [json.loads(p.body) for p in came] == [records(5)[:2], records(5)[2:4], records(5)[4:]]
    assert len({p.headers["Idempotency-Key"] for p in came}) == 3
    assert {p.headers["Content-Type"] for p in came} == {"application/json"}


def test_only_what_goes_to_one_place_goes_together(hook: Any, context: Context) -> None:
    came = send(hook, context, 4, channel="{op}/{match}/{key}", batch=10)
    assert [p.path for p in came] == ["/emit/m0/-", "/emit/m1/-", "/emit/m2/-", "/correct/m0/-"]


def test_values_are_one_level_of_a_path(hook: Any, context: Context) -> None:
    sink = HttpSink("{pattern}/{match}/x", HttpSinkSettings(), HttpSinkOptions(url=hook.url), context)
    sink.open()
    sink.send([{**records(1)[0], "pattern": "a/b?c é", "match": ".."}])
    sink.close()
    assert hook.came[0].path == "/a%2Fb%3Fc%20%C3%A9/%2E%2E/x"


def test_an_array_of_cloudevents_says_so(hook: Any, context: Context) -> None:
    context.encoder = CloudEvents(CloudEventsOptions(), context)
    came = send(hook, context, 2, batch=2)
    assert came[0].headers["Content-Type"] == "application/cloudevents-batch+json; charset=UTF-8"
    assert [event["id"] for event in json.loads(came[0].body)] == ["m0/1", "m1/1"]


def test_a_record_of_the_late_output_has_a_key_of_its_own() -> None:
    late = {"reason": "invalid", "source": "s", "raw": "x"}
    assert key_of(late) == key_of(dict(reversed(late.items())))
    assert key_of(late) != key_of({**late, "raw": "y"})


def test_a_record_that_is_told_again_on_purpose_has_a_key_of_its_own() -> None:
    record = {"op": "emit", "match": "m", "revision": 1}
    assert [key_of({**record, **more}) for more in ({}, {"repeat": 1}, {"repeat": 2})] == [
        "m/1/emit", "m/1/emit/1", "m/1/emit/2"
    ]  # fmt: skip


def test_a_record_that_is_sent_again_by_a_later_run_has_the_same_key(hook: Any, tmp_path: Path) -> None:
    lines = [{"type": t, "id": t, "time": f"2026-01-05T10:00:0{n}Z"} for n, t in enumerate("AB")]
    (tmp_path / "e.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    document = {
        "version": 1,
        "name": "again",
        "sources": {
            "s": {"type": "file", "channel": "e.jsonl", "as": {"field": "type"}, "id": "id", "time": "time"}
        },
        "patterns": {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 10 s", "slack": "none"}},
        "sinks": {"out": {"type": "http", "url": hook.url}},
        "state": {"dir": "state"},
    }
    hook.answers = [(500, {}, b"")] * 9
    for done in (lambda: hook.tries > 0, lambda: False):
        pipeline = Pipeline.from_dict(document, root=tmp_path)
        pipeline.run(done, 20)
        pipeline.close()
        hook.answers = []
    assert hook.tries > 1
    assert len(set(hook.keys)) == 1
    [came] = hook.came
    record = json.loads(came.body)
    assert hook.keys[0] == f"{record['match']}/1/emit"
