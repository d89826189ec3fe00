"""Records for a consumer that wants few fields."""

from __future__ import annotations

from typing import Any

from limecep_transforms.config import KeepOptions
from limecep_transforms.keep import Keep

NOTHING: Any = None


def test_what_is_not_named_is_left_out_but_for_what_tells_records_apart() -> None:
    keep = Keep(KeepOptions(fields=("values", "key")), NOTHING)
    told = {"op": "emit", "match": "m", "revision": 1, "content": "c", "pattern": "p"}
    record = {**told, "key": None, "start": "t", "values": {"v": 1}, "latency": 0.0}
    assert keep.apply(record) == {**told, "key": None, "values": {"v": 1}}
    assert keep.apply({"reason": "invalid", "raw": "x"}) == {}
