"""The sub-commands of `limecep data`, one module each: `declare(parser)` adds the arguments, `execute(args,
registry)` does it and gives the exit code. They import Spark when they are executed."""

from __future__ import annotations

import json

from limecep.cli.exits import Exit


def told(**facts: object) -> int:
    """Says on standard output what was done, as a line of JSON; gives the exit code."""
    print(json.dumps(facts))
    return Exit.FINE
