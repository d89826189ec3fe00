"""Hypothesis strategies for events, streams and patterns, small enough for the oracle."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

from hypothesis import strategies as st

from limecep.model.event import Event, sort_key
from limecep.model.expression import (
    Aggregate,
    Attribute,
    Between,
    Binary,
    Constant,
    Current,
    Expression,
    Logical,
    Membership,
    Position,
    Unary,
)
from limecep.model.pattern import Choice, Conjunction, Pattern, Quantifier, Sequence, Step
from limecep.testing.functions import calling
from limecep.testing.streams import SECOND
from limecep.testing.tables import looking_up

if TYPE_CHECKING:
    from collections.abc import Callable

Feature = Literal[
    "kleene", "optional", "negation", "or", "and", "partition", "types",
    "each", "adjacent", "cross", "position", "running", "final", "null", "logic", "function", "table",
]  # fmt: skip

#: Everything a pattern can have: groups of several events; steps that may take none; negated steps; OR of
#: sequences and AND of steps; PARTITION BY; several types in a step; and the kinds of conditions. Functions
#: are those of `limecep.testing.functions`, tables those of `limecep.testing.tables`.
FEATURES: frozenset[Feature] = frozenset(get_args(Feature))

_SINGLE = Quantifier()
_KLEENE = [Quantifier(1, None), Quantifier(2, 2), Quantifier(2, None), Quantifier(1, 3), Quantifier(2, 3)]
_OPTIONAL = [Quantifier(0, 1), Quantifier(0, None), Quantifier(0, 2)]
_COMPARISONS = ["<=", ">=", "!=", "<", ">", "<=", ">=", "!=", "=="]


def events(
    *,
    types: str = "ABC",
    odd: bool = True,
    sequenced: bool = False,
    times: st.SearchStrategy[int] | None = None,
) -> st.SearchStrategy[Event]:
    """Single events. Attributes: `v` and `w`, mostly small numbers, and `k`, a key.

    Args:
        types: The event types, a letter each.
        odd: Whether attributes may also be missing, null, text, boolean, or lists.
        sequenced: Whether they have sequence numbers.
        times: Their `t_gen`, in microseconds; by default whole seconds.
    """
    seconds = st.integers(0, 20).map(lambda n: n * SECOND)
    return st.tuples(
        st.sampled_from(types),
        seconds if times is None else times,
        st.sampled_from(_ODD_VALUES if odd else _VALUES),
        st.sampled_from(_ODD_VALUES if odd else _VALUES),
        st.sampled_from(_ODD_KEYS if odd else _KEYS),
        st.integers(0, 2) if sequenced else st.just(0),
    ).map(_event)


def streams(
    *,
    types: str = "ABC",
    size: int = 10,
    ties: int = 1,
    odd: bool = True,
    sequenced: bool = False,
) -> st.SearchStrategy[list[Event]]:
    """Streams in the order of the sort key, of up to `size` events with distinct ids, 0 to 2 seconds apart:
    `ties` of `ties + 4` at the time of the one before."""
    gaps = st.sampled_from([1, 1, 1, 2, *[0] * ties])
    one = events(types=types, odd=odd, sequenced=sequenced, times=gaps)
    # Drawn as a size first: lists of any size come out short, and have few matches.
    sizes = st.sampled_from([size, *(max(size - n, 0) for n in (0, 1, 1, 2, 3, 5)), 0])
    return sizes.flatmap(lambda n: st.lists(one, min_size=n, max_size=n)).map(_placed)


def patterns(
    *,
    features: frozenset[Feature] = FEATURES,
    types: str = "ABC",
    max_steps: int = 4,
    conjunctions: bool = False,
) -> st.SearchStrategy[Pattern]:
    """Patterns of up to `max_steps` steps that use no features but these; with an AND in every sequence of
    two steps or more, if there are to be `conjunctions`.

    Types are drawn from `types` for each step, so one type may stand at several steps, and alternatives of OR
    may share variables. At most two steps of a sequence take more than two events. Attributes are those of
    `events`; windows are of up to 12 seconds.
    """
    return _patterns(features, types, max_steps, conjunctions)


_ABSENT = object()
_VALUES: list[Any] = [0, 1, 2, 3, 4]
_ODD_VALUES = [*_VALUES * 10, 1.5, True, "x", "2", [1], None, _ABSENT]
_KEYS: list[Any] = [1, 2]
_ODD_KEYS = [*_KEYS * 12, "1", True, None, _ABSENT]


def _event(drawn: tuple[str, int, Any, Any, Any, int]) -> Event:
    type_, t_gen, v, w, k, seq = drawn
    payload = {name: value for name, value in (("v", v), ("w", w), ("k", k)) if value is not _ABSENT}
    return Event(type_, f"{type_.lower()}{t_gen}", t_gen, t_gen, payload=payload, seq=seq)


def _placed(drawn: list[Event]) -> list[Event]:
    """Events whose `t_gen` is the gap before them, in seconds, put one after the other."""
    now = 0
    for number, event in enumerate(drawn):
        now += event.t_gen * SECOND
        event.t_gen = event.t_arr = now
        event.id = f"{event.type.lower()}{number}"
    return sorted(drawn, key=sort_key)


@dataclass(frozen=True, slots=True)
class _Names:
    """The variables of a pattern, by what conditions may say of them. Filled while the structure is drawn."""

    conjunctions: bool = False
    groups: list[str] = field(default_factory=list)
    singles: list[str] = field(default_factory=list)
    negated: list[str] = field(default_factory=list)
    # The last positive step of each sequence.
    ends: list[Step] = field(default_factory=list)

    @property
    def positive(self) -> list[str]:
        return self.groups + self.singles


@st.composite
def _patterns(
    draw: st.DrawFn, features: frozenset[Feature], types: str, max_steps: int, conjunctions: bool
) -> Pattern:
    names = _Names(conjunctions)
    structure: Choice | Sequence
    if "or" in features and draw(st.integers(0, 5)) == 0:
        few = max(1, max_steps - 2)
        first = draw(_sequences(features, types, few, names, list("abcdefgh")))
        # The other sequence may use the first one's variables again, but not those of negated steps.
        shared = [v for v in "abcdefgh" if v not in names.negated]
        free = draw(st.sampled_from([shared, list("pqrstuvw")]))
        second = draw(_sequences(features - {"negation"}, types, few, names, free))
        structure = Choice((first, second))
    else:
        structure = draw(_sequences(features, types, max_steps, names, list("abcdefghij")))
    kinds = [make for feature, make in _CONDITIONS.items() if feature in features]
    conditions = [
        draw(draw(st.sampled_from(kinds))(names))
        for _ in range(draw(st.sampled_from([0, 0, 1, 1, 2])) if kinds else 0)
    ]
    if names.negated and "each" in features and draw(st.booleans()):
        conditions.append(draw(_of_negated(names)))
    where = None if not conditions else conditions[0]
    if len(conditions) > 1:
        where = Logical("and", tuple(conditions))
    partition = (("k",),) if "partition" in features and draw(st.integers(0, 3)) == 0 else ()
    return Pattern(structure, where, draw(st.sampled_from([12, 8, 6, 4, 1])) * SECOND, partition)


@st.composite
def _sequences(
    draw: st.DrawFn, features: frozenset[Feature], types: str, max_steps: int, names: _Names, free: list[str]
) -> Sequence:
    """A sequence; takes its variables from the front of `free`."""
    parts: list[Step | Conjunction] = []
    steps = draw(st.sampled_from([n for n in (2, 3, 1, 2, 4, 3) if n <= max_steps]))
    conjunction, most = None, 1
    if "and" in features and steps > 1 and (names.conjunctions or _one_in(draw, 5)):
        conjunction = draw(st.integers(0, steps - 2))
        most = draw(st.sampled_from([2, 2, 3]))
    negations = 0
    large = 0
    place = 0
    while place < steps:
        if negations < 2 and "negation" in features and _one_in(draw, 5):
            parts.append(draw(_negated(features, types, names, free)))
            negations += 1
        size = min(most, steps - place) if place == conjunction else 1
        chosen = []
        for _ in range(size):
            step = draw(_steps(features, types, names, free, large < 2))
            maximum = step.quantifier.maximum
            large += maximum is None or maximum > 2
            chosen.append(step)
        if size > 1 and negations < 2 and "negation" in features and _one_in(draw, 8):
            chosen.append(draw(_negated(features, types, names, free)))
            negations += 1
        parts.append(Conjunction(tuple(chosen)) if size > 1 else chosen[0])
        place += size
    if negations < 2 and "negation" in features and _one_in(draw, 5):
        parts.append(draw(_negated(features, types, names, free)))
    last = [part for part in parts if isinstance(part, Conjunction) or not part.negated][-1]
    names.ends.extend(s for s in (last.steps if isinstance(last, Conjunction) else (last,)) if not s.negated)
    return Sequence(tuple(parts))


def _one_in(draw: st.DrawFn, n: int) -> bool:
    return draw(st.integers(0, n - 1)) == 1


@st.composite
def _steps(
    draw: st.DrawFn, features: frozenset[Feature], types: str, names: _Names, free: list[str], large: bool
) -> Step:
    """A positive step; `large` says whether it may take more than two events."""
    quantifiers = [_SINGLE] * 3
    if "kleene" in features:
        quantifiers += _KLEENE
    if "optional" in features:
        quantifiers += _OPTIONAL
    if not large:
        quantifiers = [q for q in quantifiers if q.maximum is not None and q.maximum <= 2]
    quantifier = draw(st.sampled_from(quantifiers))
    variable = free.pop(0)
    kind = names.singles if quantifier.maximum == 1 else names.groups
    if variable not in names.positive:
        kind.append(variable)
    return Step(variable, draw(_types(features, types)), quantifier)


@st.composite
def _negated(
    draw: st.DrawFn, features: frozenset[Feature], types: str, names: _Names, free: list[str]
) -> Step:
    variable = free.pop(0)
    names.negated.append(variable)
    return Step(variable, draw(_types(features, types)), negated=True)


@st.composite
def _types(draw: st.DrawFn, features: frozenset[Feature], types: str) -> tuple[str, ...]:
    several = "types" in features and len(types) > 1 and _one_in(draw, 6)
    size = 2 if several else 1
    return tuple(draw(st.lists(st.sampled_from(types), min_size=size, max_size=size, unique=True)))


_attributes = st.sampled_from([("v",), ("v",), ("v",), ("w",), ("v",), ("w",), ("time",)])
_comparisons: st.SearchStrategy[Any] = st.sampled_from(_COMPARISONS)
_constants = st.integers(0, 4).map(Constant)
_offsets = st.sampled_from([Current(-1), Current(1), Current(-1), Current(1), Current(-2), Current(3)])
_reductions: st.SearchStrategy[Any] = st.sampled_from(["sum", "avg", "min", "max", "count"])


def _each(names: _Names) -> st.SearchStrategy[Expression]:
    """A variable held against a constant."""
    index = st.sampled_from([None, Current()])
    term = st.builds(Attribute, st.sampled_from(names.positive), _attributes, index)
    return st.builds(Binary, _comparisons, term, _constants)


def _adjacent(names: _Names) -> st.SearchStrategy[Expression]:
    """Neighbours of a group, or one of them alone. A single event has none, so the condition is true."""

    @st.composite
    def build(draw: st.DrawFn) -> Expression:
        variable, path = draw(st.sampled_from(names.groups or names.singles)), draw(_attributes)
        neighbour = Attribute(variable, path, draw(_offsets))
        here = Attribute(variable, path, Current())
        other = draw(st.sampled_from([here, here, None])) or draw(_constants)
        sides = draw(st.permutations([neighbour, other]))
        return Binary(draw(_comparisons), sides[0], sides[1])

    return build()


def _cross(names: _Names) -> st.SearchStrategy[Expression]:
    """Two variables, any of them groups."""

    @st.composite
    def build(draw: st.DrawFn) -> Expression:
        left = Attribute(draw(st.sampled_from(names.positive)), draw(_attributes))
        index = draw(st.sampled_from([None, None, Current(), Current(), Current(1), Current(-2)]))
        other = draw(st.sampled_from(names.positive))
        right = Attribute(other, draw(_attributes), None if other == left.variable else index)
        return Binary(draw(_comparisons), left, right)

    return build()


def _position(names: _Names) -> st.SearchStrategy[Expression]:
    """A fixed place held against a constant, another place, or every event of another variable."""

    @st.composite
    def build(draw: st.DrawFn) -> Expression:
        places = st.sampled_from([Position(1), Position(2), Position(-1)])
        left = Attribute(draw(st.sampled_from(names.positive)), draw(_attributes), draw(places))
        index = draw(st.one_of(places, st.none()))
        other = Attribute(draw(st.sampled_from(names.positive)), draw(_attributes), index)
        return Binary(draw(_comparisons), left, draw(st.one_of(_constants, st.just(other))))

    return build()


def _running(names: _Names) -> st.SearchStrategy[Expression]:
    """An event of a group held against an aggregate of those before it."""

    @st.composite
    def build(draw: st.DrawFn) -> Expression:
        variable, path = draw(st.sampled_from(names.groups or names.singles)), draw(_attributes)
        before = Aggregate(draw(_reductions), variable, path, running=True)
        return Binary(draw(_comparisons), Attribute(variable, path, Current()), before)

    return build()


def _final(names: _Names) -> st.SearchStrategy[Expression]:
    """An aggregate of a whole group held against a constant, or every event of a variable."""

    @st.composite
    def build(draw: st.DrawFn) -> Expression:
        variable = draw(st.sampled_from(names.positive))
        if draw(st.booleans()):
            whole = Aggregate("count", variable, ())
        else:
            whole = Aggregate(draw(_reductions), variable, draw(_attributes))
        other = Attribute(draw(st.sampled_from(names.positive)), draw(_attributes))
        return Binary(draw(_comparisons), whole, draw(st.one_of(_constants, st.just(other))))

    return build()


def _null(names: _Names) -> st.SearchStrategy[Expression]:
    """A test for what is missing."""
    index = st.sampled_from([None, Current(), Position(1), Position(-1)])
    term = st.builds(Attribute, st.sampled_from(names.positive), _attributes, index)
    return st.builds(Binary, st.sampled_from(["==", "!="]), term, st.just(Constant(None)))


def _logic(names: _Names) -> st.SearchStrategy[Expression]:
    """NOT, OR, IN, BETWEEN and arithmetic around simple conditions."""
    simple = st.one_of(_each(names).filter(_unindexed), _cross(names).filter(_unindexed), _final(names))
    term = st.builds(Attribute, st.sampled_from(names.positive), _attributes)
    sums = st.builds(Binary, st.sampled_from(["+", "-", "*", "/", "%"]), term, term)
    return st.one_of(
        st.builds(Unary, st.just("not"), simple),
        st.builds(lambda x, y: Logical("or", (x, y)), simple, simple),
        st.builds(lambda x, y: Unary("not", Logical("and", (x, y))), simple, simple),
        st.builds(Membership, term, st.lists(_constants, min_size=1, max_size=3).map(tuple)),
        st.builds(Between, term, _constants, _constants),
        st.builds(Binary, _comparisons, sums, _constants),
        st.builds(Binary, _comparisons, sums.map(lambda x: Unary("abs", x)), _constants),
    )


def _function(names: _Names) -> st.SearchStrategy[Expression]:
    """Functions of what other conditions compare."""
    kinds = (_each, _adjacent, _cross, _position, _running, _final)
    return calling(st.one_of([make(names) for make in kinds]))


def _table(names: _Names) -> st.SearchStrategy[Expression]:
    """Look-ups of what other conditions compare."""
    kinds = (_each, _adjacent, _cross, _position, _running, _final)
    ended = all(s.quantifier.minimum for s in names.ends)
    return looking_up(st.one_of([make(names) for make in kinds]), ended=ended)


def _of_negated(names: _Names) -> st.SearchStrategy[Expression]:
    """A negated step's own condition: on it alone, or held against a variable or an aggregate."""
    own = st.builds(Attribute, st.sampled_from(names.negated), _attributes)
    other = st.builds(Attribute, st.sampled_from(names.positive), _attributes)
    whole = st.builds(Aggregate, _reductions, st.sampled_from(names.positive), _attributes)
    return st.builds(Binary, _comparisons, own, st.one_of(_constants, other, whole))


def _unindexed(expression: Expression) -> bool:
    """Whether it names nothing by `[i]`: with `b.v` beside `b[i].v` a condition would be refused."""
    sides = [expression.left, expression.right] if isinstance(expression, Binary) else []
    return not any(isinstance(s, Attribute) and isinstance(s.index, Current) for s in sides)


_CONDITIONS: dict[str, Callable[[_Names], st.SearchStrategy[Expression]]] = {
    "each": _each,
    "adjacent": _adjacent,
    "cross": _cross,
    "position": _position,
    "running": _running,
    "final": _final,
    "null": _null,
    "logic": _logic,
    "function": _function,
    "table": _table,
}
