"""The contracts in pyproject.toml of which room may import which, and that they break when they should."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
ROOMS = ("engines", "transports", "policies", "plugins")

#: It has an environment of its own: what it brings makes every start of `limecep` slower.
needs_linter = pytest.mark.skipif(
    find_spec("importlinter") is None, reason="pip install -e '.[lint,testing]'"
)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The sources, to be broken."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for folder in ("limecep", *ROOMS):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def lint_imports(root: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(root), *(str(root / room) for room in ROOMS)])
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache"]
    return subprocess.run(
        command, cwd=root, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True
    )


@needs_linter
def test_the_import_contract_holds(copied: Path) -> None:
    done = lint_imports(copied)
    assert done.returncode == 0, done.stdout


#: Modules, and what each must not import: all at once, as the linter is slow to begin, and names each.
FORBIDDEN = [
    ("limecep/clock.py", "limecep_maximal.plugin"),
    ("limecep/clock.py", "pandas"),
    ("limecep/clock.py", "limecep.embedding.pipelines"),
    ("limecep/model/event.py", "limecep.language.parser"),
    ("transports/limecep_file/source.py", "limecep.runtime.assembly"),
    ("transports/limecep_file/source.py", "limecep.embedding.pipelines"),
    ("transports/limecep_file/source.py", "limecep.vetting"),
    ("transports/limecep_file/source.py", "limecep_kafka.config"),
    ("transports/limecep_spark/source.py", "limecep_spark_runner.work"),
    ("plugins/limecep_spark_runner/work.py", "limecep_lab.truths.truth"),
    ("plugins/limecep_spark_runner/work.py", "limecep.detection.detection"),
]


@needs_linter
def test_the_import_contracts_break_when_they_are_violated(copied: Path) -> None:
    for n, (file, forbidden) in enumerate(FORBIDDEN):
        with (copied / file).open("a") as module:
            module.write(f"\n\ndef broken_{n}() -> None:\n    import {forbidden}\n")
    done = lint_imports(copied)
    assert done.returncode != 0
    for file, forbidden in FORBIDDEN:
        importer = ".".join(Path(file).with_suffix("").parts[-2:])
        # Of another distribution the linter knows its name only.
        imported = forbidden if forbidden.startswith("limecep") else forbidden.partition(".")[0]
        assert re.search(rf"\b{importer} -> {imported}\b", done.stdout), f"{importer} -> {imported}"


def test_the_linter_sees_every_module() -> None:
    """It does not look into folders that are no packages."""
    code = [f.parent for room in ("limecep", *ROOMS) for f in (ROOT / room).rglob("*.py")]
    folders = {f for f in code if "templates" not in f.parts}
    assert ROOT / "plugins/limecep_spark_runner/sinks" in folders
    assert [str(f) for f in folders if not (f / "__init__.py").exists()] == []


def test_the_picture_of_the_layers_is_that_of_the_contract() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (layers,) = (c["layers"] for c in contracts if c["type"] == "layers")
    _, _, page = (ROOT / "ARCHITECTURE.md").read_text().partition("## The layers of the kernel\n")
    drawn = [line for line in page.partition("\n## ")[0].splitlines() if line.startswith("    ")]
    assert [re.split(r" {2,}", line.strip())[0] for line in drawn] == layers


def contract(name: str) -> dict[str, Any]:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (found,) = (c for c in contracts if c["name"] == name)
    return found


def test_what_is_said_to_be_public_is_what_plugins_may_import() -> None:
    _, _, page = (ROOT / "CONTRIBUTING.md").read_text().partition("- the names that `limecep` exports")
    said = {*re.findall(r"`(limecep\.[\w.]+)`", page.partition("\n\n")[0])}
    limits = contract("Plugins import the public modules of the kernel only")
    found = (ROOT / "limecep").glob("[a-z]*")
    rooms = {f"limecep.{path.stem}" for path in found if path.is_dir() or path.suffix == ".py"}
    assert {name for name in said if name.count(".") == 1} == rooms - {*limits["protected_modules"]}
    left_open = {line.partition(" -> ")[2] for line in limits["ignore_imports"] if line.startswith("** -> ")}
    examples = {name for name in said if name.count(".") > 1}
    assert examples
    assert examples <= left_open


def at_run_time(tree: ast.AST) -> Iterator[str]:
    """The modules that a module imports, without what stands below TYPE_CHECKING."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node = ast.Module(node.orelse, [])
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        yield from at_run_time(node)


#: `limecep` offers names of any room; a run that is verified asks the oracle of the kit.
AT_RUN_TIME = {"limecep", "limecep.cli.verification"}


def exceptions() -> list[tuple[str, str]]:
    lines = contract("In the kernel, imports go down")["ignore_imports"]
    pairs = [tuple(line.split(" -> ")) for line in lines]
    return [(importer, imported) for importer, imported in pairs if importer not in AT_RUN_TIME]


@pytest.mark.parametrize(("importer", "imported"), exceptions())
def test_what_imports_from_above_imports_types_only(importer: str, imported: str) -> None:
    files = [*ROOT.glob(importer.replace(".", "/") + ".py")]
    assert files
    for file in files:
        names = at_run_time(ast.parse(file.read_text()))
        found = [name for name in names if f"{name}.".startswith(f"{imported}.")]
        assert not found, f"{file.name} imports {found[0]} at run time"


def test_an_import_at_run_time_is_found_wherever_it_stands() -> None:
    text = "if TYPE_CHECKING:\n    import a\nelse:\n    import b\ndef f():\n    from c.d import e\n"
    assert [*at_run_time(ast.parse(text))] == ["b", "c.d.e"]


@needs_linter
def test_the_import_contracts_name_every_plugin(copied: Path) -> None:
    linter = tomllib.loads((copied / "pyproject.toml").read_text())["tool"]["importlinter"]
    plugins = {p.name for room in ROOMS for p in (copied / room).glob("limecep_*")}
    assert plugins
    assert set(linter["root_packages"]) == {"limecep"} | plugins
    (kernel,) = [c for c in linter["contracts"] if c["type"] == "forbidden"]
    assert plugins <= set(kernel["forbidden_modules"])
    (apart,) = [c for c in linter["contracts"] if c["type"] == "independence"]
    assert set(apart["modules"]) == plugins
