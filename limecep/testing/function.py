"""The conformance suite for functions: subclass it in a test module, and pytest runs it.

from limecep.testing.function import FunctionConformance

class TestMyFunction(FunctionConformance):
    def make_function(self):
        return my_function
"""

from __future__ import annotations

import copy
import math
from typing import TYPE_CHECKING, Any, ClassVar

from hypothesis import strategies as st

from limecep.clock import Stopwatch
from limecep.model.instants import Instant
from limecep.model.time import EARLIEST, LATEST
from limecep.signature import KINDS, Argument, Signature, read, signature_of
from limecep.testing.bounded import Bounded
from limecep.testing.outcomes import elsewhere, outcomes
from limecep.testing.random_tests import for_all
from limecep.testing.wall_clock import DAY, NIGHT

if TYPE_CHECKING:
    from collections.abc import Callable

_TEXTS = ["", "a", "Ann Bee", "GR-123", " x\ty ", "12", "-1.5e3", "ΟΔΟΣ", "añ😀", "one two three", "x" * 1000]
_WHOLE = [0, 1, 2, -1, 7, 100, -100, 10**6, 2**53 + 1, 10**400, -(10**400)]
_NUMBERS = [*_WHOLE, 0.5, 2.5, -1.5, -0.0, 1e-300, 1e308, math.inf, -math.inf]
_OBJECTS = [None, math.nan, [], [1, "a", None], {}, {"room": "k1", "tags": ["x", {"y": 2}]}]
#: What an argument of each kind may be.
_SAMPLES: dict[str, list[Any]] = {
    "str": _TEXTS,
    "int": _WHOLE,
    "float": _NUMBERS,
    "bool": [True, False],
    "Instant": [Instant(t) for t in (0, 1_767_607_200_000_000, -1, 1 << 62, EARLIEST, LATEST)],
    "list": [[], ["a"], [1, "a", 2.5], [[1], {"x": 1}, True]],
    "list[float]": [[], [1], [2.5, -1, 7], [1e308, -1e308, 1e308], [10**400], [math.inf, 1]],
    "object": [*_TEXTS, *_NUMBERS, True, False, *_OBJECTS],
}
_PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
_DRAWN: dict[str, st.SearchStrategy[Any]] = {
    "str": st.text(),
    "int": st.integers() | st.sampled_from(_WHOLE),
    "float": st.floats(allow_nan=False) | st.sampled_from(_NUMBERS),
    "bool": st.booleans(),
    "Instant": st.integers(-(2**62), 2**62).map(Instant),
    "list": st.lists(_PLAIN.filter(lambda v: v is not None)),
    "list[float]": st.lists(st.integers() | st.floats(allow_nan=False)),
    "object": st.recursive(_PLAIN, lambda x: st.lists(x) | st.dictionaries(st.text(), x), max_leaves=5)
    | st.sampled_from(_SAMPLES["object"]),
}
#: How many further ones are given to a function that takes any number.
_MORE = 2


class FunctionConformance(Bounded):
    """What every function must do. A test class: subclass it and say which one it is.

    Attributes:
        declared: The signature that its spec says; "" where nothing does but the function.
        examples: How many random arguments are tried.
        seconds: How long a call may take on average: a condition may call it for every event.
    """

    declared: ClassVar[str] = ""
    examples: ClassVar[int] = 500
    seconds: ClassVar[float] = 0.001

    def make_function(self) -> Callable[..., Any]:
        """The function."""
        raise NotImplementedError("say which function it is")

    def test_it_says_what_it_takes_and_gives(self) -> None:
        """By its annotations, and what its spec says is the same."""
        signature = signature_of(self.make_function())
        if self.declared:
            assert str(read(self.declared)) == str(signature), "its spec says another signature"

    def test_it_raises_nothing(self) -> None:
        """Whatever it is called with that is of the kinds it takes."""
        self._for_all(lambda given: self.make_function()(*given))

    def test_its_value_is_of_the_kind_that_it_says(self) -> None:
        """Or missing, which is None, and never NaN."""
        kind = self._signature().result

        def body(given: tuple[Any, ...]) -> None:
            value = self.make_function()(*given)
            assert _is_of(value, kind), f"gives {value!r}, and says {KINDS[kind]}"

        self._for_all(body)

    def test_the_same_arguments_give_the_same_value(self) -> None:
        """In whichever order it is called, and however often."""
        function, given = self.make_function(), self._samples()
        forward = outcomes(function, given)
        backward = outcomes(function, given[::-1])[::-1]
        again = outcomes(function, given)
        assert forward == backward == again, "what it was called with before made a difference"

    def test_it_leaves_its_arguments_as_they_are(self) -> None:
        """Lists and objects belong to the event."""
        function = self.make_function()
        for given in self._samples():
            before = repr(given)
            outcomes(function, [given])
            assert repr(given) == before, "an argument was changed"

    def test_what_it_gives_depends_on_no_hash_and_no_wall_clock(self) -> None:
        """Another process gives the same values, at any time of day, and can import it."""
        function, given = self.make_function(), self._samples()
        tried = (("1", NIGHT), ("2", NIGHT), ("1", DAY))
        one, other, later = (elsewhere(function, given, seed, clock) for seed, clock in tried)
        assert one == other, "the order of a set, or a hash, made a difference"
        assert one == later, "the wall clock made a difference: a restart, or a recording, has another"

    def test_it_is_fast(self) -> None:
        """A condition may call it for every event."""
        function, given = self.make_function(), self._samples()
        watch = Stopwatch()
        outcomes(function, given)
        spent = watch.seconds / len(given)
        assert spent <= self.seconds, f"a call takes {spent:.6f} s, more than {self.seconds} s"

    def _signature(self) -> Signature:
        return signature_of(self.make_function())

    def _samples(self) -> list[tuple[Any, ...]]:
        """Arguments of all the kinds that it takes, always the same."""
        return [
            tuple(
                _sample(argument, number * (2 * place + 1) + place)
                for place, argument in enumerate(arguments)
            )
            for arguments in _choices(self._signature())
            for number in range(len(_SAMPLES["object"]))
        ]

    def _for_all(self, body: Callable[[tuple[Any, ...]], object]) -> None:
        drawn = [st.tuples(*map(_strategy, arguments)) for arguments in _choices(self._signature())]

        def called(given: tuple[Any, ...]) -> None:
            body(copy.deepcopy(given))

        for_all(called, st.one_of(drawn), examples=self.examples)


def _choices(signature: Signature) -> list[tuple[Argument, ...]]:
    """What it may be given: as few arguments as must be, up to all and some more."""
    more = [] if signature.more is None else [signature.more] * _MORE
    arguments = (*signature.arguments, *more)
    return [arguments[:count] for count in range(signature.least, len(arguments) + 1)]


def _sample(argument: Argument, number: int) -> Any:
    values = _SAMPLES[argument.kind] + ([None] if argument.missing else [])
    return copy.deepcopy(values[number % len(values)])


def _strategy(argument: Argument) -> st.SearchStrategy[Any]:
    drawn = _DRAWN[argument.kind]
    return st.none() | drawn if argument.missing else drawn


def _is_of(value: object, kind: str) -> bool:
    if value is None or (kind == "object" and isinstance(value, (list, dict))):
        return True
    if kind.startswith("list"):
        return type(value) is list and (kind == "list" or all(_is_of(v, "float") for v in value))
    numbers = {"int": (int,), "float": (int, float), "Instant": (Instant,)}
    kinds: dict[str, tuple[type, ...]] = {"str": (str,), "bool": (bool,), **numbers}
    kinds["object"] = tuple({k for known in kinds.values() for k in known})
    return type(value) in kinds[kind] and (value == value or kind == "object")
