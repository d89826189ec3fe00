"""The sub-commands of `limecep data`, one module each: `declare(parser)` adds the arguments, `execute(args,
registry)` does it and gives the exit code. They import Spark when they are executed."""

from __future__ import annotations

import json
from typing import NoReturn

from limecep.embedding.commands import Exit
from limecep.errors import ConfigurationError
from limecep.problems import Problem


def told(**facts: object) -> int:
    """Says on standard output what was done, as a line of JSON; gives the exit code."""
    print(json.dumps(facts))
    return Exit.FINE


def refuse(argument: str, spec: str) -> NoReturn:
    """Says that an argument does not go with a file that has it all.

    Raises:
        ConfigurationError: Always.
    """
    problem = Problem(
        code="two-specs", message=f"{argument} does not go with --spec", hint=f"write it into {spec}"
    )
    raise ConfigurationError([problem])
