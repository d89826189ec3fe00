"""The `connectors` block, and what of a source's or sink's block belongs to its connector."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Change, Check, IsTold, IsWarned

    from limecep.config.model import PipelineConfig, SourceConfig


#: A broker that has its own idea of channels.
PIPELINE = """\
version: 1
connectors: {{b: {{type: broker, url: "mq://h"}}}}
sources: {{s: {{from: b, channel: "{source}", as: A, time: t, id: id}}}}
patterns: {{p: {{query: PATTERN SEQ(A a) WITHIN 1 s}}}}
sinks: {{o: {{to: b, channel: "{sink}"}}}}
"""


@pytest.mark.parametrize(
    ("change", "line", "said", "hint"),
    [
        (("  log: {", "  lo/g: {"), 5, "'lo/g' is no name here", "letters, digits, '_', '-'"),
        (("  gas:  {", "  '':  {"), 7, "'' is no name here", ""),
        (
            ("type: file}", "type: file}\n  more: {type: stdout, x: 1}"),
            6,
            "connector 'more' has no key 'x'",
            "",
        ),
        (
            ("{type: file}", "a b"),
            5,
            "'log' must be a block of keys",
            "write it under 'type', which belongs into a block",
        ),
        (("{type: file}", "my_file-1"), 5, "'log' must be a block of keys", "write log: {type: my_file-1}"),
        (("{type: file}", "{typ: file}"), 5, "connector 'log' needs 'type' [missing-key]", "broker, file"),
        (("{type: file}", "{typ: file}"), 5, "connector 'log' has no key 'typ'", "mean 'type'?"),
        (("{type: file}", "{type: fiel}"), 5, "no source named 'fiel' [unknown-component]", "mean 'file'?"),
        (("{type: file}", "{type: [a]}"), 5, "source must be a name, or a block with 'type'", ""),
        (("{type: file}", "file"), 5, "'log' must be a block of keys", "write log: {type: file}"),
        (("{type: file}", '{type: ""}'), 5, "no source named ''", "known: absent, broker, file"),
        (("{type: file}", "{type: file, rot: x}"), 5, "connector 'log' has no key 'rot'", "mean 'root'?"),
        (
            ("{type: file}", "{type: broker}"),
            5,
            "connector 'log' needs 'url'",
            "Example: url: mq://localhost",
        ),
        (("{type: file}", "{type: broker, url: u, port: x}"), 5, "'port' must be a whole number", ""),
        (("{type: file}", "{type: stdout}"), 5, "'stdout' takes updates out, but brings nothing in", ""),
        (
            ("{type: file}", "{type: absent}"),
            5,
            "'absent' needs the module 'no_such_module'",
            "pip install 'limecep[absent]'",
        ),
        (
            ("gas:  {from: log", "gas:  {from: lag"),
            7,
            "no connector named 'lag' [unknown-connector]",
            "mean 'log'?",
        ),
        (("gas:  {from: log", "gas:  {frm: log"), 7, "source 'gas' needs 'from' [missing-key]", "known: log"),
        (("gas:  {from: log", "gas:  {form: log"), 7, "source 'gas' has no key 'form'", "mean 'from'?"),
        (("gas:  {from: log", "gas:  {from: ''"), 7, "no connector named ''", "known: log"),
        (("gas:  {from: log", "gas:  {from: [log]"), 7, "'from' must be text, not a list", ""),
        (
            ("gas:  {from: log", "gas:  {from: log, type: file"),
            7,
            "has both 'from' and 'type' [conflict]",
            "",
        ),
        ("type: fiel, channel: a.csv, as: GasLeak, time: ts", 7, "no source named 'fiel'", "mean 'file'?"),
        (("{type: stdout}", "{to: lag}"), 18, "no connector named 'lag'", "mean 'log'?"),
        (("{type: stdout}", "{}"), 18, "sink 'out' needs 'to'", "known: log"),
        (("{type: stdout}", "{type: stdotu}"), 18, "no sink named 'stdotu'", "mean 'stdout'?"),
        (("{type: stdout}", "{type: absent}"), 18, "'absent' brings events in, but takes nothing out", ""),
        (("{type: stdout}", "{type: stdout, path: x}"), 18, "sink 'out' has no key 'path'", ""),
        (("{type: stdout}", "stdout"), 18, "'out' must be a block of keys", "write out: {type: stdout}"),
    ],
)
def test_a_mistake_is_named_where_it_stands(
    is_told: IsTold, change: Change, line: int, said: str, hint: str
) -> None:
    is_told(change, line, said, hint)


@pytest.mark.parametrize(
    ("change", "line", "code"),
    [
        (("type: file}", "type: file}\n  more: {type: broker, url: x}"), 6, "unused-connector"),
        (("{type: file}", "{type: file, path: x}"), 5, "unused-option"),
    ],
)
def test_what_may_surprise_is_a_warning(is_warned: IsWarned, change: Change, line: int, code: str) -> None:
    is_warned(change, line, code)


def source(config: PipelineConfig, name: str) -> SourceConfig:
    return next(s for s in config.sources if s.name == name)


def test_the_transport_has_its_keys_of_the_connector_and_of_the_source(config: PipelineConfig) -> None:
    assert source(config, "gas").connector.options.url == "mq://localhost:1883"
    assert source(config, "readings").settings.speed == 10.0
    assert source(config, "lines").settings.speed == "max"


@pytest.mark.parametrize(
    ("source", "sink", "found"),
    [
        ("a/b", "c/d", []),
        ("a b", "c/d", [("error", "bad-channel", 3)]),
        ("a//b", "c/d", [("warning", "odd-channel", 3)]),
        ("a/b", "c d", [("error", "bad-channel", 5)]),
        ("a//b", "c//d", [("warning", "odd-channel", 3)]),
    ],
)
def test_a_transport_is_asked_about_the_channels_of_sources_and_sinks(
    source: str, sink: str, found: list[tuple[str, str, int]], check: Check
) -> None:
    loaded = check(PIPELINE.format(source=source, sink=sink))
    said = [(p.severity, p.code, p.place.line if p.place else 0) for p in loaded.problems]
    assert said == found
    also = [place.line for p in loaded.problems for place in p.also if place is not None]
    assert also == ([5] if source == "a//b" and sink == "c//d" else [])
    assert (loaded.config is None) == any(severity == "error" for severity, _, _ in found)
