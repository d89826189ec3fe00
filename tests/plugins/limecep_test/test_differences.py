"""Expected beside got."""

from __future__ import annotations

from dataclasses import dataclass

from limecep_test import differences


@dataclass(frozen=True)
class Said:
    text: str

    def fits(self, got: Came) -> bool:
        return self.text == got.text


@dataclass(frozen=True)
class Came:
    text: str
    details: str = ""

    def line(self) -> str:
        return self.text


def expected(text: str) -> list[Said]:
    return list(map(Said, text.split()))


def got(text: str) -> list[Came]:
    return list(map(Came, text.split()))


def lines(difference: differences.Difference | None) -> tuple[str, ...]:
    return () if difference is None else difference.lines


def test_equal_lists_do_not_differ() -> None:
    assert differences.in_order("updates", expected("a b"), got("a b")) is None
    assert differences.in_order("updates", [], []) is None
    assert differences.in_any_order("net", expected("a b b"), got("b a b")) is None


def test_in_order_what_is_missing_and_what_is_too_much_stand_where_they_belong() -> None:
    assert lines(differences.in_order("updates", expected("a b c d"), got("a c x d"))) == (
        "  a",
        "- b",
        "  c",
        "+ x",
        "  d",
    )
    assert lines(differences.in_order("updates", expected("a b"), got("b a"))) == ("- a", "  b", "+ a")
    assert lines(differences.in_order("updates", expected("a"), [Came("b", "why")])) == (
        "- a",
        "+ b   (why)",
    )


def test_what_is_far_from_a_difference_is_left_out() -> None:
    said = lines(differences.in_order("updates", expected("a b c d e f g"), got("a b c d e f")))
    assert said == ("  ...", "  e", "  f", "- g")


def test_long_lists_are_compared_all_the_same() -> None:
    many = [str(n) for n in range(2000)]
    said = lines(differences.in_order("updates", list(map(Said, many)), list(map(Came, ["x", *many]))))
    assert "+ x" in said


def test_in_any_order_each_counts_as_often_as_it_came() -> None:
    assert lines(differences.in_any_order("net", expected("a b b"), got("b c a"))) == (
        "- b",
        "+ c",
        "  (2 as expected)",
    )
