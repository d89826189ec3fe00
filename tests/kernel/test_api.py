"""What authors import lasts: every name is there, and in one place."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from limecep import api, contracts
from limecep.hookspecs import HOOKS
from limecep.local import _CONTRACTS as OF_KINDS

SOURCE = Path(api.__file__).read_text()


def test_every_name_is_what_checkers_of_types_take_it_for() -> None:
    imported = {
        alias.name: node.module
        for node in ast.walk(ast.parse(SOURCE))
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("limecep")
        for alias in node.names
    }
    assert imported == api._WHERE
    for name in api.__all__:
        assert getattr(api, name) is not None


def test_the_contract_of_every_kind_is_among_them() -> None:
    # Nobody needs to derive from the contract of a command, and no function is a class.
    kinds = {*HOOKS.values()} - {"command", "function"}
    assert kinds == {*OF_KINDS.values()}
    for path in OF_KINDS:
        module, _, name = path.rpartition(".")
        assert api._WHERE[name] == module
    assert contracts.__doc__


def test_a_plugin_that_imports_specs_from_it_imports_nothing_else() -> None:
    code = "import sys; from limecep.api import ComponentSpec, hookimpl, option; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {
        m for m in done.stdout.split() if m.startswith(("limecep.contracts", "limecep.model", "yaml"))
    }
