"""Commands that plugins bring: looked for only where the words given are none of limecep's own, or where a
command of limecep asks for those below it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from limecep.cli import COMMANDS
from limecep.errors import ConfigurationError, RunFailure
from limecep.protocols import PROTOCOLS
from limecep.registry import OWN

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from limecep.contracts.command import Command
    from limecep.registry import Registry


def add(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
    registry: Registry,
    *,
    below: str = "",
    parents: Sequence[argparse.ArgumentParser] = (),
) -> None:
    """Adds commands by name; nothing of them is imported before they are called.

    Args:
        subparsers: Where they are added. What is there already stays.
        registry: The components there are.
        below: The command of limecep whose sub-commands they are; by default they stand beside those.
        parents: Whose arguments they take, too.
    """
    for spec in registry.specs("command"):
        first, _, rest = spec.name.partition("_")
        above, word = (first, rest) if first in COMMANDS else ("", spec.name)
        word = word.replace("_", "-")
        if above != below or not word or word in subparsers.choices:
            continue
        summary = spec.summary.replace("%", "%%")
        subparsers.add_parser(
            word,
            help=summary[0].lower() + summary[1:],
            description=f"{summary}.",
            parents=[*parents],
            arguments=partial(_declare, spec.name, registry),
        )


def _declare(name: str, registry: Registry, parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of a plugin's command.

    Raises:
        ConfigurationError: More than one plugin brings it.
        RunFailure: It cannot be imported, or breaks its contract.
    """
    spec = registry.find("command", name)
    if spec is None:
        raise ConfigurationError([registry.problem("command", name)])
    plugin = registry.origin(spec)
    if plugin is not None and plugin.distribution != OWN:
        from limecep.contracts.duties import lacking

        if said := lacking(spec, registry.factory(spec), PROTOCOLS["command"]):
            raise RunFailure(f"command '{name}' of {plugin} {said}")
    command: Command = registry.make(spec, registry)
    command.declare(parser)

    def execute(args: argparse.Namespace) -> int:
        if registry.missing(spec):
            raise ConfigurationError([registry.problem("command", name)])
        return command.execute(args)

    parser.set_defaults(execute=execute)
