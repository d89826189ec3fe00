"""Without an envelope a record is its JSON."""

from __future__ import annotations

from limecep.contracts.codec import Plain


def test_a_record_is_its_json() -> None:
    record = {"a": "é", "b": float("nan"), "c": [1, None]}
    assert Plain().encode(record) == '{"a":"é","b":null,"c":[1,null]}'.encode()
    assert Plain.content_type == "application/json"
