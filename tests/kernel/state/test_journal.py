"""The journal: what it gives, and what it lets go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep import Event
from limecep.model.time import FOREVER
from limecep.state.journal import StateJournal
from limecep.state.segments import write

if TYPE_CHECKING:
    from conftest import Memory


def test_it_gives_the_events_of_a_range(memory: Memory) -> None:
    store: Any = memory
    for n in (1, 2, 3, 4):
        for segment in write([Event("A", f"a{n}", n, ordinal=n)], 0, {}):
            memory.append(*segment)
    assert [e.id for e in StateJournal(store, 0).events(2, 3)] == ["a2", "a3"]


def test_what_memory_needs_and_what_is_to_be_kept_stays(memory: Memory) -> None:
    store: Any = memory
    journal = StateJournal(store, keep=10)
    assert journal.begins == -FOREVER
    journal.trim(100, 50)
    assert (journal.begins, memory.trimmed) == (40, [40])
    journal.trim(45, 80)
    assert (journal.begins, memory.trimmed) == (45, [40, 45])
    # It begins where it began already.
    journal.trim(45, 80)
    journal.trim(30, 80)
    assert (journal.begins, memory.trimmed) == (45, [40, 45])
