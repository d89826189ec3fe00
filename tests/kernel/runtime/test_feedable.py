"""A pipeline as a library: a context manager, and a stream of updates."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from limecep import InvalidEvent, Pipeline, Refused
from limecep.testing.streams import written

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from limecep.registry import Registry

TRAILING = "PATTERN SEQ(A a, B b, !C c) WITHIN 10 s"


def pipeline(installed: Registry, query: str, out: Any) -> Pipeline:
    document = {"version": 1, "patterns": {"p": {"query": query, "slack": "none"}}}
    return Pipeline.from_dict(document, registry=installed, sinks={"out": out})


async def one_by_one(*pieces: Any) -> AsyncIterator[Any]:
    for piece in pieces:
        await asyncio.sleep(0)
        yield piece


def test_leaving_it_hands_to_the_sinks_what_waited_for_time(installed: Registry) -> None:
    out: list[Any] = []
    with pipeline(installed, TRAILING, out) as fed:
        fed.feed(written("a1 b2"))
        assert out == []
    assert [r["op"] for r in out] == ["emit"]


def test_leaving_it_by_an_error_does_not_end_the_input(installed: Registry) -> None:
    out: list[Any] = []

    def body() -> None:
        with pipeline(installed, TRAILING, out) as fed:
            fed.feed(written("a1 b2"))
            raise KeyError

    with pytest.raises(KeyError):
        body()
    assert out == []


def test_time_passes_to_a_datetime(installed: Registry) -> None:
    with pipeline(installed, TRAILING, []) as fed:
        fed.feed(written("a1 b2"))
        assert len(fed.advance(datetime.fromtimestamp(60, UTC))) == 1


def test_updates_come_one_after_the_other(installed: Registry) -> None:
    async def body() -> None:
        refused: list[Refused] = []
        a, b, c, d = written("a1 b2 a11 b12")
        with pipeline(installed, "PATTERN SEQ(A a, B b) WITHIN 10 s", []) as fed:
            stream = fed.stream(one_by_one(a, [b, c], {"type": "B"}, 5, d), refused=refused.append)
            found = [u async for u in stream]
        assert [u.match.end.id for u in found] == ["b2", "b12"]
        assert [(r.reason, r.given) for r in refused] == [("invalid", {"type": "B"}), ("invalid", 5)]
        with pipeline(installed, TRAILING, []) as fed:
            # The end of the events is the end of the input.
            assert [u.op async for u in fed.stream(one_by_one(a, b))] == ["emit"]
        with pipeline(installed, TRAILING, []) as fed, pytest.raises(InvalidEvent):
            _ = [u async for u in fed.stream(one_by_one({"type": "B"}))]

    asyncio.run(body())
