"""What the options of a table or a stream say of it."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

from limecep.config.loader import load_dict
from limecep.host import Host

if TYPE_CHECKING:
    from limecep.problems import Problem

REGISTRY = Host.load().registry
PATTERN = {"query": "PATTERN SEQ(A a, A b) WITHIN 5 seconds"}
TABLE = {"type": "spark", "format": "parquet", "channel": "lake", "as": "A", "time": "t"}


def problems(**source: Any) -> list[Problem]:
    patterns = {"p": PATTERN}
    return load_dict(
        {"version": 1, "sources": {"s": {**TABLE, **source}}, "patterns": patterns}, REGISTRY
    ).problems


@pytest.mark.skipif(find_spec("pyspark") is None, reason="pip install 'limecep[spark]'")
def test_a_format_that_is_written_with_its_transport_is_sparks() -> None:
    ordered = {"select": "SELECT * FROM input order  by t"}
    assert problems(**ordered) == []
    connector = {"version": 1, "connectors": {"lake": {"type": "spark", "format": "text"}}}
    source = {k: v for k, v in TABLE.items() if k != "type"} | {"from": "lake", "message": "value", **ordered}
    document = {**connector, "patterns": {"p": PATTERN}}
    config = load_dict({**document, "sources": {"s": {**source, "format": "csv"}}}, REGISTRY).config
    assert config is not None
    (read,) = config.sources
    assert read.codec is not None
    assert (read.connector.options.format, read.codec.spec.name) == ("text", "csv")


@pytest.mark.parametrize(
    ("source", "code", "severity"),
    [
        ({}, "no-order", "warning"),
        ({"stream": True}, "no-checkpoint", "warning"),
        ({"checkpoint": "c"}, "bad-value", "error"),
        ({"format": {"type": "json"}}, "wrong-type", "error"),
        ({"option": {}}, "unknown-key", "error"),
    ],
)
def test_what_is_odd_with_a_table_is_told(source: dict[str, Any], code: str, severity: str) -> None:
    assert (code, severity) in [(p.code, p.severity) for p in problems(**source)]
