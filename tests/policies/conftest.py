"""The suites of a module, tried in other processes together."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

#: Prints the traces of the suites of a file, each line with the name of its suite.
TRACES = """
import runpy, sys
suites = {name: suite for name, suite in runpy.run_path(sys.argv[1]).items() if name.startswith("Test")}
assert suites
for name, suite in suites.items():
    for line in suite().trace():
        print(name, line)
"""


@pytest.fixture
def together(request: pytest.FixtureRequest) -> SimpleNamespace:
    """All suites of the module, to be tried by `check_hashes`: its time goes to the start of processes."""
    return SimpleNamespace(elsewhere=("-c", TRACES, str(request.path)))
