"""Parsers whose arguments are added when they are needed."""

from __future__ import annotations

import argparse

from limecep.cli.deferred import Deferred


def test_the_arguments_of_a_command_are_added_once_and_only_when_it_is_called() -> None:
    added = []

    def arguments(parser: argparse.ArgumentParser) -> None:
        added.append(parser.prog)
        parser.add_argument("--for")

    parser = argparse.ArgumentParser(prog="p")
    commands = parser.add_subparsers(parser_class=Deferred, dest="command")
    commands.add_parser("run", arguments=arguments)
    commands.add_parser("check")
    assert parser.parse_args(["check"]) == argparse.Namespace(command="check")
    assert added == []
    for _ in range(2):
        called = parser.parse_args(["run", "--for", "1s"])
        assert vars(called) == {"command": "run", "for": "1s"}
    assert added == ["p run"]
