from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep.config.document import DEEPEST, from_object, parse, read_text
from limecep.config.findings import Findings
from limecep.config.nodes import Node, plain_value
from limecep.config.text import SourceText

if TYPE_CHECKING:
    from limecep.problems import Problem


def parsed(text: str) -> tuple[Node | None, list[Problem]]:
    findings = Findings()
    return parse(SourceText("f.yaml", text), findings), findings.sorted()


@pytest.mark.parametrize(
    ("text", "said", "place"),
    [
        ("a: {b: 1\nc: 2\n", "not YAML", "f.yaml:2:2"),
        ("a: 1\n\tb: 2\n", "indent with spaces, not with tabs", "f.yaml:2:1"),
        ("a: b: c\n", "put text that contains ': ' in quotes", "f.yaml:1:5"),
        ("a: 'open\n", "a quote is not closed", "f.yaml:1:9"),
        ("a: `x`\n", "put the text in quotes", "f.yaml:1:4"),
        ('a: "\\d"\n', "single quotes have none", "f.yaml:1:6"),
        ("id: [$topic[1], seq]\n", "inside braces needs quotes", "f.yaml:1:12"),
        ("a: *b\n", "text that begins with * needs quotes", "f.yaml:1:4"),
        ("a: 1\n---\nb: 2\n", "a second document begins here", "f.yaml:2:1"),
        ("", "there is nothing here", "f.yaml:1:1"),
        ("# nothing\n", "there is nothing here", "f.yaml:1:10"),
        ("a: \x07\n", "the character U+0007 is not allowed", "f.yaml:1:4"),
        ("a: 1\na: 2\n", "'a' stands here a second time", "f.yaml:2:1"),
        ("? [a]\n: 1\n", "a key must be text; this is a list", "f.yaml:1:3"),
        ("~: 1\n", "a key must be text; this is empty", "f.yaml:1:1"),
        ("a: &b [*b]\n", "an alias to itself", "f.yaml:1:4"),
        ("a: !include x.yaml\n", "the tag !include means nothing here", "f.yaml:1:4"),
        ("a: &d {b: 1}\nc:\n  <<: *d\n", "merge keys (<<) are not part of YAML 1.2", "f.yaml:3:3"),
        ("[" * (DEEPEST + 5), "nested too deeply", f"f.yaml:1:{DEEPEST + 1}"),
    ],
)
def test_what_is_wrong_with_a_text_is_said_with_its_place(text: str, said: str, place: str) -> None:
    _, problems = parsed(text)
    assert len(problems) == 1
    assert said in str(problems[0])
    assert str(problems[0].place) == place


def test_an_alias_bomb_is_refused_without_being_set_off() -> None:
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    levels += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    root, problems = parsed("\n".join(levels))
    assert root is None
    assert "more than 50000 values" in problems[0].message


def test_aliases_stand_for_what_they_name() -> None:
    root, problems = parsed("a: &x {time: 1}\nb: *x\n")
    assert not problems
    assert root is not None
    assert plain_value(root) == {"a": {"time": 1}, "b": {"time": 1}}


def test_explicit_types_are_obeyed() -> None:
    root, problems = parsed("a: !!str 5\nb: !!int '5'\n")
    assert root is not None
    assert (plain_value(root), problems) == ({"a": "5", "b": 5}, [])


def test_the_hint_says_where_what_is_not_closed_begins() -> None:
    _, problems = parsed("params: {limit: 40\nname: x\n")
    assert "flow mapping that begins at line 1, column 9" in problems[0].hint


@pytest.mark.parametrize("data", [b"name: caf\xe9\n", b"a: 1\nb: \xff\n"])
def test_broken_utf_8_has_a_place(data: bytes) -> None:
    findings = Findings()
    assert read_text(data, "f.yaml", findings) is None
    [problem] = findings.sorted()
    assert "not UTF-8" in problem.message
    assert problem.place is not None
    assert problem.place.line == 1 + data[: data.index(b"\xe9" if b"\xe9" in data else b"\xff")].count(b"\n")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_no_part_of_the_text(encoding: str) -> None:
    source = read_text("name: café".encode(encoding), "f.yaml", Findings())
    assert source is not None
    assert source.text == "name: café"


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.text(st.characters(exclude_characters="\x7f", exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("abcé \U0001f600", min_size=1), inner)
    ),
    max_leaves=12,
)


@given(_JSON, st.sampled_from([None, 2, "\t"]))
def test_json_is_yaml(value: object, indent: int | str | None) -> None:
    root, problems = parsed(json.dumps(value, indent=indent))
    assert problems == []
    assert root is not None
    assert plain_value(root) == value


def test_python_objects_have_paths_for_places() -> None:
    findings = Findings()
    from_object({"patterns": {"p": {"query": object(), "ids": [1, {2}]}}}, findings)
    assert [str(p.place) for p in findings.sorted()] == ["patterns.p.ids[1]", "patterns.p.query"]
    assert "an object of type set" in findings.sorted()[0].message


def test_a_dict_that_holds_itself_is_a_problem() -> None:
    findings = Findings()
    value: dict[str, object] = {}
    value["a"] = value
    from_object(value, findings)
    assert [p.message for p in findings.sorted()] == ["nested too deeply"]
