"""The figures of workers are summed, but for what each of them has whole."""

from __future__ import annotations

from typing import Any

from limecep.statistics import Spread
from limecep_local.figures import latency_of, patterns_of
from tests.plugins.limecep_local.conftest import config_of

KEYED = "PATTERN SEQ(A a, B b) WITHIN 1 second PARTITION BY k"


def figures(emitted: int, **more: Any) -> dict[str, Any]:
    return {"emitted": emitted, "refused": 4, "without_key": 2, "unrepaired": 1, **more}


def test_what_all_have_whole_is_not_summed(tmp_path: Any) -> None:
    config = config_of(tmp_path, {"p": {"query": KEYED}})
    workers = [
        {"patterns": {"p": figures(5, windows_cut=1, truncated=1, truncated_first={"time": "1970-01-01Z"})}},
        {"patterns": {"p": figures(7, windows_cut=3)}},
    ]
    assert patterns_of(config, workers)["p"] == {
        "emitted": 12,
        "refused": 4,
        "without_key": 2,
        "unrepaired": 2,
        "windows_cut": 3,
        "truncated": 1,
        "truncated_first": {"time": "1970-01-01Z"},
    }


def test_a_pattern_without_partition_is_that_of_the_first(tmp_path: Any) -> None:
    config = config_of(tmp_path, {"p": {"query": KEYED.removesuffix(" PARTITION BY k")}})
    workers = [{"patterns": {"p": figures(5)}}, {"patterns": {"p": figures(0, unknown=3)}}]
    assert patterns_of(config, workers)["p"] == figures(5)


def test_latencies_are_those_of_one_process() -> None:
    whole, parts = Spread(), [Spread(), Spread(), Spread()]
    for n, value in enumerate((5, 3, 9, 0, 7)):
        whole.add(value)
        parts[n % 2].add(value)
    workers = [{"latency": {"p": part.snapshot()}} for part in parts]
    assert latency_of(workers, "p").snapshot() == whole.snapshot()
