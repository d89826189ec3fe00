"""Fields that a source names, where it is known which there are."""

from __future__ import annotations

from typing import Any

import pytest
import structlog

from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.errors import RunFailure
from limecep.host import Host
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
