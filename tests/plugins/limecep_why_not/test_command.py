"""`limecep why-not` on a command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from limecep import cli
from limecep.cli.exits import Exit

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/why-not.md").read_text()


@pytest.fixture(autouse=True)
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The house of the page."""
    for kind, name in (("yaml", "house.yaml"), ("json", "house.jsonl")):
        found = re.search(rf"^```{kind}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
        assert found is not None
        (tmp_path / name).write_text(found[1])
    monkeypatch.chdir(tmp_path)


def ask(*words: str) -> int:
    return cli.main(["why-not", "gas_fire", "--pipeline", "house.yaml", *words])


def test_an_answer_may_be_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        ask("--near", "2026-01-05T10:05:20Z", "--key", "hall", "--format", "json", "--limit", "1")
        == Exit.FINE
    )
    told = json.loads(capsys.readouterr().out)
    [change] = told["misses"][0]["changes"]
    assert (change["remove"], change["negated"]) == ("x1", "x")


def test_nothing_near_is_found_problems(capsys: pytest.CaptureFixture[str]) -> None:
    assert ask("--near", "12:00") == Exit.FOUND_PROBLEMS
    assert "the nearest is Smoke s7" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("--near", "noon"),
            "--near noon: is not a time in ISO 8601: 'noon': write it as 2026-01-05T10:10:21Z",
        ),
        (("--near", "25:00"), "--near 25:00"),
        (("--near", "10:00", "--key", "kitchn"), "did you mean 'kitchen'?"),
        (("--near", "10:00", "--with", "g99"), "reads no event of this id"),
        (("--near", "10:00", "--data", "lgo=house.jsonl"), "did you mean 'log'?"),
    ],
)
def test_what_cannot_be_used_is_said(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask(*words) == Exit.REFUSED
    assert said in capsys.readouterr().err


def test_a_wrong_pattern_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["why-not", "gasfire", "--pipeline", "house.yaml", "--near", "10:00"]) == Exit.REFUSED
    assert "the pipeline has no pattern 'gasfire': did you mean 'gas_fire'?" in capsys.readouterr().err


def test_a_pipeline_with_errors_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "house.yaml").write_text("version: 1\n")
    assert ask("--near", "10:00") == Exit.REFUSED
    assert "error" in capsys.readouterr().err


def test_a_time_of_day_is_on_the_last_day_that_has_it(capsys: pytest.CaptureFixture[str]) -> None:
    with Path("house.jsonl").open("a") as log:
        log.write('{"event": "Smoke", "id": "n1", "time": "2026-01-06T09:00:00Z", "room": "hall"}\n')
    ask("--near", "10:00:20", "--key", "kitchen")
    assert capsys.readouterr().out.startswith("gas_fire near 2026-01-05 10:00:20Z")
    ask("--near", "08:59:50", "--key", "hall")
    assert capsys.readouterr().out.startswith("gas_fire near 2026-01-06 08:59:50Z")


def test_values_of_the_pipeline_may_be_others(capsys: pytest.CaptureFixture[str]) -> None:
    assert ask("--near", "10:10:15", "--key", "cellar", "--set", "params.limit=30") == Exit.FINE
    assert "  is there  " in capsys.readouterr().out


def test_a_source_that_never_ends_needs_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (
        (tmp_path / "house.yaml")
        .read_text()
        .replace("channel: house.jsonl", "channel: house.jsonl\n    follow: true")
    )
    (tmp_path / "house.yaml").write_text(text)
    assert ask("--near", "10:00:20") == Exit.REFUSED
    assert "source 'log' never ends: give its events in a file, --data log=FILE" in capsys.readouterr().err
    assert ask("--near", "10:00:20", "--data", "log=house.jsonl") == Exit.FINE


def test_a_limit_is_a_number_of_misses(capsys: pytest.CaptureFixture[str]) -> None:
    for limit in ("0", "-1", "x"):
        with pytest.raises(SystemExit):
            ask("--near", "10:00:20", f"--limit={limit}")
        assert f"'{limit}' is no number of misses: write 1 or more" in capsys.readouterr().err


def test_of_records_that_give_no_event_no_day_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    Path("house.jsonl").write_text("{bad\n")
    assert ask("--near", "10:00:20") == Exit.REFUSED
    assert "that says the day (records that give no event: 1): write it" in capsys.readouterr().err
