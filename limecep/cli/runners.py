"""`--runner NAME`, with an argument for each of its options."""

from __future__ import annotations

import argparse
import contextlib
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING

from limecep.config.options import keys

if TYPE_CHECKING:
    from limecep.registry import Registry


def add_runner(parser: argparse.ArgumentParser, registry: Registry) -> None:
    """Adds `--runner` and the options of all runners. Options given are overrides, `runner.KEY=VALUE`."""
    parser.add_argument(
        "--runner",
        metavar="NAME",
        help="where it is run, instead of what the file says; an option of the runner is an argument, too",
    )
    for spec in registry.specs("runner"):
        if not fields(spec.options):
            continue
        group = parser.add_argument_group(f"options of runner {spec.name}, instead of those in the file")
        for field, key in zip(fields(spec.options), keys(spec.options), strict=True):
            # One that has the name of another argument is given by --set.
            with contextlib.suppress(argparse.ArgumentError):
                group.add_argument(
                    f"--{key.replace('_', '-')}",
                    metavar="VALUE",
                    dest="overrides",
                    action="append",
                    type=partial(_override, key),
                    default=[],
                    help=field.metadata["help"].replace("%", "%%"),
                )


def _override(key: str, value: str) -> str:
    return f"runner.{key}={value}"
