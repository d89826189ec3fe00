"""`limecep dev brokers`: real brokers on this machine, for trying pipelines out. They import no client."""

from __future__ import annotations

import argparse
import shutil
import socket
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from limecep.clock import pause
from limecep.embedding.commands import Exit, Stop
from limecep.errors import RunFailure
from limecep.problems import suggestion
from limecep.testing.broker import free_port

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.broker import Broker
    from limecep.registry import Registry

#: How often it is looked whether the brokers still run.
GLANCE_SECONDS = 0.2


class DevCommand:
    """`limecep dev` (`limecep.contracts.command`).

    Args:
        registry: The components there are.
    """

    def __init__(self, registry: Registry) -> None:
        self._brokers: dict[str, type[Broker]] = {
            spec.name: registry.load(spec, spec.broker) for spec in registry.specs("source") if spec.broker
        }

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Adds the arguments."""
        subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
        needs = "; ".join(f"{name} needs {broker.NEEDS}" for name, broker in self._brokers.items())
        names = ", ".join(self._brokers)
        brokers = subparsers.add_parser(
            "brokers",
            help="run brokers until Ctrl-C",
            description="Runs real brokers on loopback until Ctrl-C: at their usual ports, or at free ones "
            f"where these are taken. {needs}.",
        )
        brokers.add_argument(
            "names", metavar="NAME", nargs="*", type=self._name, help=f"some of {names} (default: all)"
        )
        brokers.add_argument(
            "--dir",
            metavar="DIR",
            type=Path,
            help="where their data and logs go, and stay (default: nowhere)",
        )

    def execute(self, args: argparse.Namespace) -> int:
        """Runs the brokers until it is told to stop.

        Raises:
            RunFailure: One of them cannot be had, or has ended by itself.
        """
        with Stop() as stop, ExitStack() as stack:
            folder = args.dir.absolute() if args.dir else Path(tempfile.mkdtemp(prefix="limecep-"))
            if not args.dir:
                stack.callback(shutil.rmtree, folder, ignore_errors=True)
            brokers = self._started(args.names or [*self._brokers], folder, stack)
            if not stop.asked:
                print("Ctrl-C ends them", file=sys.stderr)
            while not stop.asked:
                for name, broker in brokers.items():
                    if not broker.runs and not stop.asked:
                        raise RunFailure(f"{name} has ended by itself{_said(folder / name)}")
                pause(GLANCE_SECONDS)
        return Exit.FINE

    def _started(self, names: Sequence[str], folder: Path, stack: ExitStack) -> dict[str, Broker]:
        """The brokers, each listening; they end with `stack`."""
        made: dict[str, tuple[Broker, int]] = {}
        try:
            # What is missing is told before anything starts.
            for name in dict.fromkeys(names):
                make = self._brokers[name]
                port = _port(make.PORT)
                print(f"starting {name}", file=sys.stderr)
                made[name] = make(folder / name, port=port), port
                stack.callback(made[name][0].close)
            for name, (broker, port) in made.items():
                broker.start()
                print(f"{name:6} 127.0.0.1:{port}", flush=True)
        except OSError as error:
            raise RunFailure(f"the folder {folder} cannot be used: {error.strerror}") from None
        return {name: broker for name, (broker, _) in made.items()}

    def _name(self, text: str) -> str:
        if text not in self._brokers:
            known = suggestion(text, self._brokers)
            raise argparse.ArgumentTypeError(f"there is no broker '{text}': {known}")
        return text


def _port(usual: int) -> int:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", usual))
        except OSError:
            return free_port()
    return usual


def _said(folder: Path) -> str:
    """The end of a broker's log."""
    log = folder / "log"
    text = log.read_text(errors="replace").strip() if log.exists() else ""
    return f": {text[-1000:]}" if text else ""
