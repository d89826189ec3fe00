"""`limecep schema`: what may stand in a pipeline file, as JSON Schema for editors or as tables for people."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from limecep.cli.exits import Exit
from limecep.cli.option_tables import of_blocks
from limecep.config.schema import schema
from limecep.host import Host

if TYPE_CHECKING:
    import argparse


def declare(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    parser.add_argument("--format", choices=("json", "markdown"), default="json")
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    """Prints the schema. It knows the components that are installed here."""
    registry = Host.load().registry
    if args.format == "markdown":
        print(of_blocks(registry))
    else:
        print(json.dumps(schema(registry), indent=2, ensure_ascii=False))
    return Exit.FINE
