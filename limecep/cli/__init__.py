"""The command `limecep`. Each sub-command is a module of this package, or brought by a plugin; it is imported
when it is called."""

from __future__ import annotations

import argparse
import importlib
import sys
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING

from limecep import __version__
from limecep.cli.deferred import Deferred
from limecep.cli.exits import Exit, abandon_output
from limecep.cli.failures import finish_output, have_output, redactions, tell
from limecep.cli.signals import Stop

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Sub-commands, with what they do.
COMMANDS = {
    "run": "run a pipeline",
    "check": "check pipeline files without running them",
    "explain": "say what will be done for each pattern of a pipeline",
    "query": "write a pattern of SQL as a query",
    "state": "show or reset what a pipeline keeps across crashes",
    "schema": "print the JSON Schema of pipeline files, for editors",
    "plugins": "show what is installed",
    "version": "print the version",
}

LOG_LEVELS = ("debug", "info", "warning", "error")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command.

    Args:
        argv: The arguments; by default those of the process.

    Returns:
        The exit code, one of `Exit`.
    """
    if not have_output():
        return Exit.FAILED
    arguments = list(sys.argv[1:] if argv is None else argv)
    log_level, args = "info", None
    redactions.clear()
    try:
        try:
            # Most of the time that a run takes to start goes into importing what it needs.
            with Stop() if _called(arguments) == "run" else nullcontext() as stop:
                args = _parser(arguments).parse_args(arguments)
                log_level, args.stop = args.log_level, stop
                code: int = args.execute(args)
        except (BrokenPipeError, KeyboardInterrupt):
            raise
        except BaseException as e:
            if isinstance(e, SystemExit) and (e.code or args is None):
                raise
            if not isinstance(e, Exception):
                # A component that ends the process, or cancels what it does itself, ends no command well.
                from limecep.cli.culprits import ending

                e = ending(e)
            code = tell(e, log_level)
        return finish_output(code)
    except BrokenPipeError:
        abandon_output()
        return Exit.UNREAD
    except KeyboardInterrupt as interrupt:
        from limecep.cli.culprits import tell_interrupted

        tell_interrupted(interrupt)
        return Exit.INTERRUPTED


def _called(arguments: Sequence[str]) -> str | None:
    """The sub-command."""
    return next((a for a in arguments if not a.startswith("-")), None)


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="limecep", description="Complex event processing for small machines and untidy streams."
    )
    parser.add_argument("--version", action="version", version=f"limecep {__version__}")
    parser.set_defaults(log_level="info")
    logging = argparse.ArgumentParser(add_help=False)
    logging.add_argument(
        "--log-level", choices=LOG_LEVELS, default="info", help="least level to log (default: info)"
    )
    deferred: type[argparse.ArgumentParser] = Deferred
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=deferred)
    for name, summary in COMMANDS.items():
        subparsers.add_parser(
            name,
            help=summary,
            description=f"{summary.capitalize()}.",
            parents=[logging],
            arguments=partial(_declare, name),
        )
    if _called(arguments) not in COMMANDS:
        # Finding what plugins bring takes a moment.
        from limecep.cli import plugin_commands
        from limecep.host import Host

        plugin_commands.add(subparsers, Host.load().registry, parents=[logging])
    return parser


def _declare(name: str, parser: argparse.ArgumentParser) -> None:
    importlib.import_module(f"limecep.cli.{name}").declare(parser)
