"""What the build compiles, and when it leaves the wheel pure."""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

ROOT = Path(__file__).parents[2]

#: What takes a generator expression as its only argument, and goes as far in compiled code as elsewhere, or
#: wants all of it anyway.
CONSUMERS = {
    *("all", "any", "next", "sum"),
    *("dict", "extend", "frozenset", "list", "max", "min", "set", "sorted", "tuple", "update"),
}


@pytest.fixture
def build() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def initialized(build: ModuleType, version: str = "standard") -> dict[str, Any]:
    """What the hook makes of a build."""
    data = {"pure_python": True, "infer_tag": False, "force_include": {}}
    hook = build.CompiledModules(str(ROOT), {}, None, None, "", "wheel")
    hook.initialize(version, data)
    hook.finalize(version, data, "")
    return data


def postponed(module: Path) -> Iterator[str]:
    """Generator expressions that mypyc would make lists of before anybody asks for what is in them."""
    tree = ast.parse(module.read_text())
    consumed = set()
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name | ast.Attribute):
            name = call.func.id if isinstance(call.func, ast.Name) else call.func.attr
            if name in CONSUMERS:
                consumed.update(map(id, call.args[:1]))
    for node in ast.walk(tree):
        if isinstance(node, ast.GeneratorExp) and id(node) not in consumed:
            yield f"{module.relative_to(ROOT)}:{node.lineno}"


def test_no_compiled_module_loses_laziness_to_a_list(build: ModuleType) -> None:
    modules = build.modules(ROOT)
    assert "limecep/store/lane.py" in modules
    assert [place for module in modules for place in postponed(ROOT / module)] == []


def test_what_is_left_out_is_there(build: ModuleType) -> None:
    assert [name for name in build.INTERPRETED if not (ROOT / name).is_file()] == []


@pytest.mark.parametrize(
    "environment",
    [{"CC": "/nonexistent/cc"}, {"CC": "false"}, {"LIMECEP_PURE": "1"}],
    ids=["no compiler", "one that fails", "asked for"],
)
def test_nothing_is_compiled(
    build: ModuleType, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LIMECEP_PURE", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert build.CompiledModules(str(ROOT), {}, None, None, "", "wheel").dependencies() == []
    assert initialized(build) == {"pure_python": True, "infer_tag": False, "force_include": {}}


def test_an_editable_installation_is_pure(build: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "_can_compile", lambda: True)
    assert initialized(build, "editable")["pure_python"]


@pytest.mark.parametrize("error", [SystemExit(1), OSError("no space left on device")])
def test_a_compilation_that_fails_leaves_the_wheel_pure(
    build: ModuleType,
    error: BaseException,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(build, "_can_compile", lambda: True)
    monkeypatch.setattr(build, "_compile", fail)
    assert initialized(build) == {"pure_python": True, "infer_tag": False, "force_include": {}}
    assert "not compiled, so this wheel is pure" in "".join(capsys.readouterr())


@pytest.mark.slow
def test_without_a_compiler_the_same_command_makes_a_pure_wheel(tmp_path: Path) -> None:
    environment = {k: v for k, v in os.environ.items() if k != "LIMECEP_PURE"}
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", tmp_path, ROOT],
        env={**environment, "CC": "/nonexistent/cc", "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert [wheel.name.endswith("-py3-none-any.whl") for wheel in tmp_path.iterdir()] == [True]
