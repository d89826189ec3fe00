"""`limecep schema`: the JSON Schema of pipeline files, for editors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from limecep.cli.exits import Exit
from limecep.config.schema import schema
from limecep.host import Host

if TYPE_CHECKING:
    import argparse


def declare(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    """Prints the schema. It knows the components that are installed here."""
    print(json.dumps(schema(Host.load().registry), indent=2, ensure_ascii=False))
    return Exit.FINE
