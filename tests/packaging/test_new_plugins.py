"""`limecep plugins new`: what it writes for each kind installs, registers, and passes its tests."""

from __future__ import annotations

import fcntl
import json
from typing import TYPE_CHECKING

import pytest

from limecep_scaffold.scaffolding import components, kinds

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Environment

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def made(shared: Path, furnished: Environment) -> Path:
    """A folder with a new distribution of every kind, each named after its kind, and installed."""
    folder = shared / "new"
    with (shared / "new.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            for kind in kinds():
                done = furnished.run("limecep", "plugins", "new", kind, f"new_{kind}", "--dir", folder)
                assert (done.returncode, done.stderr) == (0, "")
            pip = ("python", "-m", "pip", "install", "--quiet", "--no-build-isolation")
            done = furnished.run(*pip, *sorted(folder.iterdir()))
            assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("kind", kinds())
def test_it_is_shown_with_its_options_and_an_example(kind: str, made: Path, furnished: Environment) -> None:
    for component in components(kind):
        done = furnished.run("limecep", "plugins", "show", f"{component}/new_{kind}")
        assert done.returncode == 0, done.stderr
        assert f"from plugin 'new_{kind}' of limecep-new-{kind} 0.1.0" in done.stdout
        # A function has none; what a command is told stands on its line.
        assert kind in ("function", "command") or "\noptions of the " in done.stdout
        assert f"new_{kind}" in done.stdout.partition("\nexample\n")[2]


def test_nothing_is_to_be_said_against_any_of_them(made: Path, furnished: Environment) -> None:
    listing = json.loads(furnished.run("limecep", "plugins", "list", "--format", "json").stdout)
    assert listing["problems"] == []
    assert {f"new_{kind}" for kind in kinds()} <= {p["name"] for p in listing["plugins"]}


@pytest.mark.parametrize("kind", kinds())
def test_its_own_tests_pass(kind: str, made: Path, furnished: Environment) -> None:
    tests = made / f"limecep-new-{kind}"
    done = furnished.run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", tests, tests)
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


def test_policies_and_engine_work_together_in_a_pipeline(
    made: Path, furnished: Environment, tmp_path: Path
) -> None:
    (tmp_path / "events.csv").write_text("id,type,time\na1,A,1\nb2,B,2\nb3,B,3\nc4,C,4\n")
    (tmp_path / "pipeline.yaml").write_text(
        """\
version: 1
name: new
connectors: {files: {type: file}}
sources:
  all: {from: files, channel: events.csv, as: {field: type}, id: id, time: {field: time, format: epoch_s}}
patterns:
  p:
    query: PATTERN SEQ(A a, B+ b[], C c) WITHIN 10 seconds
    engine: new_engine
    lateness: {type: new_lateness, within: 5s}
    slack: new_slack
    recompute: new_recompute
    results: new_results
sinks: {out: {type: new_sink, root: box}}
"""
    )
    done = furnished.run("limecep", "run", tmp_path / "pipeline.yaml", "--set", "sinks.out.channel=fires")
    assert done.returncode == 0, done.stderr
    records = [json.loads(path.read_text()) for path in (tmp_path / "box/fires").iterdir()]
    assert sorted(len(r["events"]["b"]) for r in records) == [1, 2]


def test_a_transport_and_a_codec_work_together_in_a_pipeline(
    made: Path, furnished: Environment, tmp_path: Path
) -> None:
    inbox = tmp_path / "events"
    inbox.mkdir()
    for n, line in enumerate(["type=A;id=1;time=1", "type=B;id=2;time=2"]):
        (inbox / f"{n}").write_text(line)
    (tmp_path / "pipeline.yaml").write_text(
        """\
version: 1
name: new
connectors: {box: {type: new_transport}}
sources:
  all:
    from: box
    channel: events
    format: new_codec
    as: {field: type}
    id: id
    time: {field: time, format: epoch_s}
patterns: {p: {query: "PATTERN SEQ(A a, B b) WITHIN 10 seconds"}}
sinks: {out: {to: box, channel: fires}}
"""
    )
    done = furnished.run("limecep", "run", tmp_path / "pipeline.yaml", "--for", "1s")
    assert done.returncode == 0, done.stderr
    [record] = [json.loads(path.read_text()) for path in (tmp_path / "fires").iterdir()]
    assert [e["id"] for e in record["events"]["b"]] == ["2"]
    assert [*inbox.iterdir()] == []
