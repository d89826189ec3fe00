"""Objects of a program as sources and sinks of its pipeline."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest

from limecep import Event, Pipeline
from limecep.contracts.source import Message
from limecep.errors import ComponentFailure
from limecep.testing.streams import written

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from limecep.registry import Registry

DOCUMENT = {"version": 1, "patterns": {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 10 s"}}}
FILE = """
version: 1
sources:
  a: {type: kafka_of_old, channel: topic, group: mine, as: A, id: no, time: {field: t, zone: Europe/Athens}}
  b: {type: file, channel: b.jsonl, as: B, id: no, time: t}
patterns:
  p:
    query: PATTERN SEQ(A a, B b) WITHIN 10 s
sinks:
  out: {type: file, path: out, events: ids}
"""


def ids(records: list[Any]) -> list[list[str]]:
    return [[e if isinstance(e, str) else e["id"] for g in r["events"].values() for e in g] for r in records]


def test_a_generator_is_a_recording_and_a_callable_lives(installed: Registry) -> None:
    answers = iter([written("b2"), [], {"type": "B", "id": "b3", "time": "1970-01-01T00:00:03Z"}, None])
    for source in (iter(written("b2 b3")), lambda: next(answers)):
        out: list[Any] = []
        sources = {"a": written("a1"), "b": source}
        with Pipeline.from_dict(DOCUMENT, registry=installed, sources=sources, sinks={"out": out}) as made:
            made.run()
            assert made.report()["sources"]["b"]["read"] == 2
        assert ids(out) == [["a1", "b2"]]
        assert out[0]["events"]["b"][0]["source"] == "b"


def test_what_cannot_be_read_may_be_skipped_of_what_a_program_gives(installed: Registry) -> None:
    document = {**DOCUMENT, "sources": {"a": {"on_error": "skip"}}}
    out: list[Any] = []
    sources = {"a": [*written("a1 b2"), {"type": "A"}]}
    with Pipeline.from_dict(document, registry=installed, sources=sources, sinks={"out": out}) as made:
        made.run()
        assert made.report()["sources"]["a"]["invalid"] == 1
    assert ids(out) == [["a1", "b2"]]


def test_an_object_takes_the_place_of_what_the_file_names(tmp_path: Path, installed: Registry) -> None:
    """What the file says of records, it says of those of the object."""
    (tmp_path / "p.yaml").write_text(FILE)
    (tmp_path / "b.jsonl").write_text('{"no": 5, "t": "2026-01-05T08:00:05Z"}\n')
    taken: list[Any] = []
    records = [{"no": 1, "t": datetime(2026, 1, 5, 10)}, {"t": datetime(2026, 1, 5, 10)}, {"no": 2, "v": {1}}]
    with Pipeline.from_yaml(
        tmp_path / "p.yaml", registry=installed, sources={"a": records}, sinks={"out": taken.append}
    ) as made:
        made.run()
        assert made.report()["sources"]["a"] == {"read": 3, "in_order": 1, "invalid": 2}
    assert ids(taken) == [["1", "5"]]
    assert taken[0]["events"] == {"a": ["1"], "b": ["5"]}


class Lines:
    """A source of bytes, by the contract."""

    finite = True

    def __init__(self) -> None:
        self.left = [b'{"type": "A", "no": "a1", "t": "1970-01-01T00:00:01Z"}', b"odd"]
        self.closed = False

    @property
    def ended(self) -> bool:
        return not self.left

    def open(self) -> None: ...

    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        return [Message(self.left.pop(0), "lines", "lines:1")]

    def commit(self, positions: Sequence[str]) -> None: ...

    def replay(self, t_from: int, t_to: int) -> None: ...

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize("says_that_it_takes_records", [True, False])
def test_an_object_with_the_methods_of_the_contract_is_used_as_it_is(
    says_that_it_takes_records: bool, installed: Registry
) -> None:
    class Sink:
        told: list[str]

        def open(self) -> None:
            self.told = ["open"]

        def send(self, records: Sequence[Any]) -> None:
            self.told.append(f"send {len(records)}")

        def flush(self) -> None:
            self.told.append("flush")

        def close(self) -> None:
            self.told.append("close")

    source, sink = Lines(), Sink()
    if says_that_it_takes_records:
        sink.counts_only = False  # type: ignore[attr-defined]
    block = {"as": {"field": "type"}, "id": "no", "time": "t", "format": "json"}
    with Pipeline.from_dict(
        {**DOCUMENT, "sources": {"a": block}},
        registry=installed,
        sources={"a": source, "b": written("b2")},
        sinks={"out": sink},
    ) as made:
        made.run()
        assert made.report()["sources"]["a"].items() >= {"read": 2, "invalid": 1}.items()
    assert source.closed
    assert sink.told == ["open", "send 1", "flush", "close"]


def test_what_an_object_raises_names_its_place(installed: Registry) -> None:
    def broken() -> Iterator[Event]:
        yield from written("a1")
        raise KeyError("gone")

    def full(record: Any) -> None:
        raise ValueError("full")

    for sources, sinks, error in (
        ({"a": broken()}, {"out": []}, r"sources.a: source 'object' raised KeyError"),
        ({"a": written("a1 b2")}, {"out": full}, r"sinks.out: sink 'object' raised ValueError: full"),
    ):
        with Pipeline.from_dict(DOCUMENT, registry=installed, sources=sources, sinks=sinks) as made:  # noqa: SIM117
            with pytest.raises(ComponentFailure, match=error):
                made.run()


def test_what_is_no_source_or_sink_is_refused(installed: Registry) -> None:
    for objects, error in (
        ({"sources": {"a": 5}}, "source 'a' is 5: give an iterable, a callable, or an object"),
        ({"sinks": {"out": 5}}, "sink 'out' is 5: give a callable, a list, or an object"),
        ({"sinks": {"out": list}}, "nobody awaits what it gives"),
        ({"sinks": {"out": awaited}}, "nobody awaits what it gives"),
    ):
        with pytest.raises(TypeError, match=error):
            Pipeline.from_dict(DOCUMENT, registry=installed, **objects)  # type: ignore[arg-type]


async def awaited(record: Any) -> None:
    """A sink that nobody awaits."""


@pytest.mark.filterwarnings("ignore:coroutine")
def test_a_sink_that_is_to_be_awaited_is_named(installed: Registry) -> None:
    sinks = {"out": lambda record: awaited(record)}
    pipeline = Pipeline.from_dict(DOCUMENT, registry=installed, sinks=sinks)
    events = [{"type": name, "id": name, "time": f"2026-01-05T10:00:0{n}Z"} for n, name in enumerate("AB")]
    with pytest.raises(ComponentFailure, match=r"sinks\.out.*nobody awaits it"), pipeline:
        pipeline.feed(events)


class Mine:
    """A source without a log, or a sink."""

    finite = True
    ended = False

    def open(self) -> None: ...

    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        self.ended = True
        return [Message(b'{"type": "A", "time": "2026-01-05T10:00:00Z"}', "c", "c:1")]

    def send(self, records: Any) -> None: ...

    def commit(self, positions: Any) -> None: ...

    def flush(self) -> None: ...

    def close(self) -> None: ...


def ran(installed: Registry, source: Any, sink: Any) -> Pipeline:
    given: dict[str, Any] = {"sources": {"a": source}, "sinks": {"o": sink}}
    with Pipeline.from_dict(DOCUMENT, registry=installed, **given) as pipeline:
        pipeline.run()
    return pipeline


def test_methods_that_cannot_be_called_so_are_told_at_once(installed: Registry) -> None:
    assert ran(installed, Mine(), Mine()).outcomes()["read"] == 1
    short = type("Short", (Mine,), {"poll": lambda self, n: [], "send": lambda self: None})
    with pytest.raises(TypeError, match=r"source 'a' .* breaks .*Source: it has 'poll\(self, n\)'"):
        ran(installed, short(), Mine())
    with pytest.raises(TypeError, match=r"sink 'o' .* breaks .*Sink: it has 'send\(self\)'"):
        ran(installed, Mine(), short())


def test_messages_that_are_none_are_told_with_the_name_of_the_source(installed: Registry) -> None:
    odd = type("Odd", (Mine,), {"poll": lambda self, limit, timeout: [Message("{}", "c", "c:1")]})  # type: ignore[arg-type]
    with pytest.raises(ComponentFailure, match="source 'object' gave a message whose value is "):
        ran(installed, odd(), Mine())


def test_objects_go_with_plugins_that_the_document_names(installed: Registry, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from limecep.api import component\n"
        '@component("slack")\n'
        'class Odd:\n    "Waits."\n'
        "    def __init__(self, plan, options, context): ...\n"
        "    def wait(self, statistics): return -1\n"
    )
    pattern = {"query": "PATTERN SEQ(A a, B b) WITHIN 10 s", "slack": "odd"}
    document = {"version": 1, "plugins": ["mine.py"], "patterns": {"p": pattern}}
    sources = {"a": written("b5 a1")}
    made = Pipeline.from_dict(document, registry=installed, sources=sources, root=tmp_path)
    said = f"slack policy 'odd' of {tmp_path}/mine.py gave -1 in 'wait'"
    with made, pytest.raises(ComponentFailure, match=said):
        made.run()
