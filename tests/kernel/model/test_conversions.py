"""What functions make one kind of."""

from __future__ import annotations

import pytest

from limecep.language.parser import parse
from limecep.model.conversions import converted
from limecep.model.function import Function
from limecep.signature import read

SIGNATURES = {
    "f": read("(x: str, y: float, z: object = ..., u: bool | None = ...) -> str"),
    "either": read("(x: object, y: object) -> object"),
}
FUNCTIONS = {name: Function(name, signature, lambda *_: "") for name, signature in SIGNATURES.items()}


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("f(a.x, a.y, a.z) = 'x'", ["a.z"]),
        ("f(a.x, a.y, either(a.z, 0)) = 'x'", ["either(a.z, 0)", "a.z", "0"]),
        ("either(a.z, 0) > 3", []),
        ("either(f('', 1, a.z), 0) > 3", ["a.z"]),
        ("f('', 1, a.z + 1) = 'x'", ["a.z + 1"]),
    ],
)
def test_what_a_function_makes_one_kind_of_is_mended(condition: str, found: list[str]) -> None:
    where = parse(f"PATTERN SEQ(A a) WHERE {condition} WITHIN 1 s", FUNCTIONS.get).where
    assert where is not None
    assert [str(n) for n in converted(where)] == found
