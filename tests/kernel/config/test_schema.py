"""The JSON Schema accepts every right file, and refuses what is wrong with its form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft7Validator

from limecep.config import blocks
from limecep.config.document import parse
from limecep.config.findings import Findings
from limecep.config.nodes import plain_value
from limecep.config.options import keys
from limecep.config.schema import schema
from limecep.config.text import SourceText

if TYPE_CHECKING:
    from conftest import Check

    from limecep.registry import Registry


@pytest.fixture
def validator(registry: Registry) -> Draft7Validator:
    made = schema(registry)
    Draft7Validator.check_schema(made)
    return Draft7Validator(made)


def document(text: str) -> object:
    node = parse(SourceText("x", text), Findings())
    assert node is not None
    return plain_value(node)


GOOD = """\
version: 1
name: kitchen
connectors:
  log: {type: file}
sources:
  gas: {from: log, channel: gas.csv, as: GasLeak, time: {field: ts, format: epoch_s}}
patterns:
  fire:
    query: PATTERN GasLeak a WITHIN 30 seconds
    select: stnm
    engine: maximal
sinks:
  out: {type: stdout}
"""


def gas(text: str) -> tuple[str, str]:
    return "{from: log, channel: gas.csv, as: GasLeak, time: {field: ts, format: epoch_s}}", "{" + text + "}"


RIGHT = [
    ("", ""),
    ("select: stnm", "select: ${SELECT:-stnm}"),
    ("engine: maximal", "engine: {type: maximal}"),
    ("engine: maximal", "engine: ${ENGINE}"),
    ("engine: maximal", "lateness: {type: score, weights: [0.6, 0.2, 0.2]}"),
    ("engine: maximal", "lateness: {type: score, factor: '${FACTOR}'}"),
    ("engine: maximal", "results: {emit: eager, max_per_end: 5}"),
    ("engine: maximal", "slack: none"),
    ("engine: maximal", "recompute: exact"),
    ("engine: maximal", "slack:"),
    ("name: kitchen", "retention: {time: auto, events: 5}"),
    ("name: kitchen", "retention: {time: 1.5 h}"),
    ("{type: file}", "{type: '${KIND}', anything: 1}"),
    ("{type: stdout}", "{to: log, channel: x.jsonl, of: late, events: none, patterns: [fire]}"),
    ("{type: stdout}", "{type: file, path: x.jsonl}"),
    ("name: kitchen", "name: ${NAME}"),
    gas("type: file, root: d, channel: a.csv, as: {field: t, map: {A: GasLeak}}, time: ts, speed: 2"),
    gas("from: log, channel: a.csv, as: GasLeak, time: ts, id: [a, b], payload: [v], speed: max"),
    gas("from: log, channel: a, format: {type: csv, delimiter: ;}, as: GasLeak, every: 5s"),
    gas("from: log, channel: a.csv, format: {delimiter: ;}, as: GasLeak, idle_after: off"),
    gas("from: log, channel: a.csv, as: GasLeak, time: {fields: [d, t], zone: UTC, fold: order}, rank: 2"),
    gas("from: log, channel: a.csv, as: GasLeak, time: {field: t, format: '%b %d', zone: UTC, year: 2026}"),
    gas("from: log, channel: a.csv, as: GasLeak, time: t, payload: {'*': any, v: int}"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new"), RIGHT)
def test_it_accepts_what_is_right(validator: Draft7Validator, old: str, new: str) -> None:
    assert old in GOOD
    assert [e.message for e in validator.iter_errors(document(GOOD.replace(old, new, 1)))] == []


WRONG = [
    ("version: 1", "version: 2"),
    ("version: 1\n", ""),
    ("name: kitchen", "nam: kitchen"),
    ("name: kitchen", "name: 5"),
    ("name: kitchen", "state: {dir: x}"),
    ("name: kitchen", "params: {limit: [[40]]}"),
    ("name: kitchen", "retention: {time: 10}"),
    ("{type: file}", "{typ: file}"),
    ("{type: file}", "{type: fiel}"),
    ("{type: file}", "{type: file, rot: x}"),
    ("{type: file}", "{type: broker}"),
    ("{type: file}", "{type: broker, url: u, port: x}"),
    gas("channel: a.csv, as: GasLeak"),
    gas("from: log, as: GasLeak"),
    gas("from: log, channel: a.csv"),
    gas("from: log, type: file, channel: a.csv, as: GasLeak"),
    gas("from: log, channel: a.csv, as: {fild: t}"),
    gas("from: log, channel: a.csv, as: GasLeak, speed: fast"),
    gas("from: log, channel: a.csv, as: GasLeak, every: 5"),
    gas("from: log, channel: a.csv, as: GasLeak, payload: {v: flot}"),
    gas("from: log, channel: a.csv, as: GasLeak, format: {delimitr: x}"),
    gas("from: log, channel: a.csv, as: GasLeak, time: {format: epoch_s}"),
    ("select: stnm", "selct: stnm"),
    ("select: stnm", "select: stmn"),
    ("select: stnm", "recompute: exacd"),
    ("engine: maximal", "engine: maximl"),
    ("engine: maximal", "engine: {type: maximal, depth: 3}"),
    ("engine: maximal", "lateness: {type: score, factor: x}"),
    ("engine: maximal", "lateness: {type: score, weights: [1, 2]}"),
    ("engine: maximal", "lateness: {factor: 5}"),
    ("engine: maximal", "results: {max_per_end: many}"),
    ("{type: stdout}", "{}"),
    ("{type: stdout}", "{type: stdout, of: lat}"),
    ("{type: stdout}", "{type: stdout, path: x}"),
    ("{type: stdout}", "{type: file}"),
    ("{type: stdout}", "{type: file, path: x, channel: y}"),
    ("{type: stdout}", "{type: stdout, patterns: []}"),
    ("query: PATTERN GasLeak a WITHIN 30 seconds", "query: null"),
    ("query: PATTERN GasLeak a WITHIN 30 seconds", 'query: ""'),
    ("engine: maximal", 'engine: ""'),
    ("engine: maximal", "lateness: {type: accept, within: 0}"),
    gas('from: log, channel: "", as: GasLeak'),
    gas('from: log, channel: a.csv, as: ""'),
    gas("from: log, channel: a.csv, as: GasLeak, id: []"),
]


@pytest.mark.parametrize(("old", "new"), WRONG)
def test_it_refuses_what_is_wrong_with_the_form_and_so_does_the_loader(
    validator: Draft7Validator, check: Check, old: str, new: str
) -> None:
    assert old in GOOD
    text = GOOD.replace(old, new, 1)
    assert not validator.is_valid(document(text))
    assert check(text).config is None


@pytest.mark.parametrize(
    ("definition", "block"), [("pattern", blocks.PatternBlock), ("source", blocks.SourceBlock)]
)
def test_every_key_is_told_with_its_meaning(registry: Registry, definition: str, block: type) -> None:
    made = schema(registry)["definitions"][definition]
    told: dict[str, Any] = (made.get("anyOf") or [made])[0]["properties"]
    assert set(keys(block)) <= set(told)
    assert all(told[key]["description"] for key in told)


def test_defaults_and_examples_are_told(registry: Registry) -> None:
    made = schema(registry)
    score = next(
        v
        for v in made["definitions"]["pattern"]["properties"]["lateness"]["anyOf"]
        if v.get("properties", {}).get("type", {}).get("const") == "score"
    )
    assert score["properties"]["factor"]["default"] == 2.5
    assert score["properties"]["weights"]["default"] == [0.6, 0.2, 0.2]
    broker = next(
        v
        for v in made["definitions"]["connector"]["anyOf"]
        if v["properties"]["type"].get("const") == "broker"
    )
    assert broker["properties"]["url"]["examples"] == ["mq://localhost:1883"]
    assert broker["required"] == ["type", "url"]
