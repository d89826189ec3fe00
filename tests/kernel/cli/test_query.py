from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING, Any

import pytest

from limecep import cli
from limecep.cli.exits import Exit
from limecep.translation.translate import translate

if TYPE_CHECKING:
    from pathlib import Path

SQL = (
    "SELECT * FROM t MATCH_RECOGNIZE (ORDER BY ts PATTERN (A B) WITHIN INTERVAL '1' HOUR DEFINE B AS v > A.v)"
)


def given(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    class Input:
        buffer = io.BytesIO(data)

    monkeypatch.setattr(sys, "stdin", Input)


def test_it_prints_the_pipeline_of_a_file_or_of_standard_input(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "q.sql"
    for data in (SQL.encode(), SQL.replace(" ", "\r\n").encode("utf-8-sig"), SQL.encode("utf-16")):
        file.write_bytes(data)
        assert cli.main(["query", "--from-sql", str(file)]) == Exit.FINE
        assert capsys.readouterr() == (f"{translate(SQL)}\n", "")
    given(SQL.encode(), monkeypatch)
    assert cli.main(["query", "--from-sql", "-"]) == Exit.FINE
    assert capsys.readouterr() == (f"{translate(SQL)}\n", "")


def test_what_cannot_be_carried_over_is_told_with_its_place_and_nothing_is_printed(
    capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    given(SQL.replace("WITHIN INTERVAL '1' HOUR ", "\n").encode(), monkeypatch)
    assert cli.main(["query", "--from-sql", "-"]) == Exit.FOUND_PROBLEMS
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        "standard input:1:58: error: there is no WITHIN, and a match must not last for ever [no-within]\n"
        f"    {SQL[:59]}\n"
        f"    {' ' * 57}^\n"
        "    add WITHIN INTERVAL '1' HOUR after PATTERN (...), with a time that no match exceeds\n"
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "cannot be read: Is a directory [unreadable-file]"),
        ("nothing.sql", "cannot be read: No such file or directory [unreadable-file]"),
        ("bad.sql", "this is not UTF-8: byte 3 cannot be read [not-utf8]"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(name: str, said: str, tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "bad.sql").write_bytes(b"--\xff")
    assert cli.main(["query", "--from-sql", str(tmp_path / name)]) == Exit.REFUSED
    assert f"{tmp_path / name}: error: {said}\n" in capsys.readouterr().err
