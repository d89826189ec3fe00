"""Which match an id, or its beginning, names."""

from __future__ import annotations

import pytest

from limecep_why.finding import MOST_FOLLOWED, Found, NotFound, These
from limecep_why.history import History


def told(found: Found, *matches: str) -> Found:
    for match in matches:
        if found.wants(match, "p"):
            found.histories.setdefault(match, History(pattern="p", key=None, match=match))
    return found


def test_the_beginning_of_one_id_names_it() -> None:
    assert told(Found(" AB "), "abc", "acd", "abc").one("here", "").match == "abc"


def test_several_are_listed() -> None:
    with pytest.raises(NotFound, match=r"2 matches begin with 'a': abc \(p\), acd \(p\)\. Write more of it"):
        told(Found("a"), "abc", "acd").one("here", "")


def test_of_many_only_some_are_followed_and_all_counted() -> None:
    found = told(Found(""), *(f"{n:04}" for n in range(1000)))
    assert len(found.histories) == MOST_FOLLOWED
    with pytest.raises(NotFound, match=r"1,000 matches begin with ''.*and 995 more"):
        found.one("here", "")


def test_of_none_the_nearest_are_named_with_the_reason() -> None:
    with pytest.raises(
        NotFound, match=r"no match 'abd' in here\. Perhaps\. The nearest of its ids: abc \(p\)"
    ):
        told(Found("abd"), "abc", "xyz").one("here", "Perhaps.")


def test_where_there_is_none_at_all_that_is_said() -> None:
    with pytest.raises(NotFound, match="there is no match at all in here"):
        Found("a").one("here", "")


def test_some_ids_are_followed_as_they_are() -> None:
    these = These(["abc"])
    assert these.wants("abc", "p")
    assert not these.wants("abcd", "p")
