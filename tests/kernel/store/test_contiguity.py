"""What a pattern under strict contiguity reads where patterns derive events."""

from __future__ import annotations

from limecep.model.event import DerivedEvent, Event
from limecep.store.contiguity import everything_but


def test_what_others_derive_is_left_out_and_nothing_of_sources() -> None:
    step = everything_but(frozenset({"V"}))
    assert step.accepts is not None
    assert not step.accepts(DerivedEvent("V", "1", 1))
    assert step.accepts(DerivedEvent("W", "1", 1))
    assert step.accepts(Event("V", "1", 1))
    assert everything_but(frozenset({"V"})) is step
    assert everything_but(frozenset({"W"})).signature != step.signature
