"""`--no-color`: the same as the environment variable NO_COLOR."""

from __future__ import annotations

import argparse
import os
from typing import Any


def add_no_color(parser: argparse.ArgumentParser) -> None:
    """Adds `--no-color`."""
    parser.add_argument("--no-color", nargs=0, action=_NoColor, help="no colours (as with NO_COLOR=1)")


class _NoColor(argparse.Action):
    def __call__(self, *_: Any) -> None:
        os.environ["NO_COLOR"] = "1"
