"""`limecep demo`: a story with generated data, told step by step. It needs no broker and no file."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from limecep import __version__
from limecep.embedding.commands import Exit, add_no_color
from limecep.embedding.pipelines import accounting, configure_logs
from limecep.errors import RunFailure
from limecep.output import terminal
from limecep.problems import suggestion
from limecep_demo.demos import DEMOS
from limecep_demo.teller import Teller

if TYPE_CHECKING:
    from limecep.registry import Registry


class DemoCommand:
    """`limecep demo` (`limecep.contracts.command`).

    Args:
        registry: The components there are.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Adds the arguments."""
        names = ", ".join(DEMOS)
        parser.add_argument(
            "name",
            metavar="NAME",
            nargs="?",
            type=demo_name,
            default=next(iter(DEMOS)),
            help=f"which one: {names} (default: the first)",
        )
        parser.add_argument("--into", metavar="DIR", type=Path, help="write its pipeline and its data there")
        add_no_color(parser)

    def execute(self, args: argparse.Namespace) -> int:
        """Tells the demo.

        Raises:
            ConfigurationError: A component that it needs is not there.
            RunFailure: Its files cannot be written.
        """
        configure_logs(args.log_level, sys.stderr)
        demo = DEMOS[args.name]
        with tempfile.TemporaryDirectory() as passing:
            try:
                file = demo.write(args.into or Path(passing))
            except OSError as e:
                raise RunFailure(f"the demo cannot be written: {e}") from e
            teller = Teller(
                demo,
                file,
                self._registry,
                coloured=terminal.coloured(sys.stdout),
                width=shutil.get_terminal_size().columns if sys.stdout.isatty() else None,
            )
            print(f"limecep {__version__}, demo {demo.name}: {demo.title}\n")
            for line in teller.lines():
                print(line)
        print(f"\n{accounting(teller.report())}\n")
        command, into = called(), args.into or Path(demo.name)
        written = "" if args.into else f"{command} demo {demo.name} --into {into} && "
        print(f"next      {written}{command} run {into / file.name}")
        for other in DEMOS.values():
            if other is not demo:
                print(f"also      {command} demo {other.name}: {other.title}")
        return Exit.FINE


def demo_name(text: str) -> str:
    """The name of a demo, as an argument.

    Raises:
        argparse.ArgumentTypeError: There is no such demo.
    """
    name = text.replace("-", "_")
    if name not in DEMOS:
        raise argparse.ArgumentTypeError(f"there is no demo '{text}': {suggestion(name, DEMOS)}")
    return name


def called() -> str:
    """What `limecep` is called, where it stands."""
    name = sys.argv[0]
    return name if name.endswith("/limecep") and shutil.which("limecep") != name else "limecep"
