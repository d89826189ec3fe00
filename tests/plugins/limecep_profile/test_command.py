"""`limecep profile`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from limecep import Pipeline, cli
from limecep.cli.exits import Exit
from limecep.testing.command import CommandConformance
from limecep_profile.plugin import PROFILE

ROOT = Path(__file__).parents[3]
REAL = ROOT.parent / "shared/data/real"
#: Of public files that people really have: what is told of them, and of a run of what is written.
FILES = {
    "machine_temperature.csv": (
        [
            "records     22,695",
            "time        timestamp, iso8601, without a zone",
            "            2013-12-02T21:15:00Z to 2014-02-19T15:25:00Z, 78.8 days",
            "order       0.0485 % out of order (11), behind the latest by: median 30 minutes, "
            "90 % 50 minutes, 99 % 50 minutes, at most 55 minutes",
            "gaps        none: usually a new time comes every 5 minutes",
            "repeats     12 have the time of an earlier one, and other values",
        ],
        {"read": 22_695, "out_of_order": 11, "duplicate": 0},
    ),
    "web_requests.jsonl": (
        [
            "records     10,000",
            "time        time, %d/%b/%Y:%H:%M:%S %z",
            "zones       +0000 100 %",
            "order       94.5 % out of order (9,448), behind the latest by: median 29 seconds, "
            "90 % 53 seconds, 99 % 59 seconds, at most 59 seconds",
            "gaps        83 of more than 5 seconds, half of them up to 59 minutes; the longest is "
            "59 minutes, from 2015-05-20T03:05:59Z; usually a new time comes every 1 second",
            "repeats     19 records are the same as an earlier one",
            "            5,619 have the time of an earlier one, and other values",
            "key         client, 1,753 different",
        ],
        {"read": 10_000, "out_of_order": 9_430, "duplicate": 19},
    ),
}


class TestConformance(CommandConformance):
    """It keeps the contract of commands."""

    spec = PROFILE


@pytest.mark.skipif(not REAL.is_dir(), reason="the files are not here")
@pytest.mark.parametrize("name", FILES)
def test_it_is_right_about_real_files(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told, counts = FILES[name]
    monkeypatch.chdir(tmp_path)
    shutil.copy(REAL / name, tmp_path)
    assert cli.main(["profile", name]) == Exit.FINE
    output = capsys.readouterr()
    lines = output.err.splitlines()
    assert [line for line in told if line not in lines] == []
    Path("p.yaml").write_text(output.out)
    assert cli.main(["check", "p.yaml", "--sample", "500"]) == Exit.FINE
    assert capsys.readouterr().out == "p.yaml: ok\n"
    with Pipeline.from_yaml("p.yaml", sinks={"out": []}) as pipeline:
        pipeline.run()
    outcomes = pipeline.outcomes()
    assert {key: outcomes[key] for key in counts} == counts
    assert outcomes["read"] == sum(outcomes[key] for key in ("in_order", "out_of_order", "duplicate"))


def test_the_report_goes_to_standard_error_and_the_pipeline_to_standard_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "x.dat"
    file.write_text("t;v\n05+01+2026;1\n06+01+2026;2\n")
    arguments = ["profile", str(file), "--format", "{type: csv, delimiter: ';'}"]
    assert cli.main([*arguments, "--time", "t", "--time-format", "%d+%m+%Y"]) == Exit.FINE
    output = capsys.readouterr()
    assert output.err.startswith("records     2\n")
    assert output.out.startswith("version: 1\n")
    # Without being told it knows no time, and writes nothing.
    assert cli.main(arguments) == Exit.FOUND_PROBLEMS
    assert capsys.readouterr().out == ""


def test_the_page_shows_what_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT / "examples/machine")
    assert cli.main(["profile", "readings.csv"]) == Exit.FINE
    shown = f"$ limecep profile readings.csv > readings.yaml\n{capsys.readouterr().err.strip()}\n```"
    assert shown in (ROOT / "docs/events.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["no.csv"], "there is no file 'no.csv'"),
        (["."], "'.' is no plain file"),
        (["x.csv", "--time", "when"], "no record has 'when': there are t"),
        (["x.csv", "--time-format", "%d"], "--time-format says how --time is written"),
        (["x.csv", "--time", "t", "--time-format", "soon"], "unknown time format 'soon'"),
        (["x.csv", "--format", "cvs"], "no codec named 'cvs'"),
        (["x.csv", "--format", "{a: ["], "this is not YAML"),
    ],
)
def test_what_cannot_be_done_is_told(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.csv").write_text("t\n2026-01-05\n")
    assert cli.main(["profile", *arguments]) == Exit.REFUSED
    assert said in capsys.readouterr().err


def test_a_time_that_cannot_be_read_makes_no_pipeline(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text('{"t": "2026-01-05", "v": "x"}\n{bad\n')
    found = cli.main(["profile", str(file), "--time", "v", "--time-format", "iso8601"])
    said = capsys.readouterr()
    assert (found, said.out) == (Exit.FOUND_PROBLEMS, "")
    assert "1, the first: x.jsonl:2: not JSON" in said.err
