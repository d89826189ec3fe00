"""Functions compute values in conditions: `starts_with(a.name, 'x')`.

A function is a plain function of Python, and nothing is made of it: the factory of its spec is the function
itself. Its annotations say what it takes and gives:

    @component("function")
    def initials(text: str, least: int = 1) -> str:
        \"\"\"The first letters of the words of a text.\"\"\"
        return "".join(word[0] for word in text.split() if len(word) >= least)

`str` is a text, `int` a whole number, `float` a number (whole or not), `bool` a boolean. `object` is whatever
an event may have: those, lists and objects. A default makes an argument one that may be left out, and
`*values: object` takes any number of further ones. A spec whose factory is text says the same in its
`signature`. `Instant` is the time of an event, `a.time`. `list` is all values of a group that are there,
`median(b.v)`, or a list that an event has, `median(a[1].samples)`; of `list[float]` each is a number.

What can be said of arguments before any event (no time zone of that name, no regular expression) says an
attribute `vet` of the function: it is called with what is known of them, None for the rest, and gives what
is wrong in words, "" if nothing is. Where the kinds of arguments decide of which kind a value is that is
annotated `object`, an attribute `kind` says it: it is called with these kinds (`str`, `int`, `float`,
`fraction`, which is a number that is not whole, `null`, which is missing; "" where it is not known), and
gives that of the value, `null` if it always is missing.
"""

from __future__ import annotations

from typing import Any, Protocol


class Function(Protocol):
    """Called for every event, or match, that a condition looks at, with the values of its arguments.

    It is called only with values of the kinds that it says. Where an argument is missing, or of another kind
    (NaN is no number), the value is missing, and it is not called; but an argument annotated `object`, or
    `str | None`, may be missing, and is then None.

    Duties: it is pure. The same arguments give the same value, whenever, wherever and in whichever order it
    is called, also under another hash seed; it leaves what it is given as it is. Its value is of the kind
    that it says, or None, which is missing, and never NaN. It raises nothing: where it does all the same, the
    value is missing, and the report counts it (`raised_by_` and its name). So it is where its value is of
    another kind (`other_kind_by_`). A MemoryError, and what is no Exception such as SystemExit, ends the run.
    It is fast: a condition may call it for every event. It may be called where another part of the condition
    decides.
    """

    def __call__(self, *arguments: Any) -> Any:
        """The value."""
