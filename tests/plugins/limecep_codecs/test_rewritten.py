"""Codecs that make other records of objects of JSON are codecs like any other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from limecep.testing.codec import CodecConformance
from limecep_codecs.changelog import ChangelogCodec
from limecep_codecs.config import ChangelogOptions, DebeziumOptions
from limecep_codecs.debezium import DebeziumCodec

if TYPE_CHECKING:
    from limecep.contracts.context import Context

ABOUT = {"op": "emit", "match": "m", "revision": 1, "pattern": "p", "start": "s", "end": "e"}


def written(record: Any) -> bytes:
    return json.dumps(record).encode()


class TestChangelog(CodecConformance):
    samples = (
        (
            written({**ABOUT, "key": {"k": 1}, "values": {"mean": 1.5}}),
            [{**{f"_{name}": value for name, value in ABOUT.items()}, "k": 1, "mean": 1.5}],
        ),
    )
    broken = (b"{", b"7", b'{"op": "emit"}', written({**ABOUT, "op": "x"}))

    def make_codec(self, context: Context) -> ChangelogCodec:
        return ChangelogCodec(ChangelogOptions(), context)


class TestDebezium(CodecConformance):
    samples = (
        (written({"op": "c", "after": {"id": 1, "v": 1.5}}), [{"id": 1, "v": 1.5, "_op": "c"}]),
        (
            written({"op": "d", "before": {"id": 1}, "source": {"table": "t"}}),
            [{"id": 1, "_op": "d", "_table": "t", "_source": {"table": "t"}}],
        ),
    )
    broken = (b"{", b"7", b'{"op": "t"}', b'{"id": 1}')

    def make_codec(self, context: Context) -> DebeziumCodec:
        return DebeziumCodec(DebeziumOptions(), context)
