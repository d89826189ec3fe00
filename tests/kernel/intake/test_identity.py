"""Ids of several fields, keys in one spelling, and what of an event its digest is of."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from limecep.config.model import ComponentConfig, SourceConfig, TimeConfig
from limecep.contracts.source import Message
from limecep.encoding import DEPTH
from limecep.intake.identity import digest, joined, key_reader, telling_reader
from limecep.spec import ComponentSpec

MESSAGE = Message(b"", "home/k1", "home/k1:1", None)


def config(**settings: Any) -> SourceConfig:
    spec = ComponentSpec(kind="source", name="test", factory="", summary="")
    given: dict[str, Any] = {"event_type": "A", "time": TimeConfig(field="t"), "id": (), **settings}
    return SourceConfig(name="src", connector=ComponentConfig(spec=spec, options=None), channel="", **given)


def test_parts_of_an_id_are_told_apart_by_slashes_that_they_do_not_have() -> None:
    assert joined(["k1", "17"]) == "k1/17"
    assert joined(["a/b", "c"]) == "a\\/b/c"
    assert joined(["a\\", "c"]) == "a\\\\/c"


def test_a_digest_is_of_time_key_and_payload() -> None:
    one = digest(1, "k", {"v": 1})
    assert len(one) == 20
    assert int(one, 16)
    assert one == digest(1, "k", {"v": 1})
    assert len({one, digest(2, "k", {"v": 1}), digest(1, "l", {"v": 1}), digest(1, "k", {"v": 2}),
                digest((1, 0), "k", {"v": 1}), digest((1, 1), "k", {"v": 1})}) == 6  # fmt: skip


def test_a_digest_stays_what_it_is_from_one_version_to_the_next() -> None:
    """State and change logs of before name events by it."""
    assert digest(1, None, {}) == "9ed5dd9cb059b6b9bed4"
    assert digest((1, 2), "k", {"v": [1, None, "x"]}) == "998bd6e23c04922a2880"


def test_a_source_without_a_key_has_no_reader_of_it() -> None:
    assert key_reader(config(), None) is None


@pytest.mark.parametrize(
    ("value", "key"),
    [(1, 1), (1.0, 1), (1.5, 1.5), ("1", "1"), ("x", "x"), (True, True), (None, None), ([1], [1]),
     (Decimal("2.0"), 2)],
)  # fmt: skip
def test_a_key_has_one_spelling(value: Any, key: Any) -> None:
    read = key_reader(config(key="k"), None)
    assert read is not None
    found = read({"k": value}, MESSAGE)
    assert (found, type(found)) == (key, type(key))


@pytest.mark.parametrize(
    ("text", "key"), [("1", "1"), ("1.0", "1"), ("1e2", "100"), ("1.50", "1.5"), ("x", "x"), ("007", "007")]
)
def test_the_key_of_text_that_reads_as_a_number_stays_text_in_the_spelling_of_numbers(
    text: str, key: str
) -> None:
    def reads(value: str) -> Any:
        return value if value in ("x", "007") else int(value) if value.isdigit() else float(value)

    read = key_reader(config(key="k"), reads)
    assert read is not None
    assert read({"k": text}, MESSAGE) == key


def test_a_key_may_be_a_level_of_the_channel() -> None:
    read = key_reader(config(key="$topic[1]"), None)
    assert read is not None
    assert read({}, MESSAGE) == "k1"


PAYLOAD = {"t": 1, "r": 2, "n": 3, "y": "A", "v": 4, "h": {"r": 5, "w": 6}}


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({}, {"r", "n", "y", "v", "h"}),
        ({"order": "n"}, {"r", "y", "v", "h"}),
        ({"event_type": None, "type_field": "y"}, {"r", "n", "v", "h"}),
        ({"arrival": TimeConfig(field="r")}, {"n", "y", "v", "h"}),
        ({"arrival": TimeConfig(field="r"), "payload": {"r": "any", "t": "any"}}, {*"tnyvh"}),
        ({"order": "n", "key": "n"}, {"r", "n", "y", "v", "h"}),
    ],
)
def test_what_serves_tells_nothing_apart_unless_the_payload_names_it(
    settings: dict[str, Any], told: set[str]
) -> None:
    payload = {**PAYLOAD}
    assert telling_reader(config(**settings))(payload).keys() == told
    assert payload == PAYLOAD


def test_what_serves_may_stand_inside_or_be_named_so() -> None:
    telling = telling_reader(config(arrival=TimeConfig(field="h.r"), time=TimeConfig(field="`t.x`")))
    assert telling({"h": {"r": 5, "w": 6}, "t.x": 1}) == {"h": {"w": 6}}
    assert telling({"h.r": 5, "t": {"x": 1}}) == {"t": {"x": 1}}
    inside = {"h": {"r": 5, "w": 6}}
    telling(inside)
    assert inside == {"h": {"r": 5, "w": 6}}


def test_equal_numbers_are_told_in_one_spelling() -> None:
    given = {
        "a": 1.0,
        "b": 1.5,
        "c": "1.0",
        "d": True,
        "e": None,
        "f": [1.0, {"g": 2.0}],
        "h": Decimal("3.0"),
    }
    given["i"] = {"j": [4.0]}
    told = telling_reader(config())(given)
    assert repr(told) == repr(
        {"a": 1, "b": 1.5, "c": "1.0", "d": True, "e": None, "f": [1, {"g": 2}], "h": 3, "i": {"j": [4]}}
    )
    assert type(given["a"]) is float


@pytest.mark.parametrize("kind", [list, dict])
def test_nesting_that_is_too_deep_for_json_is_left_alone(kind: type) -> None:
    deep: Any = 1.0
    for _ in range(DEPTH + 50):
        deep = [deep] if kind is list else {0: deep}
    told = telling_reader(config())({"v": deep})["v"]
    for _ in range(DEPTH + 50):
        told = told[0]
    assert type(told) is float
