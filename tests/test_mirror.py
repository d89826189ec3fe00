"""Tests mirror the tree: what a module does is tested in the file that has its name."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("limecep", "engines", "transports", "policies", "plugins")

#: How many modules of a folder have no test file of their own, and what tests them instead. A folder that has
#: fewer than these lowers its number here; a new module comes with its tests.
WITHOUT: dict[str, tuple[int, str]] = {
    "limecep/detection": (2, "segments and unpacking, in test_packed.py"),
    "limecep/patterns": (1, "reading matches, in test_match_codec.py"),
    "limecep/runtime": (2, "how runs go on from states, in tests/kernel/state and its test_changes.py"),
    "limecep/state": (2, "joining and sweeping, in test_changes.py and tests/properties/test_changes.py"),
    "limecep/store": (1, "restoring, in tests/kernel/state and in test_repair.py"),
    "limecep/testing": (17, "suites of transports are run against what is wrong in test_transport_suite.py"),
    "limecep/testing/oracle": (11, "tests/kernel/testing/test_oracle.py and test_oracle_reference.py"),
    "plugins/limecep_codecs": (1, "tests of documents, dialects and logs"),
    "plugins/limecep_compare": (3, "tests of the command"),
    "plugins/limecep_demo": (4, "what a demo writes is in its tests and in the README"),
    "plugins/limecep_expand": (2, "tests of the command"),
    "plugins/limecep_lab": (4, "tests of its jobs, against whole runs"),
    "plugins/limecep_lab/arrival": (1, "tests of its jobs, against whole runs"),
    "plugins/limecep_lab/evaluation": (2, "tests of its jobs, against whole runs"),
    "plugins/limecep_lab/generation": (2, "tests of its jobs, against whole runs"),
    "plugins/limecep_lab/jobs": (4, "tests of its jobs, against whole runs"),
    "plugins/limecep_lab/sweeps": (3, "tests of its jobs, against whole runs"),
    "plugins/limecep_lab/truths": (2, "tests of its jobs, against whole runs"),
    "plugins/limecep_scaffold": (1, "tests/packaging make and install what it writes"),
    "plugins/limecep_spark_runner": (7, "whole runs on Spark, against the runner local"),
    "plugins/limecep_spark_runner/sinks": (4, "whole runs on Spark, against the runner local"),
    "plugins/limecep_spark_runner/sources": (5, "whole runs on Spark, against the runner local"),
    "plugins/limecep_sqlite": (1, "options, in the conformance of the store"),
    "plugins/limecep_why": (2, "tests of the replay and of the text, which has what they give"),
    "policies/limecep_lateness": (1, "options, in the suite for policies"),
    "policies/limecep_recompute": (2, "test_reach.py and the suite for policies"),
    "policies/limecep_slack": (1, "options, in the suite for policies"),
    "transports/limecep_spark": (6, "reading and writing by Spark, against files"),
}


def modules() -> list[Path]:
    """Those that do something, from the root."""
    found = (f.relative_to(ROOT) for room in ROOMS for f in sorted((ROOT / room).rglob("*.py")))
    return [f for f in found if not {"templates"} & {*f.parts} and _does_something(f)]


def _does_something(module: Path) -> bool:
    """Whether it is more than declarations: types, options, constants, hooks that list components."""
    if module.name in ("__init__.py", "__main__.py", "plugin.py"):
        return False
    tree = ast.parse((ROOT / module).read_text())
    functions = (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
    return any(not isinstance(s, ast.Expr | ast.Pass) for f in functions for s in f.body)


def mirrors(module: Path) -> list[Path]:
    """Where a module may be tested: `tests/kernel/intake/test_reader.py` for `limecep/intake/reader.py`. What
    needs a broker is tested below `tests/integration`."""
    top, *rest = module.parts
    name = f"test_{module.name}"
    return [
        Path("tests", room, *rest).with_name(name)
        for room in ("kernel" if top == "limecep" else top, *["integration"] * (top == "transports"))
    ]


def test_every_module_has_its_tests_or_is_counted_as_one_that_has_not() -> None:
    without = [m for m in modules() if not any((ROOT / tests).exists() for tests in mirrors(m))]
    counted = Counter(str(m.parent) for m in without)
    allowed = Counter({folder: count for folder, (count, _) in WITHOUT.items()})
    assert counted == allowed, {
        folder: [m.name for m in without if str(m.parent) == folder]
        for folder in (counted - allowed) | (allowed - counted)
    }


def test_no_module_is_longer_than_can_be_read_at_a_time() -> None:
    files = [f for room in ROOMS for f in (ROOT / room).rglob("*.py")]
    assert files
    assert [str(f) for f in files if len(f.read_text().splitlines()) > 400] == []
