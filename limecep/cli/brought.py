"""Sub-commands that plugins bring: looked for only where the words given are none of limecep's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.errors import ConfigurationError

if TYPE_CHECKING:
    import argparse

    from limecep.contracts.command import Command
    from limecep.registry import Registry


def declare(parser: argparse.ArgumentParser, name: str, registry: Registry) -> None:
    """Adds the arguments of a plugin's command.

    Raises:
        ConfigurationError: More than one plugin brings it.
        RunFailure: It cannot be imported.
    """
    spec = registry.find("command", name)
    if spec is None:
        raise ConfigurationError([registry.problem("command", name)])
    command: Command = registry.make(spec, registry)
    command.declare(parser)

    def execute(args: argparse.Namespace) -> int:
        if registry.missing(spec):
            raise ConfigurationError([registry.problem("command", name)])
        return command.execute(args)

    parser.set_defaults(execute=execute)
