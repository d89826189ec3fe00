"""`limecep test`: runs tests that stand beside pipelines."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from limecep.clock import Stopwatch
from limecep.embedding.commands import Exit
from limecep.embedding.pipelines import configure_logs
from limecep.errors import ConfigurationError, RunFailure

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence

    from limecep.embedding.pipelines import Registry
    from limecep.problems import Problem
    from limecep_test.cases import Result
    from limecep_test.differences import Difference

#: What a test file's name ends with.
SUFFIX = ".test.yaml"


class TestingCommand:
    """`limecep test` (`limecep.contracts.command`).

    Args:
        registry: The components there are.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Adds the arguments."""
        parser.description = (
            f"Runs tests of pipelines: files *{SUFFIX}, which say what arrives and what is to come of it. "
            "They run on the engine and policies of the pipeline; nothing is connected."
        )
        parser.add_argument(
            "paths",
            metavar="PATH",
            nargs="*",
            type=Path,
            help="test files, and folders with such below them (default: the current folder)",
        )
        parser.add_argument(
            "--junit", metavar="FILE", type=Path, help="write a report in JUnit's XML, for CI"
        )
        parser.add_argument(
            "--update",
            action="store_true",
            help="write into the files what came out, in the place of what was expected",
        )

    def execute(self, args: argparse.Namespace) -> int:
        """Runs the tests.

        Raises:
            ConfigurationError: There is no test.
            RunFailure: A component failed, or a file cannot be written.
        """
        from limecep_test.cases import prepare

        configure_logs(args.log_level if args.log_level != "info" else "warning", sys.stderr)
        watch = Stopwatch()
        results: dict[Path, list[Result]] = {}
        refused: dict[Path, Sequence[Problem]] = {}
        files = list(test_files(args.paths or [Path()]))
        if not files:
            where = ", ".join(map(str, args.paths)) or "the current folder"
            raise ConfigurationError(f"limecep: there is no test: no file *{SUFFIX} in {where}")
        for path in files:
            prepared = prepare(path, self._registry, structlog.get_logger(), update=args.update)
            for problem in prepared.problems:
                print(problem)
            if prepared.refused:
                refused[path] = prepared.problems
                print(f"{path}: cannot be used")
                continue
            print(path)
            results[path] = []
            for test in prepared.tests:
                result = test.run()
                results[path].append(result)
                _tell(result, path, update=args.update)
            if args.update and prepared.file is not None:
                from limecep_test.rewriting import Unwritable, rewritten

                try:
                    text = rewritten(prepared.file, results[path])
                except Unwritable as error:
                    raise ConfigurationError(str(error)) from None
                if text != prepared.file.text.text:
                    _write(path, text.encode())
                    print(f"  written anew: look at what has changed in {path}")
        if args.junit is not None:
            from limecep_test import junit

            _write(args.junit, junit.written(results, refused))
        return _summary(
            [r for done in results.values() for r in done], len(refused), watch.seconds, args.update
        )


def test_files(paths: Iterable[Path]) -> Iterator[Path]:
    """The test files that paths name, or that stand below them.

    Raises:
        ConfigurationError: A path is not there.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if not path.exists():
            raise ConfigurationError(f"limecep: there is no '{path}'")
        if not path.is_dir():
            found[path] = None
            continue
        for folder, below, names in os.walk(path):
            below[:] = sorted(b for b in below if not b.startswith(".") and b not in ("node_modules", "venv"))
            found |= {Path(folder, name): None for name in sorted(names) if name.endswith(SUFFIX)}
    return iter(found)


def _left(result: Result, update: bool) -> list[Difference]:
    """The differences that fail the test. `--update` corrects all but those of `any_order`."""
    return [d for d in result.differences if not update or d.what == "any_order"]


def _tell(result: Result, path: Path, *, update: bool) -> None:
    if not _left(result, update):
        print(f"  {'ok    ' if result.passed else 'update'}  {result.case.name}")
        return
    print(f"  FAILED  {result.case.name}   ({path}:{result.case.place.line})")
    for line in result.lines():
        print(f"    {line}".rstrip())


def _summary(results: Sequence[Result], refused: int, seconds: float, update: bool) -> int:
    failed = sum(bool(_left(r, update)) for r in results)
    fine = len(results) - failed
    numbers = (fine, "ok"), (failed, "failed"), (refused, f"file{'s' * (refused > 1)} that cannot be used")
    counts = [f"{n} {what}" for n, what in numbers if n]
    print(f"\n{len(results)} test{'s' * (len(results) != 1)}: {', '.join(counts)} ({seconds:.2f} s)")
    if refused:
        return Exit.REFUSED
    return Exit.FOUND_PROBLEMS if failed else Exit.FINE


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise RunFailure(f"{path} cannot be written: {error.strerror}") from error
