"""Paths that sources listen at, and that sinks post to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

#: What stands for one level of a path.
ANY = "*"
#: What a path may have in it as it is (RFC 3986), beside levels.
_PLAIN = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()+,;=:@/]|%[0-9A-Fa-f]{2})*")


def path_problem(path: str) -> str:
    """What is wrong with a path to listen at, in words for the user; "" if nothing is."""
    levels = path.strip("/").split("/")
    if any(not level for level in levels) and path != "/":
        return "its levels are not empty: readings/kitchen"
    if any(ANY in level and level != ANY for level in levels):
        return "'*' stands for one whole level"
    if "?" in path or "#" in path or any(c <= " " for c in path):
        return "it has neither blanks, nor '?' or '#'"
    return ""


def target_problem(path: str) -> str:
    """What is wrong with a path to post to; "" if nothing is."""
    if not _PLAIN.fullmatch(path):
        return "blanks, '?', '#' and letters beyond ASCII are written as %20 and so on"
    return ""


def named(path: str) -> str:
    """A path as channels name it: without slashes around it."""
    return path.strip("/")


def matcher(path: str) -> Callable[[str], bool]:
    """A function that says whether a path that was asked for, as `named`, is one of those."""
    name = named(path)
    if ANY not in name:
        return name.__eq__
    pattern = "/".join("[^/]+" if level == ANY else re.escape(level) for level in name.split("/"))
    match = re.compile(pattern, re.DOTALL).fullmatch
    return lambda asked: match(asked) is not None
