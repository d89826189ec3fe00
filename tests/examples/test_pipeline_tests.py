"""Every example with a pipeline has tests of it, which hold."""

from __future__ import annotations

from pathlib import Path

import pytest
import structlog

from limecep.host import Host
from limecep_test.cases import prepare

ROOT = Path(__file__).parents[2]
TESTS = sorted(ROOT.glob("examples/**/*.test.yaml"))
PIPELINES = sorted({*ROOT.glob("examples/**/*.yaml")} - {*TESTS})
#: Its plugin is not installed here: tests/packaging/test_custom_engine.py runs them.
ELSEWHERE = "peaks.test.yaml"


def test_every_pipeline_has_tests_beside_it() -> None:
    assert PIPELINES
    assert {p.with_suffix(".test.yaml") for p in PIPELINES} == {*TESTS}


@pytest.mark.parametrize("file", [f for f in TESTS if f.name != ELSEWHERE], ids=lambda f: f.name)
def test_they_hold(file: Path) -> None:
    prepared = prepare(file, Host.load().registry, structlog.get_logger())
    assert prepared.problems == []
    assert prepared.tests
    for ready in prepared.tests:
        assert list(ready.run().lines()) == [], ready.case.name
