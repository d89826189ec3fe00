"""`limecep schema`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from limecep import cli
from limecep.cli.exits import Exit
from limecep.cli.option_tables import of_blocks
from limecep.config.schema import schema

if TYPE_CHECKING:
    from limecep.registry import Registry


def test_by_default_it_is_for_editors(installed: Registry, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["schema"]) == Exit.FINE
    said = capsys.readouterr().out
    assert json.loads(said) == json.loads(json.dumps(schema(installed)))
    assert said.startswith('{\n  "')


def test_as_markdown_it_is_for_people(installed: Registry, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["schema", "--format", "markdown"]) == Exit.FINE
    assert capsys.readouterr().out == of_blocks(installed) + "\n"


def test_another_format_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["schema", "--format", "xml"])
    assert caught.value.code == Exit.USAGE
    assert "markdown" in capsys.readouterr().err
