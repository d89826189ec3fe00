"""The kernel stands alone: it imports no plugin and no client library, and listing imports no mechanism."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("engines", "transports", "policies", "plugins")

IMPORT_ALL = """
import importlib, pkgutil, sys, limecep
for module in pkgutil.walk_packages(limecep.__path__, "limecep."):
    if module.name.startswith("limecep.testing") or module.name == "limecep.__main__":
        continue  # needs the extra [testing]; runs the command
    importlib.import_module(module.name)
print(*sys.modules)
"""
LIST_ALL = """
import sys
from limecep.cli import main
from limecep.host import Host
components = [s for p in Host.load().plugins for s in p.specs]
main(["plugins", "list"])
for spec in components:
    main(["plugins", "show", f"{spec.kind}/{spec.name}"])
print()
print(*sys.modules)
"""
RUN = """
import sys
from limecep.cli import main
main(["run", "examples/stocks/stocks.yaml"])
print()
print(*sys.modules)
"""


def modules_after(code: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stdout.splitlines()[-1].split())


def test_the_whole_kernel_imports_no_plugin_and_no_client_library() -> None:
    loaded = {m.partition(".")[0] for m in modules_after(IMPORT_ALL)}
    assert "limecep" in loaded
    # Where modules are compiled they share one of mypyc's.
    assert {m for m in loaded if m.startswith("limecep_")} <= {"limecep__mypyc"}
    assert loaded & {"confluent_kafka", "paho", "pyspark", "numpy", "pandas", "pytest", "hypothesis"} == set()


def test_the_kernel_names_no_client() -> None:
    clients = re.compile(r"kafka|mqtt|paho|mosquitto|spark|uvicorn|urllib3|sqlalchemy|\bre2\b", re.IGNORECASE)
    modules = [p for p in (ROOT / "limecep").rglob("*.py") if "testing" not in p.parts]
    assert modules
    assert [str(p) for p in modules if clients.search(p.read_text())] == []


def test_listing_and_showing_import_the_plugin_modules_and_their_options_only() -> None:
    loaded = {m for m in modules_after(LIST_ALL) if m.startswith("limecep_")}
    assert "limecep_maximal.plugin" in loaded
    assert {m for m in loaded if "." in m and not m.endswith((".plugin", "config"))} == set()


def test_running_a_pipeline_without_state_imports_nothing_for_embedding_or_state() -> None:
    loaded = modules_after(RUN)
    assert "limecep.runtime.pipeline" in loaded
    assert {m for m in loaded if m.startswith(("limecep.embedding", "limecep.state", "pyspark"))} == set()


def lines_of_code(module: str) -> int:
    """Without blank lines, comments and docstrings."""
    path = ROOT.joinpath(*module.split("."))
    text = (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text()
    described = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for line in range(node.lineno, (node.end_lineno or 0) + 1)
    }
    silent = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    said = {n for t in tokens if t.type not in silent for n in range(t.start[0], t.end[0] + 1) if t.string}
    return len(said - described)


def test_running_a_pipeline_takes_less_than_15000_lines_of_the_kernel() -> None:
    """So that a small machine starts soon, and that one can read what runs. What a run says at its end of
    what was odd is imported then."""
    loaded = modules_after(RUN)
    kernel = [m for m in loaded if m.partition(".")[0] == "limecep" and "diagnosis" not in m.split(".")]
    assert len(kernel) > 100
    assert sum(map(lines_of_code, kernel)) < 15_000


def test_listing_imports_no_client_library_and_nothing_slow() -> None:
    loaded = {m.partition(".")[0] for m in modules_after(LIST_ALL)}
    clients = {"confluent_kafka", "paho", "pyspark", "sqlalchemy", "urllib3", "uvicorn"}
    assert loaded & {*clients, "numpy", "structlog", "lark", "yaml"} == set()


@pytest.mark.skipif(find_spec("pyspark") is None, reason="pip install -e '.[dev,data]'")
def test_every_module_imports() -> None:
    """With the clients that the extras bring, on whichever Python this is."""
    files = [f.relative_to(ROOT) for f in (ROOT / "limecep").rglob("*.py")]
    files += [f.relative_to(ROOT / room) for room in ROOMS for f in (ROOT / room).rglob("*.py")]
    names = {".".join(f.with_suffix("").parts).removesuffix(".__init__") for f in files}
    names = {n for n in names if n != "limecep.__main__" and "templates" not in n.split(".")}
    assert {"limecep.testing.engine", "limecep_spark_runner.runner", "limecep_kafka.source"} <= names
    assert names <= modules_after(f"import sys, {', '.join(sorted(names))}; print(*sys.modules)")
