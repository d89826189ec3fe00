"""`--runner NAME`, with an argument for each of its options."""

from __future__ import annotations

import argparse
import contextlib
import json
from collections.abc import Mapping
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any, get_origin, get_type_hints

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
        kinds = get_type_hints(spec.options)
        for field, key in zip(fields(spec.options), keys(spec.options), strict=True):
            # One that has the name of another argument is given by --set.
            with contextlib.suppress(argparse.ArgumentError):
                several = get_origin(kinds[field.name]) is Mapping
                text = field.metadata["help"].replace("%", "%%")
                group.add_argument(
                    f"--{key.replace('_', '-')}",
                    metavar="KEY=VALUE" if several else "VALUE",
                    dest="overrides",
                    action=_Pairs if several else "append",
                    type=partial(_override, key),
                    default=[],
                    help=f"{text} May be given several times." if several else text,
                )


def _override(key: str, value: str) -> str:
    return f"runner.{key}={value}"


class _Pairs(argparse.Action):
    """Pairs, given one by one, as one override with all of them; or a block of YAML."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: Any = None
    ) -> None:
        path, _, pair = values.partition("=")
        if pair.startswith("{"):
            namespace.overrides = [*namespace.overrides, values]
            return
        key, equals, value = pair.partition("=")
        if not (key and equals):
            parser.error(f"{option} takes KEY=VALUE, not '{pair}'")
        pairs = vars(namespace).setdefault(path, {})
        before = _block(path, pairs)
        pairs[key] = value
        kept = [override for override in namespace.overrides if override != before]
        namespace.overrides = [*kept, _block(path, pairs)]


def _block(path: str, pairs: Mapping[str, str]) -> str:
    return f"{path}={json.dumps(pairs)}"
