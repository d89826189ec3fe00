"""Functions in expressions."""

from __future__ import annotations

from limecep.model.expression import ATOM, Attribute, Call
from limecep.model.function import Function
from limecep.signature import read


def test_a_call_is_written_with_its_arguments_and_quoted_where_it_must_be() -> None:
    arguments = (Attribute("a", ("v",)), Attribute("b", ("w",)))
    plain = Function("near", read("(x: float, y: float) -> bool"), lambda x, y: True)
    assert plain.shown(arguments) == ("near(a.v, b.w)", ATOM)
    assert (
        str(Call(Function("Dist:near", plain.signature, plain.compute), arguments)) == "`Dist:near`(a.v, b.w)"
    )


def test_two_of_one_name_and_signature_are_equal_whatever_they_compute() -> None:
    signature = read("(x: float) -> bool")
    assert Function("f", signature, lambda x: True) == Function("f", signature, lambda x: False)
    assert Function("f", signature, abs) != Function("f", read("(x: int) -> bool"), abs)
    assert not Function.timed
