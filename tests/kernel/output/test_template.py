"""Channels with gaps, filled by records."""

from __future__ import annotations

import pytest

from limecep.output.template import FIELDS, Template, sample, template_problem

RECORD = {"pattern": "fire", "op": "emit", "match": "m1", "key": {"room": "k/1", "n": 7, "ok": True},
          "values": {"mean": 2.5, "up": None}}  # fmt: skip


def channel(text: str, record: dict[str, object] = RECORD) -> str:
    return Template(text, lambda value: value.replace("/", "_"), ".").channel(record)


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("plain/topic", "plain/topic"),
        ("{pattern}", "fire"),
        ("a/{pattern}/{op}/z", "a/fire/emit/z"),
        ("{key}", "k_1.7.true"),
        ("x/{key.room}/{key.n}/{key.ok}", "x/k_1/7/true"),
        ("{key.other}/{reason}", "-/-"),
        ("{values.mean}/{values.other}/{values.up}", "2.5/-/-"),
    ],
)
def test_a_record_fills_the_gaps(text: str, made: str) -> None:
    assert channel(text) == made


@pytest.mark.parametrize("record", [{}, {"key": None}, {"key": {}}])
def test_where_a_record_has_no_key_stands_a_dash(record: dict[str, object]) -> None:
    assert channel("{key}/{key.room}", record) == "-/-"


def test_values_that_escape_to_nothing_are_a_dash_and_booleans_are_words() -> None:
    made = Template("{key.a}/{key.b}/{key.c}", lambda value: value.strip("+"), "/")
    assert made.channel({"key": {"a": "++", "b": False, "c": None}}) == "-/false/-"


def test_a_template_is_sound_where_its_gaps_are_known_and_its_channel_is() -> None:
    for name in FIELDS:
        assert template_problem(f"a/{{{name}}}", lambda channel: "") == ""
    assert template_problem("a/{key.room}", lambda channel: "" if channel == "a/x" else channel) == ""
    assert template_problem("a b", lambda channel: f"no blanks: {channel}") == "no blanks: a b"


@pytest.mark.parametrize("gap", ["{}", "{room}", "{key.}", "{values}", "{values.}", "{keys}", "{Pattern}"])
def test_a_gap_that_nothing_fills_is_told(gap: str) -> None:
    assert template_problem(f"a/{gap}", lambda channel: "") == (
        f"'{gap}' cannot be filled in: there are {{pattern}}, {{op}}, {{match}}, {{key}}, {{reason}}, "
        "{source}, {key.NAME} and {values.NAME}"
    )


@pytest.mark.parametrize("text", ["a{", "a}", "{pattern", "pattern}", "{pattern}}"])
def test_braces_come_in_pairs(text: str) -> None:
    assert template_problem(text, lambda channel: "") == "a '{' without its '}', or the other way round"


def test_a_sample_has_something_in_each_gap() -> None:
    assert sample("a/{pattern}/{key.room}") == "a/x/x"
