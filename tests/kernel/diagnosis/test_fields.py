"""Fields that a source names and that no record has: told at the end of a run, and by a sample."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep.cli.input_report import noted
from limecep.config.loader import load_dict
from limecep.diagnosis.preview import suspicions
from limecep.runtime.pipeline import Pipeline
from limecep.runtime.sampling import samples

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.registry import Registry

CSV = "t,m,v\n" + "".join(f"{n},{n % 3},{n}\n" for n in range(25))
ALL = "all 25 records"


def told(folder: Path, registry: Registry, text: str, name: str = "s.csv", **more: Any) -> tuple[Any, Any]:
    """What a run says of the source, and what a sample says."""
    (folder / name).write_text(text)
    source = {"type": "file", "channel": name, "as": "A", "time": {"field": "t", "format": "epoch_s"}, **more}
    document = {
        "version": 1,
        "sources": {"s": source},
        "patterns": {"p": {"query": "PATTERN SEQ(A a) WITHIN 1 s"}},
        "sinks": {"o": {"type": "none"}},
    }
    loaded = load_dict(document, registry, root=folder)
    assert loaded.config is not None, loaded.problems
    found = suspicions(loaded.config, list(samples(loaded.config, registry, 100, structlog.get_logger())))
    pipeline = Pipeline.from_config(loaded.config, registry)
    pipeline.run()
    pipeline.close()
    beforehand = [p.message for _, p in found if p.code == "absent-field"]
    return noted(pipeline.report()), beforehand


def test_a_key_and_a_name_in_the_payload_that_no_record_has_are_told(
    tmp_path: Path, installed: Registry
) -> None:
    run, sample = told(tmp_path, installed, CSV, key="mm", payload={"vv": "float"})
    assert run == [
        f"key 'mm' of source s was missing in {ALL}",
        f"payload 'vv' of source s was missing in {ALL}",
    ]
    assert sample == [
        f"key 'mm' of source 's' was missing in {ALL}: they have 'm', 't', 'v'; did you mean 'm'?",
        f"payload 'vv' of source 's' was missing in {ALL}: they have 'm', 't', 'v'; did you mean 'v'?",
    ]


def test_what_is_kept_of_the_records_is_told_by_a_run_too(tmp_path: Path, installed: Registry) -> None:
    run, _ = told(tmp_path, installed, CSV, key="mm")
    assert run == [f"key 'mm' of source s was missing in {ALL}: they have 'm', 't', 'v'; did you mean 'm'?"]


@pytest.mark.parametrize(
    "more",
    [
        {"key": "m"},
        {"key": "m", "payload": ["v"]},
        {"payload": ["*"]},
        {"payload": {"v": "float", "*": "any"}},
        {"payload": {"m": "bool"}},
    ],
)
def test_fields_that_records_have_are_not(tmp_path: Path, installed: Registry, more: dict[str, Any]) -> None:
    run, sample = told(tmp_path, installed, CSV, **more)
    assert (run, sample) == ([], [])


def test_a_field_that_a_late_record_has_is_not_missing(tmp_path: Path, installed: Registry) -> None:
    rows = [f'{{"t": {n}, "v": {n}}}\n' for n in range(500)] + ['{"t": 500, "v": 1, "m": 1}\n']
    run, _ = told(tmp_path, installed, "".join(rows), "s.jsonl", key="m")
    assert run == []


def test_fields_inside_of_objects_are_found(tmp_path: Path, installed: Registry) -> None:
    rows = "".join(f'{{"t": {n}, "d": {{"m": {n}}}, "x.y": 1}}\n' for n in range(25))
    assert told(tmp_path, installed, rows, "s.jsonl", key="d.m", payload=["d.m", "x.y"]) == ([], [])
    run, sample = told(tmp_path, installed, rows, "s.jsonl", key="d.n", payload=["d.m"])
    assert run == [f"key 'd.n' of source s was missing in {ALL}: they have 'd'"]
    assert sample == [f"key 'd.n' of source 's' was missing in {ALL}: they have 'd', 't', 'x.y'"]
