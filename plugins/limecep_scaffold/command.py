"""`limecep plugins new`: a distribution with a component that works, and its tests."""

from __future__ import annotations

import sys
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from limecep.embedding.commands import Exit
from limecep.errors import ConfigurationError
from limecep_scaffold.scaffolding import components, kinds, scaffold

if TYPE_CHECKING:
    import argparse

    from limecep.registry import Registry


class NewCommand:
    """`limecep plugins new` (`limecep.contracts.command`).

    Args:
        registry: The components there are.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Adds the arguments."""
        parser.description = (
            "Writes a distribution with a component that works, and its tests; a transport is a source and a "
            "sink."
        )
        parser.add_argument("kind", metavar="KIND", choices=kinds(), help=f"one of {', '.join(kinds())}")
        parser.add_argument("name", metavar="NAME", help="what it is called in pipelines, such as my_engine")
        parser.add_argument(
            "--dir", metavar="DIR", type=Path, default=Path(), help="where its folder is made (default: here)"
        )

    def execute(self, args: argparse.Namespace) -> int:
        """Writes it, and says what comes next.

        Raises:
            LimecepError: Its folder is there already, or cannot be written.
        """
        try:
            folder, written = scaffold(args.kind, args.name, args.dir, self._registry)
        except ConfigurationError as e:
            print(e, file=sys.stderr)
            return Exit.USAGE
        for path in written:
            print(path)
        print(f"\nnext  cd {quote(str(folder))} && pip install -e '.[test]' && pytest")
        for kind in components(args.kind):
            print(f"then  limecep plugins show {kind}/{args.name}")
        return Exit.FINE
