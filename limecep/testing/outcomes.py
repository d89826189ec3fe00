"""What comes of calls of a function, here and in another process, as texts. It imports little, as each such
process does."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from limecep.testing.wall_clock import NIGHT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_CHILD = (
    "from limecep.testing.outcomes import answer; from limecep.testing.wall_clock import set_clock; "
    "import limecep.local; set_clock({}, {}); answer()"
)


def outcomes(function: Callable[..., Any], given: Iterable[tuple[Any, ...]]) -> list[str]:
    """What comes of calls with some arguments: the value, or the name of an error."""
    return [_outcome(function, arguments) for arguments in given]


def _outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> str:
    try:
        value = function(*arguments)
    except Exception as error:
        return type(error).__name__
    # Python writes no whole number of more than some thousand digits.
    return hex(value) if type(value) is int else repr(value)


def elsewhere(
    function: Callable[..., Any],
    given: Sequence[tuple[Any, ...]],
    seed: str,
    clock: tuple[float, float] = NIGHT,
) -> str:
    """What comes of calls in another process.

    Args:
        function: The function.
        given: The arguments of each call.
        seed: The other process's seed of hashes.
        clock: Its wall clock, as of `limecep.testing.wall_clock.set_clock`.

    Raises:
        AssertionError: The other process cannot import the function.
    """
    try:
        sent = pickle.dumps((_file(function), function, given))
    except (pickle.PicklingError, AttributeError) as e:
        raise AssertionError(f"no other process can import it, as workers do: {e}") from None
    done = subprocess.run(
        [sys.executable, "-c", _CHILD.format(*clock)],
        input=sent,
        capture_output=True,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    said = done.stderr.decode(errors="replace")
    assert done.returncode == 0, f"no other process can import it, as workers do:\n{said}"
    return done.stdout.decode()


def answer() -> None:
    """Reads a function and arguments from standard input, and writes what comes of the calls."""
    _, function, given = pickle.load(sys.stdin.buffer)
    print(ascii(outcomes(function, given)))


def _file(function: Callable[..., Any]) -> object:
    """The file of a pipeline that a function is of, which makes its module where it is unpickled; None for a
    function that is installed."""
    from importlib.util import decode_source
    from pathlib import Path

    from limecep.local import PluginFile
    from limecep.registry import FILES

    if not function.__module__.startswith(FILES):
        return None
    path = str(sys.modules[function.__module__].__file__)
    return PluginFile(name=path, path=path, text=decode_source(Path(path).read_bytes()))
