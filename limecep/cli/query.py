"""`limecep query`: writes a pattern that another language describes as a query of ours."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from limecep.cli.exits import Exit
from limecep.errors import ConfigurationError
from limecep.language.problems import QueryError
from limecep.problems import Place, Problem

if TYPE_CHECKING:
    import argparse

_STDIN = "-"


def declare(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    parser.add_argument(
        "--from-sql",
        metavar="FILE",
        required=True,
        help="a file with one SQL statement that has MATCH_RECOGNIZE; - is standard input",
    )
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    """Prints a pipeline with the query, or what of the statement cannot be carried over.

    Raises:
        ConfigurationError: The file cannot be read.
    """
    # The parser generator, for whom has a statement.
    from limecep.translation.translate import translate

    name = "standard input" if args.from_sql == _STDIN else args.from_sql
    text = _text(args.from_sql, name)
    try:
        print(translate(text))
    except QueryError as error:
        for problem in error.problems:
            print(problem.within(text, name), file=sys.stderr)
        return Exit.FOUND_PROBLEMS
    return Exit.FINE


def _text(file: str, name: str) -> str:
    """The statement. Like a pipeline it is UTF-8, or UTF-16 with a byte order mark."""
    try:
        data = sys.stdin.buffer.read() if file == _STDIN else Path(file).read_bytes()
        encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
        return data.decode(encoding).replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        code, message = "not-utf8", f"this is not UTF-8: byte {error.start + 1} cannot be read"
        hint = "save the file as UTF-8"
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        code, message, hint = "unreadable-file", f"cannot be read: {reason}", ""
    place = Place(file=name, line=0, column=0)
    raise ConfigurationError([Problem(code=code, message=message, hint=hint, place=place)])
