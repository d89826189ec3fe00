"""`limecep test`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

from limecep import cli
from limecep.cli.exits import Exit
from limecep.testing.command import CommandConformance
from limecep_test.command import test_files as files_below
from limecep_test.plugin import TEST
from tests.plugins.limecep_test.conftest import case

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.plugins.limecep_test.conftest import House

FINE = case("g3(percent=62) h5 s21", "net: [fire]", name="a fire")
WRONG = case("g3(percent=62) h5 s21", "net: []", name="no fire")


class TestConformance(CommandConformance):
    """It keeps the contract of commands."""

    spec = TEST


def run(house: House, *arguments: str) -> int:
    return cli.main(["test", str(house.folder), *arguments])


def test_it_says_of_each_test_whether_it_holds(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    house.write(FINE + WRONG)
    assert run(house) == Exit.FOUND_PROBLEMS
    out = capsys.readouterr().out.splitlines()
    assert out[:4] == [
        str(house.file),
        "  ok      a fire",
        f"  FAILED  no fire   ({house.file}:7)",
        "    net: - expected, + got",
    ]
    assert out[4].startswith("      + fire g=g3 h=h5 s=s21 -> percent=62   (match ")
    assert out[-1].startswith("2 tests: 1 ok, 1 failed (")


def test_it_ends_well_where_all_hold(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    house.write(FINE)
    assert run(house) == Exit.FINE
    assert capsys.readouterr().out.splitlines()[-1].startswith("1 test: 1 ok (")


def test_a_file_that_cannot_be_used_is_refused_and_others_run(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    house.write(FINE)
    (house.folder / "bad.test.yaml").write_text("pipeline: house.yaml\ntests: []\n")
    assert run(house) == Exit.REFUSED
    out = capsys.readouterr().out
    assert "bad.test.yaml:2:8: error: there are no tests in it [tests-nothing]" in out
    assert "  ok      a fire" in out
    assert "1 test: 1 ok, 1 file that cannot be used (" in out


def test_update_writes_what_came_and_then_all_hold(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    house.write(FINE + WRONG)
    assert run(house, "--update") == Exit.FINE
    assert "  update  no fire" in capsys.readouterr().out
    assert run(house) == Exit.FINE
    before = house.file.stat().st_mtime_ns
    assert run(house, "--update") == Exit.FINE
    assert house.file.stat().st_mtime_ns == before


def test_other_orders_are_not_written_away(house: House) -> None:
    house.write(
        case("g3(percent=62) h5 s21", "net: [fire]", "any_order: 20").replace(
            "    any_order", "    set: {patterns.fire.lateness: {type: bound, within: 1s}}\n    any_order"
        )
    )
    assert run(house, "--update") == Exit.FOUND_PROBLEMS


def test_a_report_is_written_for_ci(house: House) -> None:
    house.write(FINE + WRONG)
    report = house.folder / "report.xml"
    assert run(house, "--junit", str(report)) == Exit.FOUND_PROBLEMS
    assert ElementTree.parse(report).getroot()[0].get("failures") == "1"
    assert run(house, "--junit", str(house.folder / "no" / "report.xml")) == Exit.FAILED


def test_where_there_is_nothing_to_test_it_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["test", str(tmp_path)]) == Exit.REFUSED
    assert "there is no test: no file *.test.yaml in" in capsys.readouterr().err
    assert cli.main(["test", str(tmp_path / "gone")]) == Exit.REFUSED
    assert "there is no '" in capsys.readouterr().err


def test_a_file_is_found_below_folders_but_not_in_hidden_ones(tmp_path: Path) -> None:
    for name in ("a.test.yaml", "b/c.test.yaml", ".venv/d.test.yaml", "b/e.yaml"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.touch()
    found = [str(f.relative_to(tmp_path)) for f in files_below([tmp_path, tmp_path / "b"])]
    assert found == ["a.test.yaml", "b/c.test.yaml"]
    assert list(files_below([tmp_path / "b/e.yaml"])) == [tmp_path / "b/e.yaml"]
