"""What a sink is not to have, it does not have."""

from __future__ import annotations

from typing import Any

import pytest

from limecep_transforms.config import MaskOptions
from limecep_transforms.mask import Mask

NOTHING: Any = None
PAYLOAD = {"user": "ann", "v": 1, "by": [{"user": {"name": "ann"}}]}


@pytest.mark.parametrize(
    "record",
    [
        {"op": "emit", "key": {"user": "ann", "v": 1}},
        {"op": "correct", "values": {"user": "ann", "n": 1}, "values_before": {"user": "ann", "n": 0}},
        {"op": "emit", "key": None, "events": {"a": [{"id": "1", "payload": PAYLOAD}], "b": ["x"]}},
        {"reason": "extremely_late", "event": {"id": "1", "payload": PAYLOAD}},
        {"reason": "invalid", "raw": '{"user": "ann"', "error": "no JSON: ann"},
    ],
)
def test_no_value_of_a_masked_attribute_is_left_anywhere(record: dict[str, Any]) -> None:
    made = Mask(MaskOptions(fields=("user",), value="?"), NOTHING).apply(record)
    assert "ann" not in repr(made)
    assert "?" in repr(made) or "ann" not in repr(record)
    assert made.keys() == record.keys()


def test_what_is_not_masked_stays() -> None:
    event = {"id": "1", "payload": PAYLOAD}
    made = Mask(MaskOptions(fields=("v",)), NOTHING).apply({"events": {"a": [event, "id"]}, "error": "e"})
    assert made == {"events": {"a": [{"id": "1", "payload": {**PAYLOAD, "v": "***"}}, "id"]}, "error": "e"}
