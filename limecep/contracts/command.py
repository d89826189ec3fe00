"""Commands are sub-commands of `limecep` that plugins bring."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import argparse


class Command(Protocol):
    """Made when it is called: `Factory(registry)`, where `registry` has the components there are. The name of
    its spec is the word that calls it, with `-` for `_`; the words of limecep itself are taken. The name
    `plugins_new` makes it a sub-command of one of those: `limecep plugins new`.

    Duties: the factory's module and `declare` import no client library, so that `--help` works where one is
    missing. Data goes to standard output, everything else to standard error.
    """

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Adds the arguments. `execute` and `log_level` of what they come to are the kernel's."""

    def execute(self, args: argparse.Namespace) -> int:
        """Does it. It is called only where all modules are there that the spec requires.

        Returns:
            The exit code, one of `limecep.embedding.commands.Exit`.

        Raises:
            ConfigurationError: What it was given cannot be used as written.
            RunFailure: It could not go on.
        """
