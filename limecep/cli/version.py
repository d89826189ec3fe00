"""`limecep version`."""

from __future__ import annotations

import json
import platform
from typing import TYPE_CHECKING

from limecep import API_VERSION, __version__
from limecep.cli.exits import Exit
from limecep.compiled import is_compiled

if TYPE_CHECKING:
    import argparse


def declare(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    parser.add_argument("--json", action="store_true", help="as JSON, with the versions of what it stands on")
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    """Prints the version, and whether the modules that can be compiled are."""
    if args.json:
        facts = {
            "limecep": __version__,
            "plugin_api": API_VERSION,
            "python": platform.python_version(),
            "machine": platform.machine(),
            "compiled": is_compiled(),
        }
        print(json.dumps(facts))
    else:
        print(f"limecep {__version__} ({'compiled' if is_compiled() else 'pure'})")
    return Exit.FINE
