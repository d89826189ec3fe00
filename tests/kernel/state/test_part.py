"""Parts: what several processes keep stands in one state, and each finds its own again."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.errors import RunFailure
from limecep.host import Host
from limecep.model.event import Event
from limecep.runtime.assembly import Assembly
from limecep.state.part import Kept, PartKeeper, joined
from limecep.store.share import Share
from tests.kernel.state.conftest import Memory

if TYPE_CHECKING:
    from limecep.detection.detection import Detection

REGISTRY = Host.load().registry
PATTERN = {"query": "PATTERN SEQ(A a, NOT B b) WITHIN 10 seconds PARTITION BY k", "lateness": "accept"}
EVENTS = [Event("A", str(n), n * 1000, payload={"k": n}) for n in range(20)]


class Looked(Memory):
    """A store that another process has open."""

    def peek(self) -> None:
        self.open = True

    def close(self) -> None:
        self.open = False


def begun(store: Any, number: int) -> tuple[PartKeeper, Detection]:
    """The first or second of two processes."""
    loaded = load_dict({"version": 1, "name": "p", "patterns": {"p": PATTERN}}, REGISTRY)
    assert loaded.config is not None, loaded.problems
    keeper = PartKeeper(store, number)
    assembly = Assembly(loaded.config, REGISTRY, ManualClock(), structlog.get_logger())
    detection = assembly.detection(tables=keeper.tables, share=Share(number, 2))
    keeper.begin(detection)
    return keeper, detection


def kept(store: Memory) -> list[Kept]:
    """What two processes keep of some events, in one store."""
    found = []
    for number in range(2):
        keeper, detection = begun(store, number)
        events = [Event(e.type, e.id, e.t_gen, payload=e.payload) for e in EVENTS]
        detection.feed(events)
        keeper.entered(events)
        # What is not written yet is in its journal.
        store.put([])
        assert [e.id for e in keeper.events(5000, 6000)] == ["5", "6"]
        found.append(keeper.changes({"more": number}))
    for k in found:
        store.put(k.put)
    for segment in joined([k.segments for k in found]):
        store.append(*segment)
    return found


def test_each_process_goes_on_with_its_own(memory: Memory) -> None:
    store = Looked()
    both = kept(store)
    numbers = Counter(row.number for k in both for row in k.put)
    assert max(numbers.values()) == 1
    pending = []
    for number in range(2):
        keeper, detection = begun(store, number)
        assert keeper.resume()["more"] == number
        assert not store.open
        assert detection.store.size == 20
        pending.append(detection.patterns()["p"]["pending"])
        # It gives rows numbers of its own from there on.
        detection.feed(
            [Event("A", "new", 50_000, payload={"k": number}), Event("B", "b", 60_000, payload={})]
        )
        put = keeper.changes({}).put
        own = {row.number for row in both[number].put}
        assert all(row.number in own or row.number > max(own) for row in put)
    assert sum(pending) == 20
    assert min(pending) > 3


def test_what_all_have_alike_is_in_the_journal_once() -> None:
    one, other = [(1, 2, b"x"), (3, 4, b"y")], [(1, 2, b"z")]
    assert [*joined([one, one])] == [(1, 2, b"\xffx"), (3, 4, b"\xffy")]
    assert [*joined([one, other])] == [(1, 2, b"\x00x"), (3, 4, b"\x00y"), (1, 2, b"\x01z")]
    assert [*joined([])] == []


def test_a_part_that_is_missing_is_damage() -> None:
    keeper, _ = begun(Looked(), 1)
    with pytest.raises(RunFailure, match=r"the state is damaged: 'part/process.1/figures' is missing"):
        keeper.resume()
