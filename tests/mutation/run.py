"""Change the code a little, and see whether the tests of its own folder notice. Not part of CI.

    python tests/mutation/run.py limecep/intake transports/limecep_file --sample 80 --seed 1

Each mutant is one change of one module, made in a copy of the tree. The tests that mirror the module run
first, then those of its room; a mutant survives when all of them pass. `survivors.txt`, beside this file,
lists survivors that behave as the code does, with the reason; they are not drawn again. Exits with 1 where
fewer than 90 % of a room's mutants are killed.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

import mutants

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mutants import Mutant

ROOT = Path(__file__).parents[2]
SURVIVORS = Path(__file__).with_name("survivors.txt")
GROUPS = ("engines", "transports", "policies", "plugins")
#: The share of a room's mutants that its tests must kill.
WANTED = 0.9
#: How much longer than the unchanged code a mutant may take, and seconds more on top.
SLOWER, MORE_SECONDS = 3, 20


def mirror(path: Path) -> Path:
    """The folder of tests, or the test module, of a room or a module of the code."""
    top, *rest = path.parts
    tests = Path("tests", "kernel" if top == "limecep" else top, *rest)
    return tests if path.suffix != ".py" else tests.with_name(f"test_{path.name}")


def known() -> dict[str, str]:
    """Mutants that need not be killed, and why: a line each, `PATH | BEFORE -> AFTER | REASON`."""
    lines = [line for line in SURVIVORS.read_text().splitlines() if line and not line.startswith("#")]
    return dict(line.rsplit(" | ", 1) for line in lines)


class Copy:
    """A copy of the tree, in which one mutant at a time is tried."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        path = os.pathsep.join(str(folder / part) for part in (".", *GROUPS))
        self._environment = {**os.environ, "PYTHONPATH": path}
        for name in ("CI", "PYTHONDONTWRITEBYTECODE"):
            self._environment.pop(name, None)
        self._tried = 0

    def passes(self, tests: list[Path], seconds: float | None = None) -> bool:
        """Whether the tests pass, within a time."""
        quick = ["-x", "-q", "-p", "no:cacheprovider", "-m", "not slow"]
        command = [sys.executable, "-m", "pytest", *quick, *map(str, tests)]
        nowhere = subprocess.DEVNULL
        process = subprocess.Popen(
            command, cwd=self._folder, env=self._environment, stdin=nowhere, stdout=nowhere, stderr=nowhere,
            start_new_session=True,
        )  # fmt: skip
        try:
            # 5: no tests are there.
            return process.wait(seconds) in (0, 5)
        except subprocess.TimeoutExpired:
            return False
        finally:
            # What it has started ends too.
            if process.poll() is None:
                os.killpg(process.pid, 9)
                process.wait()

    def survives(self, mutant: Mutant, tests: list[Path], seconds: float) -> bool:
        """Whether no test notices a change."""
        file = self._folder / mutant.path
        before, times = file.read_text(), file.stat()
        file.write_text(mutant.source)
        # What is compiled is kept, which halves the time; Python tells by the module's time, in seconds, that
        # it is of this one.
        self._tried += 1
        os.utime(file, (self._tried, self._tried))
        try:
            return all(self.passes([test], seconds) for test in tests)
        finally:
            file.write_text(before)
            os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def tests_of(module: Path, room: Path) -> list[Path]:
    """The module's own tests, then all of its room."""
    found = dict.fromkeys([mirror(module), mirror(module.parent), mirror(room)])
    return [tests for tests in found if (ROOT / tests).exists()]


def drawn(room: Path, count: int, seed: int) -> list[Mutant]:
    """Some of a room's mutants, or all with a count of 0."""
    top = ROOT / room
    files = {
        f.relative_to(ROOT): f.read_text() for f in ([top] if top.is_file() else sorted(top.rglob("*.py")))
    }
    numbers = [(file, n) for file, source in files.items() for n in range(mutants.count(source))]
    random.Random(seed).shuffle(numbers)
    excused = known()
    found = (mutants.mutant(file, files[file], n) for file, n in numbers)
    return [*islice((mutant for mutant in found if mutant.name not in excused), count or None)]


def tried(
    copies: SimpleQueue[Copy], jobs: int, room: Path, chosen: list[Mutant]
) -> Iterator[tuple[Mutant, bool]]:
    """Each mutant, and whether it survives."""
    copy = copies.get()
    begun = time.monotonic()
    if not copy.passes([mirror(room)]):
        raise SystemExit(f"the tests in {mirror(room)} fail without any change")
    limit = SLOWER * (time.monotonic() - begun) + MORE_SECONDS
    copies.put(copy)

    def survives(mutant: Mutant) -> bool:
        copy = copies.get()
        try:
            return copy.survives(mutant, tests_of(mutant.path, room), limit)
        finally:
            copies.put(copy)

    with ThreadPoolExecutor(jobs) as pool:
        yield from zip(chosen, pool.map(survives, chosen), strict=True)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "rooms", metavar="ROOM", nargs="+", type=Path, help="a folder or a module of the code"
    )
    parser.add_argument("--sample", type=int, default=0, help="how many mutants of each room (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (default: 1)")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time (default: 2)")
    args = parser.parse_args()
    rates: dict[Path, float] = {}
    with tempfile.TemporaryDirectory(prefix="limecep-mutants-") as folder:
        copies: SimpleQueue[Copy] = SimpleQueue()
        for n in range(args.jobs):
            copies.put(Copy(Path(folder, str(n))))
        for room in args.rooms:
            chosen = drawn(room, args.sample, args.seed)
            survived = 0
            for mutant, survives in tried(copies, args.jobs, room, chosen):
                if survives:
                    survived += 1
                    print(f"survived {mutant.path}:{mutant.line}: {mutant.change}", flush=True)
            rates[room] = 1 - survived / max(len(chosen), 1)
            print(f"{room}: {len(chosen) - survived} of {len(chosen)} killed, {rates[room]:.0%}", flush=True)
    return int(min(rates.values()) < WANTED)


if __name__ == "__main__":
    sys.exit(main())
