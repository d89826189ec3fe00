"""Paths that are listened at, and posted to."""

from __future__ import annotations

import pytest

from limecep_http.paths import matcher, named, path_problem, target_problem


@pytest.mark.parametrize(
    ("path", "asked", "means"),
    [
        ("/events", "events", True),
        ("events/", "events", True),
        ("/events", "events/a", False),
        ("/", "", True),
        ("/a/*", "a/b", True),
        ("/a/*", "a/b/c", False),
        ("/a/*", "a", False),
        ("/a.b/*/c", "a.b/x\ny/c", True),
        ("/a.b/*/c", "aXb/x/c", False),
    ],
)
def test_a_star_stands_for_one_level(path: str, asked: str, means: bool) -> None:
    assert matcher(path)(named(asked)) is means


@pytest.mark.parametrize("path", ["", "a//b", "a*/b", "/a?b", "/a b", "/a#b"])
def test_what_is_no_path_is_told(path: str) -> None:
    assert path_problem(path)


@pytest.mark.parametrize("path", ["/", "/a", "a/*", "/*/é"])
def test_others_are_fine(path: str) -> None:
    assert path_problem(path) == ""


def test_a_path_to_post_to_is_written_in_percents() -> None:
    assert target_problem("a/b%20c/-._~") == ""
    assert all(target_problem(path) for path in ("a b", "a?b", "a#b", "é", "a%2"))
