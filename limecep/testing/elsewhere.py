"""The same component in other processes, where texts have other hashes and the wall clock shows another time:
what it gives must be the same.

    python -m limecep.testing.elsewhere FILE MODULE CLASS

It prints the trace of a suite, a line an answer.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import pytest

from limecep.testing.bounded import watched
from limecep.testing.wall_clock import DAY, NIGHT, called

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

#: The seeds of hashes that are tried, each in a process of its own, with its clock.
SEEDS = {"1": NIGHT, "2": NIGHT, "3": DAY}
#: How long these may take, in seconds.
_SECONDS = 120.0


class Traced(Protocol):
    """A suite whose component can be tried in another process.

    Attributes:
        elsewhere: The arguments of Python that print the trace there, `-m` or `-c` first; by default it is
            made of the suite's class, which then has to stand at the top of its module.
        call_seconds: How long one call into the component may take.
    """

    elsewhere: ClassVar[Sequence[str]]
    call_seconds: ClassVar[float]

    def trace(self) -> Iterable[str]:
        """What a new component gives for some input, always the same: a line an answer."""


def check_hashes(suite: Traced) -> None:
    """That what a component gives does not depend on the hashes of texts, which differ from process to
    process: sets of texts come in another order in each. Nor on the wall clock.

    Raises:
        AssertionError: It does.
    """
    arguments = [*suite.elsewhere] or _of_class(type(suite))
    first, *others = _traces(arguments, SEEDS)
    for seed, other in zip(list(SEEDS)[1:], others, strict=True):
        if other == first:
            continue
        if SEEDS[seed] != NIGHT and _traces(arguments, {seed: NIGHT}) == [first]:
            what, why = (
                "the wall clock",
                "a restart, or a run over a recording, has another; use the statistics",
            )
        else:
            what = "PYTHONHASHSEED"
            why = "sets of texts, and 'hash', differ from process to process; sort, or use a dict"
        for line, another in zip(first, other, strict=False):
            assert line == another, (
                f"what it gives depends on {what}: {why}\n  {line}\nand elsewhere\n  {another}"
            )
        assert len(first) == len(other), f"how much it gives depends on {what}"


def _traces(arguments: Sequence[str], seeds: Mapping[str, tuple[float, float]]) -> list[list[str]]:
    """What it gives in a process for each seed of hashes, with a wall clock."""
    path = os.pathsep.join(filter(None, sys.path))
    processes = [
        subprocess.Popen(
            [sys.executable, *called(start, step, arguments)],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for seed, (start, step) in seeds.items()
    ]
    traces = []
    try:
        for process in processes:
            said, failed = process.communicate(timeout=_SECONDS)
            assert process.returncode == 0, f"it cannot be tried in another process:\n{failed[-2_000:]}"
            traces.append(said.splitlines())
    finally:
        for process in processes:
            process.kill()
            process.communicate()
    return traces


def _of_class(suite: type) -> list[str]:
    if "<locals>" in suite.__qualname__:
        pytest.skip("the suite is made in a function: another process cannot make it")
    file = str(sys.modules[suite.__module__].__file__)
    return ["-m", "limecep.testing.elsewhere", file, suite.__module__, suite.__qualname__]


def main(file: str, module: str, name: str) -> None:
    """Prints the trace of a suite.

    Args:
        file: Where its module is.
        module: The name of the module.
        name: The name of its class there.
    """
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError:
        # Pytest does not put every module where Python would find it.
        spec = importlib.util.spec_from_file_location(module, file)
        assert spec is not None
        assert spec.loader is not None
        found = importlib.util.module_from_spec(spec)
        sys.modules[module] = found
        spec.loader.exec_module(found)
    suite: Any = found
    for part in name.split("."):
        suite = getattr(suite, part)
    tell(suite())


def tell(suite: Traced) -> None:
    """Prints the trace of a suite. A call that does not return ends the process: nobody else does, once the
    one that began it is gone."""
    with watched(suite, suite.call_seconds):
        for line in suite.trace():
            print(line)


if __name__ == "__main__":
    main(*sys.argv[1:])
