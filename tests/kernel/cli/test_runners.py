"""`--runner` and the options of runners on the command line."""

from __future__ import annotations

import argparse
from collections.abc import Mapping  # noqa: TC003 - options are read by their types
from dataclasses import dataclass

import pytest

from limecep import ComponentSpec, option
from limecep.cli.runners import add_runner
from limecep.registry import Registry


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterOptions:
    node_count: int = option(1, help="How many, 100% of them.")
    conf: Mapping[str, str | int] = option({}, help="Settings.")
    report: str = option("", help="Named as an argument of the command.")


REGISTRY = Registry(
    [
        ComponentSpec(
            kind="runner", name="cluster", factory="nowhere:Nothing", summary="Runs.", options=ClusterOptions
        )
    ]
)


@pytest.fixture
def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    parser.add_argument("--set", dest="overrides", action="append", default=[])
    parser.add_argument("--report")
    add_runner(parser, REGISTRY)
    return parser


def test_options_of_a_runner_are_overrides(parser: argparse.ArgumentParser) -> None:
    args = parser.parse_args(["--set", "a=1", "--runner", "cluster", "--node-count", "3"])
    assert (args.runner, args.overrides) == ("cluster", ["a=1", "runner.node_count=3"])


def test_pairs_are_given_one_by_one(
    parser: argparse.ArgumentParser, capsys: pytest.CaptureFixture[str]
) -> None:
    args = parser.parse_args(["--conf", "a.b=1,2", "--conf", "{c: 3}", "--conf", "d=e=f"])
    assert args.overrides == ["runner.conf={c: 3}", 'runner.conf={"a.b": "1,2", "d": "e=f"}']
    with pytest.raises(SystemExit):
        parser.parse_args(["--conf", "a"])
    assert "--conf takes KEY=VALUE, not 'a'" in capsys.readouterr().err


def test_an_option_gives_way_to_an_argument_of_its_name(parser: argparse.ArgumentParser) -> None:
    args = parser.parse_args(["--report", "r.json"])
    assert (args.report, args.overrides) == ("r.json", [])


def test_their_help_is_that_of_the_options(
    parser: argparse.ArgumentParser, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parser.parse_args(["--help"])
    assert "How many, 100% of them." in capsys.readouterr().out
