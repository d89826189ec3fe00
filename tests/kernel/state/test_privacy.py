"""The room asks objects for their state; it never looks into them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import limecep.state

MODULES = sorted(Path(limecep.state.__path__[0]).glob("*.py"))


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.stem)
def test_no_private_member_of_another_object_is_touched(module: Path) -> None:
    touched = [
        f"{node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(ast.parse(module.read_text()))
        if isinstance(node, ast.Attribute)
        and node.attr.startswith("_")
        and not node.attr.endswith("__")
        and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
    ]
    assert not touched
