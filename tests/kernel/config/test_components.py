"""References to components, and their options."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Change, IsTold

    from limecep.config.model import PipelineConfig, SourceConfig


@pytest.mark.parametrize(
    ("change", "line", "said", "hint"),
    [
        (("engine: maximal", "engine: off"), 16, "no engine named 'off'", "known: maximal"),
        (("as: GasLeak", 'format: "", as: GasLeak'), 7, "no codec named ''", "known: csv, json"),
        (
            "from: log, channel: a.log, as: GasLeak, time: ts",
            7,
            "'a.log' does not tell its format",
            "csv, json",
        ),
        ("from: log, channel: a, format: cvs, as: GasLeak, time: ts", 7, "no codec named 'cvs'", "'csv'?"),
        (
            "from: log, channel: a.csv, format: {delimitr: x}, as: GasLeak, time: ts",
            7,
            "no key 'delimitr'",
            "",
        ),
        (("engine: maximal", 'engine: ""'), 16, "no engine named ''", "known: maximal"),
        (("engine: maximal", 'engine: {type: ""}'), 16, "no engine named ''", "known: maximal"),
        (("engine: maximal", 'engine: "${ENGINE:-}"'), 16, "no engine named ''", "known: maximal"),
        (("engine: maximal", 'lateness: ""'), 16, "no lateness policy named ''", "known: accept, score"),
        (
            ("engine: maximal", "lateness: 10m"),
            16,
            "named '10m'",
            "write lateness: {type: accept, within: 10m}",
        ),
        (("engine: maximal", "slack: off"), 16, "no slack policy named 'off'", "write slack: none"),
        (("engine: maximal", "engine: maximl"), 16, "no engine named 'maximl'", "mean 'maximal'?"),
        (
            ("engine: maximal", "engine: [a]"),
            16,
            "engine must be a name, or a block with 'type'",
            "known: maximal",
        ),
        (
            ("engine: maximal", "engine: {type: maximal, depth: 3}"),
            16,
            "engine 'maximal' has no key 'depth'",
            "",
        ),
        (("engine: maximal", "lateness: {type: score, factor: x}"), 16, "'factor' must be a number", ""),
        (
            ("engine: maximal", "lateness: {type: score, weights: [1, 1, 1]}"),
            16,
            "'weights' must add up to 1",
            "",
        ),
        (
            ("engine: maximal", "results: {emit: late}"),
            16,
            "'emit' must be one of eager, complete, final,",
            "",
        ),
        (
            ("engine: maximal", "lateness: {factor: 3}"),
            16,
            "lateness 'accept' has no key 'factor'",
            "it is an option of score: write type: score",
        ),
        (("engine: maximal", "recompute: exacd"), 16, "no recompute policy named 'exacd'", "mean 'exact'?"),
    ],
)
def test_a_mistake_is_named_where_it_stands(
    is_told: IsTold, change: Change, line: int, said: str, hint: str
) -> None:
    is_told(change, line, said, hint)


def source(config: PipelineConfig, name: str) -> SourceConfig:
    return next(s for s in config.sources if s.name == name)


def test_codecs_are_named_by_the_source_or_told_by_the_transport(config: PipelineConfig) -> None:
    codecs = {s.name: (s.codec.spec.name if s.codec else None) for s in config.sources}
    assert codecs == {
        "gas": "json", "temp": "json", "smoke": "json", "readings": "csv", "lines": "json", "meter": "csv"
    }  # fmt: skip
    codec = source(config, "readings").codec
    assert codec is not None
    assert codec.options.delimiter == ";"
