"""`limecep check`. What it finds is tested with the loader; here is what it says and returns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep import cli
from limecep.cli import check
from limecep.cli.exits import Exit
from limecep.config.loader import Loaded
from limecep.problems import Place, Problem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from limecep.registry import Registry

ERROR = Problem(
    code="unknown-key",
    message="no key 'x'",
    place=Place(file="b.yaml", line=2, column=1, text="x: 1", width=1),
)
WARNING = Problem(code="no-time", message="no time", severity="warning")
FOUND = {"fine.yaml": [], "odd.yaml": [WARNING], "bad.yaml": [ERROR, ERROR, WARNING]}


@pytest.fixture
def overrides(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Loading is made up; what `--set` said ends up here."""
    said: list[str] = []

    def load(
        path: str,
        registry: Registry,
        *,
        overrides: Sequence[str],
        environment: Mapping[str, str],
        runner: str | None,
    ) -> Loaded:
        said.extend(overrides)
        return Loaded(config=None, problems=FOUND[path])

    monkeypatch.setattr(check, "load", load)
    return said


@pytest.mark.parametrize(
    ("files", "code", "last"),
    [
        (["fine.yaml"], Exit.FINE, "fine.yaml: ok"),
        (["odd.yaml"], Exit.FINE, "odd.yaml: 1 warning"),
        (["bad.yaml"], Exit.FOUND_PROBLEMS, "bad.yaml: 2 errors, 1 warning"),
        (["bad.yaml", "fine.yaml"], Exit.FOUND_PROBLEMS, "fine.yaml: ok"),
    ],
)
def test_each_file_has_its_line_and_errors_alone_make_it_fail(
    files: list[str], code: Exit, last: str, overrides: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["check", *files]) == code
    assert capsys.readouterr().out.splitlines()[-1] == last


def test_problems_are_shown_with_their_place(
    overrides: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    cli.main(["check", "bad.yaml"])
    assert capsys.readouterr().out.startswith(
        "b.yaml:2:1: error: no key 'x' [unknown-key]\n    x: 1\n    ^\n"
    )


def test_values_set_on_the_command_line_reach_the_loader(overrides: list[str]) -> None:
    cli.main(["check", "fine.yaml", "--set", "params.limit=5", "--set", "name=x=y"])
    assert overrides == ["params.limit=5", "name=x=y"]
