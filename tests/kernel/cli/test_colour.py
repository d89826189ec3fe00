"""`--no-color`."""

from __future__ import annotations

import argparse
import os

import pytest

from limecep.cli.colour import add_no_color


@pytest.mark.parametrize(("arguments", "said"), [([], None), (["--no-color"], "1")])
def test_it_is_the_same_as_the_environment_variable(
    arguments: list[str], said: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What the option sets is taken back with this.
    monkeypatch.setenv("NO_COLOR", "")
    monkeypatch.delenv("NO_COLOR")
    parser = argparse.ArgumentParser()
    add_no_color(parser)
    parser.parse_args(arguments)
    assert os.environ.get("NO_COLOR") == said
    assert "no colours" in parser.format_help()
