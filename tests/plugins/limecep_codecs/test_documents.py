"""JSON over several lines: every record once, wherever it begins and whatever is broken around it."""

from __future__ import annotations

import json
import logging
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep.clock import ManualClock, Stopwatch
from limecep.contracts.codec import Spelled, Undecodable
from limecep.contracts.context import Context
from limecep.contracts.source import Message
from limecep_codecs import documents
from limecep_codecs.config import JsonOptions
from limecep_codecs.json_codec import JsonCodec

if TYPE_CHECKING:
    from collections.abc import Sequence

CONTEXT = Context(
    label="test", clock=ManualClock(), counters=Counter(), logger=logging.getLogger(), lines=True
)


#: What is said of what is broken goes on like this.
AGAIN = "; reading goes on where a line begins with { or ["


def codec_of(**options: Any) -> JsonCodec:
    return JsonCodec(JsonOptions(**options), CONTEXT)


def messages(text: str, channel: str = "d.json") -> list[Message]:
    return [Message(line.encode(), channel, f"{n}") for n, line in enumerate(text.split("\n"), 1)]


def outcomes(decoded: Sequence[tuple[Message, Any]]) -> list[tuple[str, Any]]:
    return [(m.position, r.error if isinstance(r, Undecodable) else r) for m, r in decoded]


def read(text: str, channel: str = "d.json", **options: Any) -> list[tuple[str, Any]]:
    codec = codec_of(**options)
    return outcomes([*codec.decode(messages(text, channel)), *codec.finish()])


@pytest.mark.parametrize(
    ("text", "path", "found"),
    [
        ('[\n  {"a": 1},\n  {"a": 2}\n]', "", [("2", {"a": 1}), ("3", {"a": 2})]),
        ('[\n{"a": 1}, 7, [{"a": 2}],\n"x"]', "",
         [("2", {"a": 1}), ("2", "item 2 of the list is not a JSON object"),
          ("2", "item 3 of the list is not a JSON object"),
          ("3", "item 4 of the list is not a JSON object")]),
        ('{\n  "a": 1,\n  "b": [\n2]}\n{"a": 2}', "", [("1", {"a": 1, "b": [2]}), ("5", {"a": 2})]),
        ('\ufeff\n{\n"a": 1}\n{"a":\n2}{"a": 3} [{"a": 4}]', "",
         [("2", {"a": 1}), ("4", {"a": 2}), ("5", {"a": 3}), ("5", {"a": 4})]),
        ('{"a": 1}, {"a": 2},\n{"a": 3},', "", [("1", {"a": 1}), ("1", {"a": 2}), ("2", {"a": 3})]),
        ('{\n"x": {"data": 1}, "data": {"items": [{"a": 1}]},\n"y": [\n]}', "data.items", [("2", {"a": 1})]),
        ('{"data": [\n{"items": {"a": 1}}, {"item": 2},\n3]}', "data.items",
         [("2", {"a": 1}), ("2", "there is no 'data.items'"),
          ("3", "there is no 'data.items' in item 3 of the list")]),
        ('{\n"items": 7\n}', "items",
         [("2", "what stands at 'items' is not a JSON object, nor a list of them")]),
        ('{\n"item": []\n}', "items", [("3", "there is no 'items'")]),
        ('[\n]\n{\n}', "", [("3", {})]),
        ("[\n\n", "", []),
    ],
)  # fmt: skip
def test_a_document_gives_each_record_where_it_begins(
    text: str, path: str, found: list[tuple[str, Any]]
) -> None:
    assert read(text, path=path) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # A line that was torn costs itself, whatever it was torn at.
        ('{"a": 1, "b"\n{"a": 2}\n{"a": 3}',
         [("1", f"not JSON at column 1 of 2: expecting ':' delimiter{AGAIN}"), ("2", {"a": 2}),
          ("3", {"a": 3})]),
        ('{"a": 1, "b":\n{"a": 2}\n{"a": 3}',
         [("1", f"not JSON at column 1 of 3: expecting ',' delimiter{AGAIN}"), ("2", {"a": 2}),
          ("3", {"a": 3})]),
        ('{"a":\n{"a": 2}', [("1", f"not JSON: the value that begins here does not end{AGAIN}"),
                             ("2", {"a": 2})]),
        # In a document what follows is lost, up to the next one.
        ('[\n  {"a": 1},\n  {"a": x},\n  {"a": 3}\n]\n[{"a": 4}]',
         [("2", {"a": 1}), ("3", f"not JSON at column 9: expecting value{AGAIN}"), ("6", {"a": 4})]),
        ('{\n"a": [\n  {"b": 1},\n  x\n]\n}\n{"a": 2}',
         [("1", f"not JSON at column 3 of 4: expecting value{AGAIN}"), ("7", {"a": 2})]),
        ('[\n  {"a": NaN},\n  {"a": 2}\n]', [("2", {"a": None}), ("3", {"a": 2})]),
        ('[\n  {"a": "\\ud800"},\n  {"a": 2}\n]',
         [("2", "not JSON at column 8: \\ud800 is half a character (a lone surrogate) of the value that "
                "begins here"),
          ("3", {"a": 2})]),
        ('[\n  {"a": "x\n  y"}]', [("2", f"not JSON at column 11: invalid control character at{AGAIN}")]),
        ('[\n  {"a": 1\n', [("2", f"not JSON: the value that begins here does not end{AGAIN}")]),
        ('[{"a": 1}\n]}\n{"a": 2}', [("1", {"a": 1}), ("2", f"not JSON at column 2: expecting value{AGAIN}"),
                                     ("3", {"a": 2})]),
        ('{\n"a": ' + "[" * 100_000, [("1", f"the JSON that begins here is nested too deeply{AGAIN}")]),
    ],
)  # fmt: skip
def test_what_is_broken_is_told_once_and_reading_goes_on(text: str, found: list[tuple[str, Any]]) -> None:
    assert read(text) == found


def test_lines_that_cannot_be_read_break_a_document() -> None:
    codec = codec_of()
    lines = messages('[\n{"a": 1},\n{"a":\n?\n3}\n{"a": 4}]\n{"a":\n?\n{"a": 5}')
    lines = [Message(b"\xff", m.channel, m.position) if m.value == b"?" else m for m in lines]
    found = outcomes([*codec.decode(lines), *codec.finish()])
    assert found == [
        ("2", {"a": 1}),
        ("3", f"not JSON: the value that begins here is broken off at 4{AGAIN}"),
        ("6", {"a": 4}),
        # It belongs to what was broken before.
        ("6", f"not JSON at column 9: expecting value{AGAIN}"),
        ("7", f"not JSON: the value that begins here is broken off at 8{AGAIN}"),
        ("9", {"a": 5}),
    ]


@pytest.mark.parametrize(
    ("channel", "layout", "kinds"),
    [
        ("d.json", "auto", [dict, dict, str, dict]),
        ("d.jsonl.gz", "auto", [dict, dict, str, dict]),
        ("d.json", "document", [dict, dict, dict]),
    ],
)
def test_the_first_line_or_an_option_shows_how_a_text_is_written(
    channel: str, layout: str, kinds: list[type]
) -> None:
    text = '{"a": 1}\n{"a": 2}\n[\n{"a": 3}'
    found = read(text, channel, layout=layout)
    assert [type(what) for _, what in found] == kinds
    if layout == "document":
        # Also after what is broken.
        text = '{"a": x}\n{"a": 1}\n{\n"a": 2}'
        assert [what for _, what in read(text, channel, layout=layout)][1:] == [{"a": 1}, {"a": 2}]
    else:
        said = "not JSON: it ends too early, at column 2 ('layout: document' reads values over several lines)"
        assert found[2] == ("3", said)


@pytest.mark.parametrize("channel", ["d.jsonl", "D.NDJSON.GZ"])
def test_a_file_that_is_called_lines_is_read_so_although_its_first_line_is_torn(channel: str) -> None:
    text = '{"items": [{"a": 1},\n{"items": [{"a": 2}]}'
    assert [what for _, what in read(text, channel, path="items")][1:] == [{"a": 2}]


def test_a_value_that_does_not_end_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "LONGEST_CHARACTERS", 100)
    codec = codec_of()
    text = '{"list": [\n' + '{"a": 1},\n' * 20
    found = outcomes([*codec.decode(messages(text)), *codec.finish()])
    assert found[0] == (
        "1",
        "the value that begins here is longer than 100 characters: if the records are in a list inside of "
        f"it, 'path' names that{AGAIN}",
    )


def test_numbers_in_a_document_are_spelled() -> None:
    codec = codec_of()
    lines = messages('[{"a": 1.50}, 7,\n{"a":\n2.50}]')
    codec.decode(lines)
    none_after, ((other,)) = codec.spelled(lines[0]), codec.spelled(lines[1])
    assert none_after == [{"a": "1.50"}, {}]
    assert (type(other["a"]), other["a"]) == (Spelled, "2.50")
    assert codec.spelled(lines[2]) == []


def test_a_message_of_a_broker_may_hold_several_values() -> None:
    alone = Context(label="t", clock=ManualClock(), counters=Counter(), logger=logging.getLogger())
    codec = JsonCodec(JsonOptions(), alone)
    texts = ['{"a": 1}\n{"a":\n2}\n', '{"a": 3} x', '{\n"a": 4}', '{"a":']
    sent = [Message(text.encode(), "t", str(n)) for n, text in enumerate(texts)]
    assert outcomes(codec.decode(sent)) == [
        ("0", {"a": 1}),
        ("0", {"a": 2}),
        ("1", "not JSON at column 11: trailing characters"),
        ("2", {"a": 4}),
        ("3", "not JSON: it ends too early, at column 6"),
    ]
    assert not codec.holding


def test_a_document_without_end_is_counted() -> None:
    codec = codec_of()
    codec.decode(messages('[\n{"a": 1}'))
    assert codec.holding
    assert codec.finish() == []
    assert codec.counted() == {"documents_without_end": 1}


@pytest.mark.parametrize(
    ("line", "options", "whole"),
    [(b"]", {}, True), (b"]} ", {}, True), (b'[{"a": 1}]\r', {}, True), (b'{"a": 1}', {"path": "a"}, True),
     # Of records that are a line each, more may follow in any line.
     (b'{"a": 1}', {}, False), (b"]", {"layout": "lines"}, False),
     (b"  }", {}, False), (b'  [{"a": 1}]', {}, False), (b'[{"a": 1}],', {}, False), (b"[1", {}, False),
     (b"7", {}, False), (b"", {}, False)],
)  # fmt: skip
def test_a_last_line_without_end_is_whole_where_it_ends_a_document(
    line: bytes, options: dict[str, Any], whole: bool
) -> None:
    assert JsonOptions(**options).whole(line) is whole


SCALARS = (
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.text('a",[]{}\\é\n:', max_size=4)
)
INNER = SCALARS | st.lists(SCALARS, max_size=3) | st.dictionaries(st.sampled_from("ab"), SCALARS, max_size=2)
VALUES = SCALARS | st.lists(INNER, max_size=3) | st.dictionaries(st.sampled_from("ab"), INNER, max_size=2)
RECORDS = st.dictionaries(st.sampled_from(["x", "y", 'q"', "items"]), VALUES, max_size=3)
TEXTS = st.one_of(
    st.tuples(st.just(""), st.lists(st.lists(RECORDS, max_size=3) | RECORDS, max_size=3)),
    st.tuples(
        st.just("data.items"),
        st.lists(
            st.fixed_dictionaries(
                {"data": st.fixed_dictionaries({"items": st.lists(RECORDS, max_size=3) | RECORDS})},
                optional={"a": VALUES, "z": VALUES},
            ),
            max_size=3,
        ),
    ),
)


@given(TEXTS, st.sampled_from([None, 0, 1, 2]), st.data())
def test_a_text_has_the_records_of_its_values_however_it_comes(
    text: tuple[str, list[Any]], indent: int | None, data: st.DataObject
) -> None:
    """Cut into batches, and read on by another codec after each of them."""
    path, values = text
    wanted = [
        record
        for value in values
        for place in (value if not path else value["data"]["items"],)
        for record in (place if isinstance(place, list) else [place])
    ]
    lines = messages("\n".join(json.dumps(value, indent=indent) for value in values))
    codec = codec_of(path=path, layout="document")
    found = []
    while lines:
        count = data.draw(st.integers(1, len(lines)))
        found += codec.decode(lines[:count])
        lines = lines[count:]
        known = json.loads(json.dumps(codec.remembered()))
        codec = codec_of(path=path, layout="document")
        codec.recall(known)
    assert not codec.holding
    assert [record for _, record in [*found, *codec.finish()]] == wanted


@given(st.lists(st.sampled_from([*'{}[]",:1a ', '"a"', "\n", '{"a": 1}', "\n{"]), max_size=25).map("".join))
def test_whatever_comes_reading_ends_and_is_in_order(text: str) -> None:
    for path in ("", "a"):
        found = read(text, path=path)
        positions = [int(position) for position, _ in found]
        assert positions == sorted(positions)


@pytest.mark.parametrize("line", ['{"a"', '{"a":', "[", '{"a": 1'])
def test_many_torn_lines_are_read_in_time(line: str) -> None:
    watch = Stopwatch()
    found = read(f"{line}\n" * 4000, layout="document")
    assert watch.seconds < 5
    assert found or line == "["
