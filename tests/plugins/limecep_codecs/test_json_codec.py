"""Lines of JSON: records, lists, paths, and what is wrong with the rest."""

from __future__ import annotations

import json
import logging
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep.clock import ManualClock
from limecep.contracts.codec import Spelled, Undecodable
from limecep.contracts.context import Context
from limecep.contracts.source import Message
from limecep_codecs.config import JsonOptions
from limecep_codecs.json_codec import JsonCodec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.codec import Codec, Decoded

CONTEXT = Context(label="test", clock=ManualClock(), counters=Counter(), logger=logging.getLogger())


def json_codec(path: str = "") -> JsonCodec:
    return JsonCodec(JsonOptions(path=path), CONTEXT)


def messages(lines: Sequence[str | bytes], channel: str = "f") -> list[Message]:
    return [
        Message(line if isinstance(line, bytes) else line.encode(), channel, str(n))
        for n, line in enumerate(lines, 1)
    ]


def outcomes(decoded: Sequence[Decoded]) -> list[tuple[str, object]]:
    return [
        (message.position, record.error if isinstance(record, Undecodable) else record)
        for message, record in decoded
    ]


def read(codec: Codec, *lines: str | bytes) -> list[tuple[str, object]]:
    return outcomes(codec.decode(messages(lines))) + outcomes(codec.finish())


@pytest.mark.parametrize(
    ("path", "line", "found"),
    [
        ("data", '{"data": {"a": 1}, "b": 2}', [{"a": 1}]),
        (
            "data",
            '{"data": [{"a": 1}, 7, {"a": 2}]}',
            [{"a": 1}, "item 2 of the list is not a JSON object", {"a": 2}],
        ),
        ("data", '{"data": []}', []),
        ("data.items", '{"data": {"items": [{"a": 1.50}]}}', [{"a": 1.5}]),
        (
            "data.items",
            '\ufeff[{"data": {"items": {"a": 1}}}, {"data": [{"items": [{"a": 2}]}]}]',
            [{"a": 1}, {"a": 2}],
        ),
        ("data.items", '{"data": {"item": 1}}', ["there is no 'data.items'"]),
        ("data.items", '{"items": 1}', ["there is no 'data'"]),
        ("data.items", "7", ["there is no 'data'"]),
        ("data.items", '[{"data": {"items": {}}}, null]', [{}, "there is no 'data' in item 2 of the list"]),
        ("data", '{"data": null}', ["what stands at 'data' is not a JSON object, nor a list of them"]),
        ("data", '{"data": [[{"a": 1}]]}', ["item 1 of the list is not a JSON object"]),
        ("data", "", []),
    ],
)
def test_records_may_stand_inside_of_a_message(path: str, line: str, found: list[object]) -> None:
    codec = json_codec(path)
    (message,) = messages([line])
    assert [what for _, what in outcomes(codec.decode([message]))] == found
    if found and line.strip():
        # Each keeps its place where numbers are spelled.
        assert len(codec.spelled(message)) == len(found)


def test_numbers_inside_of_a_message_are_spelled() -> None:
    (message,) = messages(['{"data": [7, {"a": 1.50}]}'])
    none, record = json_codec("data").spelled(message)
    assert none == {}
    assert type(record["a"]) is Spelled
    assert record["a"] == "1.50"


@pytest.mark.parametrize("path", [".", "a.", ".a", "a..b"])
def test_a_path_is_names_with_dots_between_them(path: str) -> None:
    with pytest.raises(ValueError, match="'path' must be names with dots between them"):
        JsonOptions(path=path)


@pytest.mark.parametrize(
    ("line", "record"),
    [
        ('{"a": 1}', {"a": 1}),
        ('\ufeff{"a": 1}\r', {"a": 1}),
        ('{"a"}', "not JSON at column 5: expected ':'"),
        ('{"é": ?}', "not JSON at column 7: invalid character"),
        ('\ufeff{"é": ?}', "not JSON at column 7: invalid character"),
        ('{"a": 1', "not JSON: it ends too early, at column 8"),
        (
            r'{"a": "\ud800"}',
            r"not JSON at column 8: \ud800 is half a character (a lone surrogate)",
        ),
        (
            '\ufeff{"é": "\\\\ud800 \\ud83d\\ude00 \\uD800\\n", "b": 1}',
            r"not JSON at column 29: \uD800 is half a character (a lone surrogate)",
        ),
        (
            r'{"a": "\udc00 "}',
            r"not JSON at column 8: \udc00 is half a character (a lone surrogate)",
        ),
        (r'{"a": "\ud800', "not JSON: it ends too early, at column 14"),
        ('\ufeff{"a": 1', "not JSON: it ends too early, at column 8"),
        ('{"a": NaN}', {"a": None}),
        ('{"a": 1e999}', {"a": None}),
        (
            '{"a": [-Infinity, "NaN -1e999 \\\\", -1E+400, 1e-400, 1e3]}',
            {"a": [None, "NaN -1e999 \\", None, 0.0, 1000.0]},
        ),
        ('{"é": NaN, b}', "not JSON at column 7: NaN is no number there: write null"),
        ('{"a": -Infinity, b}', "not JSON at column 8: Infinity is no number there: write null"),
        ('{"a": nan}', "not JSON at column 11: invalid character"),
        ("12", "not a JSON object, nor a list of them"),
        (
            b'{"a": "\xff"}',
            "not UTF-8: byte 8 is 0xff; if it is text of another encoding, give its format that, as in "
            "'encoding: cp1252'",
        ),
        (b"[" * 100_000, "the JSON is nested too deeply"),
    ],
)
def test_a_line_of_json_is_an_object_or_says_why_not(line: str | bytes, record: object) -> None:
    assert read(json_codec(), line) == [("1", record)]


def test_values_that_are_no_finite_numbers_are_counted_and_told(caplog: pytest.LogCaptureFixture) -> None:
    codec = json_codec()
    assert codec.counted() == {}
    found = read(codec, '{"a": NaN, "b": [Infinity]}', '{"a": 1}', '{"a": 1e400}')
    assert found == [("1", {"a": None, "b": [None]}), ("2", {"a": 1}), ("3", {"a": None})]
    assert codec.counted() == {"not_finite": 3}
    assert [record.getMessage()[:23] for record in caplog.records] == ["NaN, Infinity and numbe"]


def test_values_that_are_no_finite_numbers_are_missing_among_spellings() -> None:
    codec = json_codec()
    line = messages(['{"b": NaN, "c": 1.50}'])
    codec.decode(line)
    assert codec.spelled(line[0]) == [{"b": None, "c": Spelled("1.50")}]


def test_blank_lines_give_nothing() -> None:
    assert read(json_codec(), "", "  \r", "\ufeff") == []


def test_a_list_gives_a_record_for_each_object() -> None:
    found = read(json_codec(), '[{"a": 1}, 2, {"a": 3}]', "[]")
    assert found == [("1", {"a": 1}), ("1", "item 2 of the list is not a JSON object"), ("1", {"a": 3})]


def test_numbers_are_spelled_on_request() -> None:
    (record,) = json_codec().spelled(messages(['\ufeff{"a": 1.50, "b": 2}'])[0])
    assert record == {"a": "1.50", "b": 2}
    assert type(record["a"]) is Spelled


MUTATIONS = st.lists(
    st.tuples(st.integers(0, 40), st.sampled_from([*list('{}[]",:\\0a\x00\ufeff\r '), ""])), max_size=4
)


def mutated(line: str, mutations: list[tuple[int, str]]) -> str:
    for at, text in mutations:
        line = line[:at] + text + line[at + 1 :]
    return line


@given(st.lists(MUTATIONS, max_size=6))
def test_every_line_of_damaged_json_has_one_outcome(all_mutations: list[list[tuple[int, str]]]) -> None:
    original = json.dumps({"id": "g17", "t": 1.5, "v": [1, {"w": "x"}]})
    lines = [mutated(original, mutations) for mutations in all_mutations]
    found = read(json_codec(), *lines)
    expected = [str(n) for n, line in enumerate(lines, 1) if line.removeprefix("\ufeff").strip()]
    assert list(dict.fromkeys(position for position, _ in found)) == expected
    assert len(found) == len(expected) or any(line.lstrip("\ufeff ").startswith("[") for line in lines)
