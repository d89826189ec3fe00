"""Pipelines on Spark: what is live at the end is what one process finds; nothing is lost or done twice."""

from __future__ import annotations

import csv
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from limecep import cli
from limecep.cli.exits import Exit
from limecep.clock import Stopwatch
from limecep.config.loader import load
from limecep.host import Host
from limecep.statistics import OUTCOMES
from limecep_expand.folding import live
from limecep_spark_runner.batches import Batches
from limecep_spark_runner.config import SparkOptions
from limecep_spark_runner.runner import SparkRunner

if TYPE_CHECKING:
    from collections.abc import Iterable

pytestmark = pytest.mark.spark

EXAMPLE = Path(__file__).parents[3] / "examples/spark"

PIPELINE = """\
version: 1
name: mixed
sources:
  readings: {type: file, channel: "in/*.jsonl", as: {field: type}, id: id, time: {field: t, format: epoch_s}}
  table:
    {type: file, channel: table.csv, as: {field: type}, id: id, time: {field: t, format: epoch_s}, rank: 1}
  orders: {type: file, channel: "orders/*.jsonl", as: Order, id: [k, n], time: {field: t, format: epoch_s},
           revise: {version: rev, withdrawn: {field: op, is: d}}}
patterns:
  rise:
    query: "PATTERN SEQ(A a, B+ b[], C c) WHERE b[i].v > a.v WITHIN 30 seconds PARTITION BY k"
    lateness: accept
    derive: {as: Rise}
  risen: {query: "PATTERN SEQ(Rise x, !B y, D d) WITHIN 20 seconds PARTITION BY k", lateness: accept}
  trailing: {query: "PATTERN SEQ(C a, NOT B b) WITHIN 7 seconds PARTITION BY k", lateness: accept}
  both: {query: "PATTERN SEQ(A a, C c) WHERE a.v = c.v WITHIN 9 seconds PARTITION BY k, v", lateness: accept}
  every: {query: "PATTERN SEQ(A a, D d) WITHIN 3 seconds", engine: nfa, lateness: accept}
  paid: {query: "PATTERN SEQ(A a, Order o) WHERE o.v > a.v WITHIN 9 seconds PARTITION BY k", lateness: accept}
  moved: {query: "PATTERN SEQ(Order a, Order b) WITHIN 9 seconds PARTITION BY v", lateness: accept}
sinks:
  out: {type: file, path: out, events: ids}
  enveloped: {type: file, path: enveloped, patterns: [trailing], envelope: cloudevents}
  late: {type: file, path: late, of: late}
"""
SOURCES = {"readings", "table", "orders"}
#: The sinks as files, for a run in one process.
LOCAL = ("sinks.out.path=local.jsonl", "sinks.enveloped.path=local2.jsonl", "sinks.late.path=local3.jsonl")
RUNNER = ("--runner", "spark", "--master", "local[2]", "--checkpoint", "checkpoint", "--partitions", "2")


def write(folder: Path, seed: int, count: int, files: int = 3) -> None:
    """A pipeline with random input: disordered, with copies, with and without keys, revised and withdrawn,
    and what is no event."""
    chosen = random.Random(seed)
    (folder / "in").mkdir()
    events = [
        {
            "type": chosen.choice("ABCD"),
            "id": str(n),
            "t": 1_700_000_000 + n // 3 + chosen.choice([0, 0, 0, 4, -9]),
            "k": chosen.choice(["x", "y", 1, 1.0, None]),
            "v": chosen.randrange(5),
        }
        for n in range(count)
    ]
    events += [chosen.choice(events) for _ in range(count // 20)]
    lines = [json.dumps(e) for e in events]
    for n in range(0, count, 97):
        lines.insert(n, "{")
    for n in range(files):
        # A name that has to be escaped in an address.
        (folder / f"in/part {n} %20.jsonl").write_text("\n".join(lines[n::files]))
    orders = [json.dumps(said) for n in range(count // 6) for said in statements(n, chosen)]
    orders += chosen.sample(orders, count // 60)
    chosen.shuffle(orders)
    (folder / "orders").mkdir()
    for n in range(files):
        (folder / f"orders/{n}.jsonl").write_text("\n".join(orders[n::files]))
    # What a pattern does not find, whatever Spark takes it for.
    more = json.dumps({"type": "C", "id": "more", "t": 1_700_000_000, "k": "alone", "v": 1})
    (folder / "in/folder.jsonl").mkdir()
    for name in ("folder.jsonl/more.jsonl", ".hidden.jsonl"):
        (folder / "in" / name).write_text(more)
    with (folder / "table.csv").open("w", newline="") as file:
        table = csv.DictWriter(file, ["type", "id", "t", "k", "v"])
        table.writeheader()
        table.writerows({**e, "id": f"t{e['id']}"} for e in events[: count // 4])
    # An absolute glob, and a file by its name, which has what means something in one.
    (folder / "table.csv").rename(folder / "{tab}[le].csv")
    text = PIPELINE.replace("in/*", f"{folder}/in/*").replace("table.csv", '"{tab}[le].csv"')
    (folder / "p.yaml").write_text(text)


def statements(number: int, chosen: random.Random) -> list[dict[str, Any]]:
    """What is said of an order: it may be revised, also to another key of a pattern, and withdrawn."""
    known = {"k": chosen.choice(["x", "y", 1, 1.0]), "n": number}
    said: list[dict[str, Any]] = [
        {**known, "t": 1_700_000_000 + 2 * number + chosen.randrange(5), "v": chosen.randrange(5), "rev": rev}
        for rev in range(chosen.choice([1, 1, 2, 3]))
    ]
    if chosen.random() < 0.2:
        said.append({**known, "rev": chosen.choice([0.5, 9]), "op": "d"})
    return said


def run(folder: Path, *arguments: str) -> Any:
    """Runs the pipeline by the command, in this process; gives its report."""
    report = folder / "report.json"
    code = cli.main(["run", str(folder / "p.yaml"), "--quiet", "--report", str(report), *arguments])
    assert code == Exit.FINE
    return json.loads(report.read_text())


def run_locally(folder: Path) -> Any:
    return run(folder, *(a for value in LOCAL for a in ("--set", value)))


def runner_of(folder: Path, each_batch: Any = None, **options: Any) -> SparkRunner:
    """The pipeline, to be run by the library."""
    registry = Host.load().registry
    config = load(folder / "p.yaml", registry).config
    assert config is not None
    made = SparkOptions(checkpoint="checkpoint", partitions=2, **options)
    return SparkRunner(config, registry, made, each_batch)


def lines(*files: Path) -> list[bytes]:
    return [line for file in sorted(files) for line in file.read_bytes().splitlines()]


def net(*files: Path) -> dict[str, list[str]]:
    """What is live at the end, by pattern: the contents of the matches."""
    return net_of(lines(*files))


def net_of(log: Iterable[bytes]) -> dict[str, list[str]]:
    found = live(log, "log")
    return {name: sorted(m.record["content"] for m in matches) for name, matches in found.items() if matches}


def parts(folder: Path, sink: str) -> list[Path]:
    """The files of a sink, after a look at whether anything else is there."""
    there = [p for p in (folder / sink).iterdir() if not p.name.startswith(".")]
    assert all(p.name.startswith("part-") and p.suffix == ".jsonl" for p in there)
    return there


FORMATS = """\
version: 1
name: formats
sources:
  sheet: {type: file, channel: sheet.csv, as: {field: type}, id: id, time: {field: t, format: epoch_s},
          format: {type: csv, delimiter: ";", decimal: ",", comment: "#", skip: 1, nulls: [NA],
                   encoding: utf-16}}
  document: {type: file, channel: document.json, as: {field: type}, id: id, time: {field: t, format: epoch_s},
             format: {type: json, path: items, encoding: latin-1}}
  zeek: {type: file, channel: zeek.log, format: zeek, as: {field: type}, id: id,
         time: {field: t, format: epoch_s}}
  lines: {type: file, channel: lines.log, format: {type: regex, preset: logfmt}, as: {field: type}, id: id,
          time: {field: t, format: epoch_s}}
  patterns: {type: file, channel: patterns.log, as: {field: type}, id: id, time: {field: t, format: epoch_s},
             format: {type: regex, pattern: '(?P<type>.) (?P<id>.) (?P<t>.) (?P<k>.) (?P<v>[0-9.]+)'}}
patterns:
  p: {query: "PATTERN SEQ(A a, B b) WHERE b.v = 1.5 WITHIN 9 seconds PARTITION BY k", lateness: accept}
sinks:
  out: {type: file, path: out, events: ids}
  late: {type: file, path: late, of: late}
"""


@pytest.mark.usefixtures("spark")
def test_workers_read_files_in_every_format(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text(FORMATS)
    events = [("A", "1", 1, 0.5), ("B", "2", 2, 1.5), ("B", "3", 3, None)]
    document = {"items": [{"type": e, "id": i, "t": t, "k": "é", "v": v} for e, i, t, v in events]}
    (tmp_path / "document.json").write_text(json.dumps(document, indent=1, ensure_ascii=False), "latin-1")
    sheet = "".join(
        f"{e}; {i}; {t}; k1; {'NA' if v is None else str(v).replace('.', ',')}\n" for e, i, t, v in events
    )
    (tmp_path / "sheet.csv").write_text(f"A sheet\ntype; id; t; k; v\n# two\n{sheet}", "utf-16")
    rows = "".join(f"{e}\t{i}\t{t}\tk2\t{'-' if v is None else v}\n" for e, i, t, v in events)
    head = "#fields\ttype\tid\tt\tk\tv\n#types\tstring\tstring\ttime\tstring\tdouble\n"
    (tmp_path / "zeek.log").write_text(f"#separator \\x09\n#unset_field\t-\n{head}{rows}")
    pairs = "".join(f'type={e} id={i} t={t} k="k 3" v={"" if v is None else v}\n' for e, i, t, v in events)
    (tmp_path / "lines.log").write_text(f"no pair\n{pairs}")
    (tmp_path / "patterns.log").write_text("".join(f"{e} {i} {t} 4 {v or 0}\n" for e, i, t, v in events))
    # A file whose last line has no end, as if somebody were to go on with it, is read whole.
    (tmp_path / "patterns.log").write_text((tmp_path / "patterns.log").read_text().rstrip("\n"))
    local = run(tmp_path, "--set", "sinks.out.path=local.jsonl", "--set", "sinks.late.path=local3.jsonl")
    report = run(tmp_path, *RUNNER, "--set", "state.dir=unused")
    assert report["events"] == local["events"]
    assert local["events"]["read"] == 16
    found = net(*parts(tmp_path, "out"))
    assert found == net(tmp_path / "local.jsonl")
    assert len(found["p"]) == 5


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize(("seed", "arguments"), [(1, ()), (2, ("--files-per-batch", "1"))])
def test_what_is_live_at_the_end_is_what_one_process_finds(
    seed: int, arguments: tuple[str, ...], tmp_path: Path
) -> None:
    # What has to be escaped in an address, folders may have as well.
    tmp_path /= "a b %20"
    tmp_path.mkdir()
    write(tmp_path, seed, 1200)
    report = run(tmp_path, *RUNNER, *arguments)
    assert {p.name for p in tmp_path.parent.iterdir()} == {tmp_path.name}
    local = run_locally(tmp_path)
    found = net(*parts(tmp_path, "out"))
    assert set(found) == {"rise", "risen", "trailing", "both", "every", "paid", "moved"}
    assert found == net(tmp_path / "local.jsonl")
    wrapped = lines(*parts(tmp_path, "enveloped"))
    assert json.loads(wrapped[0])["specversion"] == "1.0"
    assert net(*parts(tmp_path, "enveloped")) == net(tmp_path / "local2.jsonl") != {}
    # What is no event is told with its place, each once.
    assert sorted(lines(*parts(tmp_path, "late"))) == sorted(lines(tmp_path / "local3.jsonl"))
    assert report["events"]["invalid"] == local["events"]["invalid"] > 0
    for name, figures in local["patterns"].items():
        assert report["patterns"][name]["live"] == figures["live"], name
    assert report["sinks"]["out"]["records"] == len(lines(*parts(tmp_path, "out")))
    # What is said of orders concerns two ways of partitioning. Its outcomes depend on the order it comes in.
    outcomes, right = report["sources"]["orders"], local["sources"]["orders"]
    assert outcomes["read"] == 2 * right["read"] == sum(outcomes.get(o, 0) for o in OUTCOMES)
    assert min(outcomes["revised"], outcomes["withdrawn"], outcomes["duplicate"]) > 0
    if not arguments:
        known = ("revised", "withdrawn", "duplicate")
        assert [outcomes[o] for o in known] == [2 * right[o] for o in known]


@pytest.mark.usefixtures("spark")
def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    write(tmp_path, 3, 600, files=4)
    arguments = (*RUNNER, "--files-per-batch", "1")
    run(tmp_path, *arguments, "--for", "4s")
    before = {p.name: p.read_bytes() for p in parts(tmp_path, "out")}
    run(tmp_path, *arguments)
    after = {p.name: p.read_bytes() for p in parts(tmp_path, "out")}
    assert {name: after[name] for name in before} == before
    run_locally(tmp_path)
    assert net(*parts(tmp_path, "out")) == net(tmp_path / "local.jsonl")
    # All is done: once more finds nothing to do.
    report = run(tmp_path, *arguments)
    assert report["events"]["read"] == 0
    assert {p.name: p.read_bytes() for p in parts(tmp_path, "out")} == after


@pytest.mark.usefixtures("spark")
def test_what_the_policy_refuses_reaches_the_late_output(tmp_path: Path) -> None:
    write(tmp_path, 4, 300, files=2)
    early = {"type": "A", "id": "early", "t": 1_600_000_000, "k": "x", "v": 1}
    future = {"type": "A", "id": "future", "t": 1_800_000_000, "at": 1_700_000_000, "k": "x", "v": 1}
    with (tmp_path / "in/part 1 %20.jsonl").open("a") as file:
        file.write(f"\n{json.dumps(early)}\n")
    (tmp_path / "ahead.jsonl").write_text(json.dumps(future))
    ahead = "\n  ahead: {type: file, channel: ahead.jsonl, as: {field: type}, id: id, max_future_skew: 1h, "
    ahead += "time: {field: t, format: epoch_s}, arrival: {field: at, format: epoch_s}}\npatterns:"
    text = (
        (tmp_path / "p.yaml")
        .read_text()
        .replace("\npatterns:", ahead)
        .replace("accept", "{type: accept, within: 1h}")
    )
    (tmp_path / "p.yaml").write_text(text)
    report = run(tmp_path, *RUNNER)
    refused = [json.loads(line) for line in lines(*parts(tmp_path, "late"))]
    by_reason = {(r["reason"], r["event"]["id"]) for r in refused if "event" in r}
    assert ("extremely_late", "early") in by_reason
    assert ("future", "future") in by_reason
    assert report["events"]["future"] == 1


@pytest.mark.usefixtures("spark")
def test_standard_output_has_the_change_log_where_no_sink_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, 5, 200)
    (tmp_path / "p.yaml").write_text((tmp_path / "p.yaml").read_text().partition("sinks:")[0])
    run(tmp_path, *RUNNER)
    out = capsys.readouterr().out
    run(tmp_path)
    local = capsys.readouterr().out
    (tmp_path / "one").write_text(out)
    (tmp_path / "other").write_text(local)
    assert net(tmp_path / "one") == net(tmp_path / "other") != {}


@pytest.mark.usefixtures("spark")
def test_the_example_finds_what_it_says(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(EXAMPLE, tmp_path / "spark"))
    (folder / "spark.yaml").rename(folder / "p.yaml")
    run(folder, *RUNNER, "--set", "sinks.out.type=file", "--set", "sinks.out.path=matches")
    assert net(*parts(folder, "matches")) == net(folder / "expected.jsonl") != {}


@pytest.mark.usefixtures("spark")
def test_another_pipeline_cannot_use_a_checkpoint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, 6, 20)
    run(tmp_path, *RUNNER)
    changed = ["--set", "patterns.rise.select=stam"]
    code = cli.main(["run", str(tmp_path / "p.yaml"), "--quiet", *RUNNER, *changed])
    assert code == Exit.FAILED
    said = capsys.readouterr().err
    assert "is that of another pipeline: pattern 'rise' has another select" in said


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("pipeline.json", "", "is damaged, or is none of limecep's"),
        ("pipeline.json", "{}", "is damaged, or is none of limecep's"),
        ("pipeline.json", "null", "is damaged, or is none of limecep's"),
        ("metadata", "", "No content to map due to end-of-input; the checkpoint is damaged: use another one"),
    ],
)
def test_a_damaged_checkpoint_is_told(
    name: str, text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, 6, 20)
    (tmp_path / "checkpoint").mkdir()
    (tmp_path / "checkpoint" / name).write_text(text)
    assert cli.main(["run", str(tmp_path / "p.yaml"), "--quiet", *RUNNER]) == Exit.FAILED
    said = capsys.readouterr().err
    assert message in said
    assert len(said.splitlines()) == 1


@pytest.mark.usefixtures("spark")
def test_a_run_whose_input_was_over_says_so_and_what_came_since_is_late(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, 6, 20)
    within = ["--set", "patterns.rise.lateness={type: bound, within: 1s}"]
    run(tmp_path, *RUNNER, *within)
    assert (tmp_path / "checkpoint/bell/over").read_text() == "over\n"
    (tmp_path / "in/part 9.jsonl").write_text(
        '{"type": "B", "id": "new", "t": 1800000000, "k": "x", "v": 1}\n'
    )
    capsys.readouterr()
    assert cli.main(["run", str(tmp_path / "p.yaml"), *RUNNER, *within]) == Exit.FINE
    assert "the input of this checkpoint is over" in capsys.readouterr().err
    late = [json.loads(line) for line in lines(*parts(tmp_path, "late"))]
    assert [r["patterns"] for r in late if r["reason"] == "extremely_late" and r["event"]["id"] == "new"]


def test_a_file_that_spark_passes_over_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, 6, 20)
    (tmp_path / "in/_more.jsonl").write_text("{}\n")
    assert cli.main(["run", str(tmp_path / "p.yaml"), "--quiet", *RUNNER]) == Exit.FAILED
    assert f"Spark passes over {tmp_path}/in/_more.jsonl, for its name" in capsys.readouterr().err


def test_a_folder_that_another_checkpoint_has_written_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, 6, 20)
    (tmp_path / "out").mkdir()
    there = tmp_path / "out/part-0000000000-00000.jsonl"
    there.write_text("{}\n")
    assert cli.main(["run", str(tmp_path / "p.yaml"), "--quiet", *RUNNER]) == Exit.FAILED
    assert f"{tmp_path}/out has what was written with another checkpoint" in capsys.readouterr().err
    assert there.read_text() == "{}\n"


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize(
    ("sink", "message"),
    [
        ("{type: spark, format: nope, channel: x}", "sink 'o': Failed to find the data source: nope"),
        ("{type: spark, format: parquet, channel: /proc/x}", "sink 'o': "),
        (
            '{type: mqtt, url: "mqtt://127.0.0.1:1", channel: t}',
            "did not take the last",
        ),
    ],
)
def test_a_sink_that_cannot_be_written_ends_the_run_with_a_word(
    sink: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, 7, 60)
    text = (tmp_path / "p.yaml").read_text().partition("sinks:")[0]
    (tmp_path / "p.yaml").write_text(f"{text}sinks: {{o: {sink}}}")
    watch = Stopwatch()
    assert cli.main(["run", str(tmp_path / "p.yaml"), "--quiet", *RUNNER, "--for", "8s"]) == Exit.FAILED
    said = capsys.readouterr().err
    assert message in said
    assert "Traceback" not in said
    assert watch.seconds < 60


@pytest.mark.usefixtures("spark")
def test_a_file_that_cannot_be_read_ends_the_run_with_a_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, 7, 20)
    (tmp_path / "in/part 8.jsonl.gz").write_bytes(b"no gzip at all")
    arguments = ["--set", "sources.readings.channel=in/*", "--set", "sources.readings.format=json"]
    assert cli.main(["run", str(tmp_path / "p.yaml"), "--quiet", *RUNNER, *arguments]) == Exit.FAILED
    said = capsys.readouterr().err
    assert "part 8.jsonl.gz after line 0: Not a gzipped file" in said
    assert "Traceback" not in said


@pytest.mark.usefixtures("spark")
def test_a_run_that_was_killed_when_all_was_read_is_gone_on_with_to_its_end(tmp_path: Path) -> None:
    write(tmp_path, 8, 300)
    run(tmp_path, *RUNNER)
    whole = net(*parts(tmp_path, "out"))
    # As it stands where the last batch, in which time has passed for everything, was not begun.
    (tmp_path / "checkpoint/ended").unlink()
    last = max(int(p.name) for p in (tmp_path / "checkpoint/commits").glob("[0-9]*"))
    for folder in ("commits", "offsets"):
        for file in (f"{last}", f".{last}.crc"):
            (tmp_path / "checkpoint" / folder / file).unlink()
    for sink in ("out", "late"):
        for part in (tmp_path / sink).glob(f"part-{last:010d}-*"):
            part.unlink()
    assert net(*parts(tmp_path, "out")) != whole
    run(tmp_path, *RUNNER)
    assert net(*parts(tmp_path, "out")) == whole
    assert (tmp_path / "checkpoint/ended").exists()
    run(tmp_path, *RUNNER)
    assert net(*parts(tmp_path, "out")) == whole


def test_a_driver_that_is_killed_again_and_again_does_everything_once(
    java: dict[str, str], tmp_path: Path
) -> None:
    """With `LIMECEP_KILLS` as often as that."""
    write(tmp_path, 8, 1600, files=8)
    command = [sys.executable, "-m", "limecep", "run", "p.yaml", "--quiet", *RUNNER, "--files-per-batch", "1"]
    command += ["--conf", json.dumps(java)]
    chosen = random.Random(int(os.environ.get("LIMECEP_SEED", "1")))
    killed = 0
    for _ in range(int(os.environ.get("LIMECEP_KILLS", "1"))):
        process = subprocess.Popen(command, cwd=tmp_path, start_new_session=True, stderr=subprocess.PIPE)
        commits = tmp_path / "checkpoint/commits"
        begun = len(list(commits.glob("*"))) if commits.exists() else 0
        # Not before it is at work: its start takes most of the time.
        while process.poll() is None and (not commits.exists() or len(list(commits.glob("*"))) == begun):
            time.sleep(0.05)
        time.sleep(chosen.uniform(0, 1.5))
        killed += process.poll() is None
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    assert killed
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    run_locally(tmp_path)
    log = lines(*parts(tmp_path, "out"))
    told = [(r["match"], r["revision"], r["op"]) for r in map(json.loads, log)]
    assert len(told) == len(set(told))
    assert net(*parts(tmp_path, "out")) == net(tmp_path / "local.jsonl")
    assert sorted(lines(*parts(tmp_path, "late"))) == sorted(lines(tmp_path / "local3.jsonl"))


def rows_of(frame: Any) -> dict[str, list[str]]:
    """What is live at the end by rows of a change log."""
    standing: dict[str, Any] = {}
    for row in sorted(frame.collect(), key=lambda r: r["revision"]):
        standing[row["match"]] = None if row["op"] == "retract" else row
    found: dict[str, list[str]] = {}
    for row in filter(None, standing.values()):
        assert {event.source for group in row["events"].values() for event in group} <= SOURCES
        found.setdefault(row["pattern"], []).append(row["content"])
    return {name: sorted(contents) for name, contents in found.items()}


@pytest.mark.parametrize("local", [False, True], ids=["on Spark", "in one process"])
def test_records_are_rows_wherever_spark_writes_them(local: bool, tmp_path: Path, spark: Any) -> None:
    write(tmp_path, 9, 300)
    run_locally(tmp_path)
    sinks = "table: {type: spark, format: parquet, channel: table, patterns: [rise, trailing]}, "
    sinks += f"seen: {{type: spark, format: memory, channel: seen_{local}, of: late}}"
    text = (tmp_path / "p.yaml").read_text().partition("sinks:")[0]
    (tmp_path / "p.yaml").write_text(f"{text}sinks: {{{sinks}}}")
    run(tmp_path, *(() if local else RUNNER))
    right = net(tmp_path / "local.jsonl")
    found = rows_of(spark.read.parquet(str(tmp_path / "table")))
    assert found == {name: right[name] for name in ("rise", "trailing")}
    late = spark.table(f"global_temp.seen_{local}").where("op = 'late' AND late.reason = 'invalid'")
    told = sorted(row["record"].encode() for row in late.collect())
    assert told == sorted(lines(tmp_path / "local3.jsonl"))


@pytest.mark.usefixtures("spark")
def test_a_function_is_given_what_each_batch_found(tmp_path: Path) -> None:
    write(tmp_path, 10, 300, files=2)
    run_locally(tmp_path)
    found: list[Any] = []
    runner = runner_of(tmp_path, lambda frame, number: found.extend(frame.collect()), files_per_batch=1)
    runner.run()
    runner.close()
    assert net_of(row["record"].encode() for row in found) == net(tmp_path / "local.jsonl") != {}
    assert runner.report()["sinks"]["each_batch"]["records"] == len(found)


@pytest.mark.usefixtures("spark")
def test_files_that_appear_are_read_until_the_run_is_stopped(tmp_path: Path) -> None:
    write(tmp_path, 11, 400, files=2)
    run_locally(tmp_path)
    text = (tmp_path / "p.yaml").read_text()
    (tmp_path / "p.yaml").write_text(text.replace("readings: {", "readings: {follow: true, "))
    later = tmp_path / "in/part 1 %20.jsonl"
    later.rename(tmp_path / "later")
    watch, seen = Stopwatch(), [0]
    runner = runner_of(tmp_path, trigger="100ms")

    def stop() -> bool:
        """Adds a file once the first was read; says when the second was."""
        assert watch.seconds < 120
        files = runner.report()["spark"]["read"]["readings"].get("files", 0)
        if files == 1 and not later.exists():
            (tmp_path / "later").rename(later)
        seen.append(files)
        return bool(files == 2)

    runner.run(stop)
    runner.close()
    assert {0, 1, 2} == set(seen)
    # The run was stopped, not over: what waits for time still does.
    found, right = net(*parts(tmp_path, "out")), net(tmp_path / "local.jsonl")
    assert found["rise"] == right["rise"]
    assert found["both"] == right["both"]


def test_a_cluster_of_two_workers_finds_what_one_process_finds(
    java: dict[str, str], cluster: str, tmp_path: Path
) -> None:
    write(tmp_path, 11, 600, files=4)
    conf = {"spark.driver.host": "127.0.0.1", "spark.executor.memory": "512m", **java}
    command = [sys.executable, "-m", "limecep", "run", "p.yaml", "--quiet", "--runner", "spark"]
    command += ["--checkpoint", "checkpoint", "--conf", json.dumps(conf), "--files-per-batch", "2"]
    command += ["--master", cluster]
    environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"}
    subprocess.run(command, cwd=tmp_path, check=True, env=environment)
    assert len(list((tmp_path / "work").glob("app-*/*"))) == 2, "each worker had its part"
    run_locally(tmp_path)
    assert net(*parts(tmp_path, "out")) == net(tmp_path / "local.jsonl") != {}
    assert sorted(lines(*parts(tmp_path, "late"))) == sorted(lines(tmp_path / "local3.jsonl"))


@pytest.mark.usefixtures("spark")
def test_a_key_to_which_nothing_comes_leaves_the_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in").mkdir()
    many = [{"type": "AB"[n % 2], "id": str(n), "t": 1_700_000_000 + n % 7, "k": n % 40} for n in range(400)]
    batches = [many] + [[{"type": "A", "id": f"z{n}", "t": 1_700_000_100 + n, "k": "z"}] for n in range(3)]
    for number, batch in enumerate(batches):
        (tmp_path / f"in/{number}.jsonl").write_text("\n".join(map(json.dumps, batch)))
        os.utime(tmp_path / f"in/{number}.jsonl", (number, number))
    query = "PATTERN SEQ(A a, B b) WITHIN 5 seconds PARTITION BY k"
    text = PIPELINE.partition("  table:")[0]
    text += f"patterns: {{p: {{query: {query!r}, lateness: {{type: accept, within: 5s}}}}}}\n"
    (tmp_path / "p.yaml").write_text(text + "sinks: {out: {type: file, path: out}}\n")
    buckets, note = [], Batches.note

    def noted(self: Batches, progress: Any) -> None:
        if progress is not None and progress.numInputRows:
            buckets.append(progress.stateOperators[0].numRowsTotal)
        note(self, progress)

    monkeypatch.setattr(Batches, "note", noted)
    report = run(tmp_path, *RUNNER, "--files-per-batch", "1", "--buckets", "1000000")
    assert (max(buckets), buckets[-2]) == (41, 1), buckets
    assert report["spark"]["most_keys"] == 41
