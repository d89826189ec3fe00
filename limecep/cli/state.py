"""`limecep state show` and `reset`: what a state has, and how to be rid of it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from limecep.cli.exits import Exit
from limecep.clock import SystemClock
from limecep.config.loader import load
from limecep.contracts.context import Context
from limecep.errors import ConfigurationError
from limecep.host import Host
from limecep.problems import Problem
from limecep.runtime.components import Components
from limecep.state.stores import checked
from limecep.state.summary import shown

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from limecep.contracts.state import StateStore

_OF = "the folder of the state, or the file of its pipeline"


def declare(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    showing = subparsers.add_parser("show", help="say what a state has, as a line of JSON")
    showing.add_argument("of", metavar="DIR", type=Path, help=_OF)
    showing.set_defaults(execute=_show)
    resetting = subparsers.add_parser(
        "reset",
        help="delete a state, so that its pipeline begins anew",
        description="Deletes a state. What was found so far is forgotten, also what was not sent yet; where "
        "the sources begin then is up to them.",
    )
    resetting.add_argument("of", metavar="DIR", type=Path, help=_OF)
    resetting.set_defaults(execute=_reset)


def _show(args: argparse.Namespace) -> int:
    components, store = _store(args.of)
    try:
        store.peek()
        try:
            told = shown(store)
        finally:
            store.close()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        components.blame(error)
    print(json.dumps(told, default=str))
    return Exit.FINE


def _reset(args: argparse.Namespace) -> int:
    components, store = _store(args.of)
    try:
        where = store.figures()
        store.reset()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        components.blame(error)
    print(json.dumps({"deleted": where}, default=str))
    return Exit.FINE


def _store(of: Path) -> tuple[Components, StateStore]:
    """The state store that is meant, not open, and what tells of an error that it is the store's.

    Raises:
        ConfigurationError: It cannot be told.
    """
    registry = Host.load().registry
    spec, options, root = registry.default("state"), None, Path()
    if of.is_file():
        loaded = load(of, registry)
        config, registry = loaded.checked(), loaded.registry
        if config.state is None:
            raise ConfigurationError([Problem(code="no-state", message=f"{of} keeps no state")])
        spec, options, root = config.state.spec, config.state.options, config.root
    elif spec is None:
        raise ConfigurationError([registry.no_default("state")])
    else:
        made: Callable[..., object] = spec.options
        options = made(dir=str(of))
    context = Context(
        label="state",
        clock=SystemClock(),
        counters=Counter(),
        logger=structlog.get_logger(),
        root=root,
    )
    components = Components(registry)
    return components, checked(components.make(spec, context, options))
