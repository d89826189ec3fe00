"""A sample of a source."""

from __future__ import annotations

from limecep import ComponentSpec
from limecep.config.model import ComponentConfig, SourceConfig
from limecep.diagnosis.sample import Sample
from limecep.spec import NoOptions
from limecep.testing.streams import written

FILE = ComponentSpec(kind="source", name="file", factory="nowhere:Nothing", summary="For tests.")
SOURCE = SourceConfig(name="s", connector=ComponentConfig(spec=FILE, options=NoOptions()), channel="s.csv")


def test_what_was_read_gave_an_event_or_was_invalid() -> None:
    assert Sample(source=SOURCE, events=written("a1 b2"), invalid=3).read == 5
    assert Sample(source=SOURCE).read == 0


def test_events_are_asked_for_by_type() -> None:
    sample = Sample(source=SOURCE, events=written("a1 b2 a3 c4"))
    assert [e.id for e in sample.of({"A", "C"})] == ["a1", "a3", "c4"]


def test_it_has_all_there_is_unless_it_says_otherwise() -> None:
    assert Sample(source=SOURCE).whole
