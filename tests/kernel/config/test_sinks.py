"""The `sinks` block."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Change, Check, Edited, IsTold, IsWarned

    from limecep.config.model import PipelineConfig


@pytest.mark.parametrize(
    ("change", "line", "said", "hint"),
    [
        (
            ("{type: stdout}", "{type: stdout, envelope: json}"),
            18,
            "the codec 'json' makes no envelopes",
            "leave it out",
        ),
        (("{type: stdout}", "{type: stdout, of: lat}"), 18, "'of' must be one of updates, late", "'late'?"),
        (
            ("{type: stdout}", "{type: stdout, events: all}"),
            18,
            "'events' must be one of full, ids, none",
            "",
        ),
        (
            ("{type: stdout}", "{type: stdout, patterns: [fier]}"),
            18,
            "no pattern named 'fier'",
            "mean 'fire'?",
        ),
        (
            ("{type: stdout}", "{type: stdout, outbox: {byte: 1}}"),
            18,
            "'outbox' of sink 'out' has no key 'byte'",
            "'bytes'?",
        ),
        (("{type: stdout}", "{type: stdout, outbox: {bytes: 0}}"), 18, "'bytes' must be at least 1", ""),
        (
            ("{type: stdout}", "{type: stdout, outbox: {when_full: drop}}"),
            18,
            "'when_full' must be one of wait, drop_oldest",
            "",
        ),
        (("{type: stdout}", "{type: file}"), 18, "sink 'out' needs 'path'", ""),
        (("{type: stdout}", "{to: log}"), 18, "sink 'out' needs 'channel'", ""),
        (("{type: stdout}", "{type: file, path: a, channel: b}"), 18, "both 'path' and 'channel'", ""),
        (("{type: stdout}", "{type: stdout, patterns: []}"), 18, "'patterns' is an empty list", ""),
        (
            ("{type: stdout}", "{type: stdout, of: late, patterns: [fire]}"),
            18,
            "says nothing about late events",
            "",
        ),
    ],
)
def test_a_mistake_is_named_where_it_stands(
    is_told: IsTold, change: Change, line: int, said: str, hint: str
) -> None:
    is_told(change, line, said, hint)


def test_a_connector_may_name_the_file_of_its_only_sink(check: Check, good: str) -> None:
    text = good.replace("{type: file}", "{type: file, path: out}").replace("{type: stdout}", "{to: log}")
    config = check(text).config
    assert config is not None
    assert config.sinks[0].channel == "out"


def test_sinks_have_their_keys(config: PipelineConfig) -> None:
    alerts, late = config.sinks
    assert (alerts.connector.spec.kind, alerts.connector.spec.name) == ("sink", "broker")
    assert (alerts.channel, alerts.of, alerts.events) == ("limecep/{pattern}", "updates", "ids")
    assert alerts.patterns == ("gas_fire",)
    assert (late.channel, late.connector.options.path, late.of) == ("late.jsonl", "late.jsonl", "late")


def test_updates_go_to_standard_output_if_no_sink_takes_them(check: Check, full: str) -> None:
    begin = full.index("  alerts:")
    text = full[:begin] + full[full.index("  late:") :]
    config = check(text).config
    assert config is not None
    assert [(s.connector.spec.name, s.of) for s in config.sinks] == [("file", "late"), ("stdout", "updates")]


def test_standard_output_gets_a_name_that_no_sink_has(check: Check, full: str) -> None:
    begin = full.index("  alerts:")
    text = full[:begin] + "  stdout: {type: file, path: late.jsonl, of: late}\n"
    config = check(text).config
    assert config is not None
    assert [s.name for s in config.sinks] == ["stdout", "stdout_"]


def test_so_much_may_wait_for_a_sink(edited: Edited) -> None:
    loaded = edited(("{type: stdout}", "{type: stdout, outbox: {bytes: 1MB, when_full: drop_oldest}}"))
    assert loaded.config is not None
    assert loaded.config.sinks[0].bound == (1_000_000, True)


def test_an_outbox_without_a_state_is_a_warning(is_warned: IsWarned) -> None:
    is_warned(("{type: stdout}", "{type: stdout, outbox: {bytes: 1MB}}"), 18, "idle-outbox")
