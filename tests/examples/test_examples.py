"""Every example runs, and gives what it says, which is what brute force finds."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import structlog
from msgspec.structs import asdict

from limecep import cli
from limecep.clock import ManualClock
from limecep.config.loader import load
from limecep.host import Host
from limecep.model.alternatives import sequences, written
from limecep.model.event import Statement
from limecep.runtime.assembly import Assembly
from limecep.runtime.feeds import Replay
from limecep.runtime.pipeline import Pipeline
from limecep.testing.changelog import net
from limecep.testing.oracle import maximal_matches
from limecep.testing.oracle.stated import counting

if TYPE_CHECKING:
    from limecep.model.event import Event

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(p.parent for p in ROOT.glob("examples/*/generate.py"))
REGISTRY = Host.load().registry

each = pytest.mark.parametrize("example", EXAMPLES, ids=lambda p: p.name)


def pipeline_of(example: Path) -> Path:
    return example / f"{example.name}.yaml"


def all_events(file: Path) -> list[Event]:
    config = load(file, REGISTRY).config
    assert config is not None
    feeds = Assembly(config, REGISTRY, ManualClock(), structlog.get_logger()).feeds()
    found: list[Event] = []
    try:
        for feed in feeds:
            feed.open()
        replay = Replay([part for feed in feeds for part in feed.parts])
        while not all(feed.ended for feed in feeds):
            found += [event for fed in replay.step(0.0) for event in fed.events]
    finally:
        for feed in feeds:
            feed.close()
    return found


@each
def test_its_data_is_what_its_generator_writes(example: Path, tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("generate", example / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    generate.main(tmp_path)
    names = sorted(p.name for p in tmp_path.iterdir())
    assert names
    assert {n: (tmp_path / n).read_bytes() for n in names} == {n: (example / n).read_bytes() for n in names}


@each
def test_nothing_is_wrong_with_its_pipeline(example: Path) -> None:
    assert load(pipeline_of(example), REGISTRY).problems == []


@each
def test_it_says_how_to_run_it(example: Path) -> None:
    assert f"limecep run {pipeline_of(example).relative_to(ROOT)}" in (example / "README.md").read_text()


@each
def test_a_run_gives_what_is_expected(
    example: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(shutil.copytree(example, tmp_path / example.name))
    (folder / "late.jsonl").unlink(missing_ok=True)
    code = cli.main(["run", str(pipeline_of(folder)), "--report", str(tmp_path / "r.json")])
    said = capsys.readouterr()
    assert code == 0, said.err
    records = [json.loads(line) for line in said.out.splitlines()]
    assert records == [json.loads(line) for line in (example / "expected.jsonl").read_text().splitlines()]
    late = folder / "late.jsonl"
    expected_late = example / "expected_late.jsonl"
    assert late.exists() == expected_late.exists()
    if late.exists():
        assert late.read_text() == expected_late.read_text()
    events = json.loads((tmp_path / "r.json").read_text())["events"]
    assert events.pop("read") == sum(events.values())


@each
def test_what_is_expected_is_what_brute_force_finds(example: Path, tmp_path: Path) -> None:
    # Its sinks write below the folder of its file.
    folder = Path(shutil.copytree(example, tmp_path / example.name))
    events = all_events(pipeline_of(folder))
    with Pipeline.from_yaml(pipeline_of(folder), registry=REGISTRY) as pipeline:
        updates = [*pipeline.feed(events), *pipeline.finish()]
    for config in pipeline.config.patterns:
        pattern = config.pattern
        types = {t for s in sequences(pattern.structure) for step in written(s.parts) for t in step.types}
        by_key: dict[tuple[object, ...], list[Event]] = {}
        for event in counting([e if isinstance(e, Statement) else Statement(**asdict(e)) for e in events]):
            if event.type in types:
                by_key.setdefault(tuple(event.payload[p] for (p,) in pattern.partition), []).append(event)
        expected = set()
        for part in by_key.values():
            expected |= maximal_matches(pattern, part, select=config.select, params=pipeline.config.params)
        assert expected
        assert net(updates, config.name) == expected
