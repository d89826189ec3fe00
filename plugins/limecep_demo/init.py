"""`limecep init`: a folder to begin with."""

from __future__ import annotations

import argparse
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from limecep.embedding.commands import Exit
from limecep.errors import RunFailure
from limecep_demo.command import called, demo_name
from limecep_demo.demos import DEMOS
from limecep_demo.project import project

if TYPE_CHECKING:
    from limecep.registry import Registry


class InitCommand:
    """`limecep init` (`limecep.contracts.command`).

    Args:
        registry: The components there are.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Adds the arguments."""
        parser.add_argument("folder", metavar="DIR", type=_folder, help="the folder; it need not be there")
        names = ", ".join(DEMOS)
        parser.add_argument(
            "--from",
            metavar="DEMO",
            dest="demo",
            type=demo_name,
            default=next(iter(DEMOS)),
            help=f"the demo whose pipeline and data they are: {names} (default: the first)",
        )

    def execute(self, args: argparse.Namespace) -> int:
        """Writes the folder.

        Raises:
            RunFailure: It cannot be written, or there is something else in it.
        """
        try:
            files = project(DEMOS[args.demo], args.folder)
        except OSError as error:
            said = f"'{error.filename}': {error.strerror}" if error.filename else error
            raise RunFailure(f"the folder cannot be written: {said}") from error
        for file in files:
            print(file)
        command = called()
        folder, pipeline = (quote(str(path)) for path in (args.folder, args.folder / "pipeline.yaml"))
        print(f"\nnext      {command} test {folder} && {command} run {pipeline}")
        return Exit.FINE


def _folder(text: str) -> Path:
    if not text.strip():
        raise argparse.ArgumentTypeError("it names no folder: write . for this one")
    return Path(text)
