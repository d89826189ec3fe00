"""Fields that a source names, where it is known which there are."""

from __future__ import annotations

from typing import Any

import pytest
import structlog

from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.contracts.source import Message
from limecep.errors import RunFailure
from limecep.host import Host
from limecep.intake.fields import attributes, level_name, topic_level
from limecep.runtime.assembly import Assembly

REGISTRY = Host.load().registry


def reader(**source: Any) -> Any:
    """The reader of a source."""
    document = {
        "version": 1,
        "sources": {"gas": {"type": "file", "channel": "gas.csv", "as": "Gas", "time": "t", **source}},
        "patterns": {"p": {"query": "PATTERN SEQ(Gas a, Gas b) WITHIN 5 seconds"}},
    }
    config = load_dict(document, REGISTRY).config
    assert config is not None
    (feed,) = Assembly(config, REGISTRY, ManualClock(), structlog.get_logger()).feeds()
    return feed.reader


@pytest.mark.parametrize(
    ("source", "key"),
    [
        ({"time": "x"}, "time"),
        ({"arrival": {"field": "x", "format": "epoch_s"}}, "arrival"),
        ({"as": {"field": "x"}}, "as"),
        ({"id": ["t", "x"]}, "id"),
        ({"order": "x"}, "order"),
        ({"key": "x"}, "key"),
        ({"payload": ["v", "x"]}, "payload"),
    ],
)
def test_a_field_that_is_not_there_is_told(source: dict[str, Any], key: str) -> None:
    with pytest.raises(RunFailure) as failure:
        reader(**source).expect(["t", "v", "meta"])
    assert str(failure.value) == f"source 'gas': there is no 'x', which '{key}' names; there are: t, v, meta"


def test_what_is_inside_of_one_may_be_there_and_a_level_of_the_channel_is() -> None:
    reader(id=["meta.id", "$topic[0]", "a.b"], payload={"v": "int"}).expect(["t", "v", "meta", "a.b"])


@pytest.mark.parametrize(
    ("path", "level", "name"),
    [
        ("$topic[0]", 0, ""),
        ("$topic[12] as room", 12, "room"),
        ("$topic[1] as räume_2", 1, "räume_2"),
        ("$topic[1] as 2", None, ""),
        ("$topic[1]  as room", None, ""),
        ("$topic[1] as a.b", None, ""),
        ("$topic[1] as", None, ""),
        ("room", None, ""),
    ],
)
def test_a_level_of_the_channel_may_have_a_name(path: str, level: int | None, name: str) -> None:
    assert topic_level(path) == level
    assert level_name(path) == name
    if name:
        assert attributes(path) == {name}


@pytest.mark.parametrize(
    ("source", "payload"),
    [
        ({"key": "$topic[1]"}, {"t": 1, "v": 7, "key": "k1"}),
        ({"key": "$topic[1] as room"}, {"t": 1, "v": 7, "room": "k1"}),
        (
            {"key": "$topic[1] as room", "payload": {"$topic[2] as floor": "int", "v": "any"}},
            {"v": 7, "floor": 3, "room": "k1"},
        ),
        (
            {"payload": {"*": "any", "$topic[2] as floor": "int", "$topic[1] as n": "int"}},
            {"t": 1, "v": 7, "floor": 3},
        ),
        ({"payload": ["$topic[0] as home", "$topic[9] as none"]}, {"home": "h"}),
    ],
)
def test_and_is_an_attribute_of_that_name(source: dict[str, Any], payload: dict[str, Any]) -> None:
    made = reader(**{"time": {"field": "t", "format": "epoch_s"}, "format": "json", **source})
    [event] = made.read([Message(b'{"t": 1, "v": 7}', "h/k1/3", "x:1", 1)]).events
    assert event.payload == payload
