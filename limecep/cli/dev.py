"""`limecep dev brokers`: real brokers on this machine, for trying pipelines out. They import no client."""

from __future__ import annotations

import argparse
import shutil
import socket
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from limecep.cli.exits import Exit
from limecep.cli.stopping import Stop
from limecep.clock import pause
from limecep.errors import RunFailure
from limecep.problems import suggestion
from limecep.testing.kafka import KafkaBroker, Unavailable
from limecep.testing.mosquitto import MosquittoBroker
from limecep.testing.proxy import free_port

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

#: How often it is looked whether the brokers still run, in seconds.
GLANCE = 0.2


class Broker(Protocol):
    """What runs until it is told otherwise."""

    @property
    def runs(self) -> bool: ...

    def start(self) -> None: ...

    def close(self) -> None: ...


#: The brokers, by the names of their connectors: the port where clients look for one, and how it is made of a
#: folder and a port.
BROKERS: dict[str, tuple[int, Callable[[Path, int], Broker]]] = {
    "kafka": (9092, lambda folder, port: KafkaBroker(folder, port=port)),
    "mqtt": (1883, lambda folder, port: MosquittoBroker(folder, port=port)),
}


def declare(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    brokers = subparsers.add_parser(
        "brokers",
        help="run Kafka and Mosquitto until Ctrl-C",
        description="Runs real brokers on loopback until Ctrl-C: at their usual ports, or at free ones where "
        "these are taken. Kafka needs Java and, the first time, Maven; MQTT needs Mosquitto.",
    )
    names = ", ".join(BROKERS)
    brokers.add_argument(
        "names", metavar="NAME", nargs="*", type=_name, help=f"some of {names} (default: all)"
    )
    brokers.add_argument(
        "--dir", metavar="DIR", type=Path, help="where their data and logs go, and stay (default: nowhere)"
    )
    brokers.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    """Runs the brokers until it is told to stop.

    Raises:
        RunFailure: One of them cannot be had, or has ended by itself.
    """
    with Stop() as stop, ExitStack() as stack:
        folder = args.dir.absolute() if args.dir else Path(tempfile.mkdtemp(prefix="limecep-"))
        if not args.dir:
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
        brokers = _started(args.names or [*BROKERS], folder, stack, stop)
        if not stop.asked:
            print("Ctrl-C ends them", file=sys.stderr)
        while not stop.asked:
            for name, broker in brokers.items():
                if not broker.runs and not stop.asked:
                    raise RunFailure(f"{name} has ended by itself{_said(folder / name)}")
            pause(GLANCE)
    return Exit.FINE


def _started(names: Sequence[str], folder: Path, stack: ExitStack, stop: Stop) -> dict[str, Broker]:
    """The brokers, each listening; they end with `stack`."""
    made: dict[str, tuple[Broker, int]] = {}
    try:
        # What is missing is told before anything starts.
        for name in dict.fromkeys(names):
            usual, make = BROKERS[name]
            port = _port(usual)
            print(f"starting {name}", file=sys.stderr)
            made[name] = make(folder / name, port), port
            stack.callback(made[name][0].close)
        for name, (broker, port) in made.items():
            broker.start()
            print(f"{name:6} 127.0.0.1:{port}", flush=True)
    except Unavailable as error:
        raise RunFailure(str(error)) from None
    except OSError as error:
        raise RunFailure(f"the folder {folder} cannot be used: {error.strerror}") from None
    return {name: broker for name, (broker, _) in made.items()}


def _name(text: str) -> str:
    if text not in BROKERS:
        raise argparse.ArgumentTypeError(f"there is no broker '{text}': {suggestion(text, BROKERS)}")
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
