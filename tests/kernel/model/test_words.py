"""Names and durations as queries write them."""

from __future__ import annotations

import pytest

from limecep.model.words import duration_text, find, is_plain, path_text, quoted, unquoted


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a", "a"),
        ("température", "température"),
        ("order", "order"),
        ("and", "`and`"),
        ("Within", "`Within`"),
        ("\u017feq", "`\u017feq`"),
        ("1a", "`1a`"),
        ("door-open", "`door-open`"),
        ("a`b", "`a``b`"),
        ("", "``"),
    ],
)
def test_a_name_stands_in_backquotes_where_it_must(name: str, text: str) -> None:
    assert quoted(name) == text
    assert unquoted(text) == name


@pytest.mark.parametrize(("name", "plain"), [("a_1", True), ("and", True), ("1a", False), ("a b", False)])
def test_a_plain_name_is_an_identifier_keywords_among_them(name: str, plain: bool) -> None:
    assert is_plain(name) is plain


def test_a_path_has_a_point_between_its_names() -> None:
    assert path_text(("payload", "in", "v")) == "payload.`in`.v"


@pytest.mark.parametrize(
    ("name", "span", "expected"),
    [
        ("b", (0, 22), (7, 8)),
        ("b", (8, 23), (22, 23)),
        ("a", (0, 22), (3, 4)),
        ("in", (0, 22), (13, 17)),
        ("c", (2, 9), (2, 9)),
    ],
)
def test_a_whole_name_is_found_within_a_span_or_the_span_itself(
    name: str, span: tuple[int, int], expected: tuple[int, int]
) -> None:
    assert find(name, "ab.a + b.ab, `in` and b", span) == expected


@pytest.mark.parametrize(
    ("within", "text"),
    [
        (0, "0 us"),
        (1, "1 us"),
        (1_500, "1500 us"),
        (2_000, "2 ms"),
        (1_000_000, "1 second"),
        (90_000_000, "90 seconds"),
        (600_000_000, "10 minutes"),
        (3_600_000_000, "1 hour"),
        (172_800_000_000, "2 days"),
    ],
)
def test_a_duration_prints_in_its_longest_whole_unit(within: int, text: str) -> None:
    assert duration_text(within) == text
