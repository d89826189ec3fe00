"""`--set a.b=c`: values given on the command line instead of those in the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def add_set(parser: argparse.ArgumentParser) -> None:
    """Adds `--set`; the values end up in `overrides`, as given."""
    parser.add_argument(
        "--set",
        metavar="PATH=VALUE",
        dest="overrides",
        action="append",
        default=[],
        help="a value instead of that in the file, such as params.limit=50; may be given several times",
    )
