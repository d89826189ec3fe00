from __future__ import annotations

from collections import Counter

import pytest

from limecep.errors import ConfigurationError
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan


def plan(query: str, **options):
    return compile_plan(parse(f"PATTERN {query} WITHIN 10 seconds"), name="p", **options)


def event(v: object = None) -> Event:
    return Event(type="X", id="x", t_gen=0, payload={"v": v})


def test_a_plan_says_what_the_query_says():
    made = compile_plan(
        parse("PATTERN SEQ(A a, !N n, B+ b[]) WITHIN 2 minutes PARTITION BY room, u.id"),
        name="fire",
        max_per_end=7,
    )
    assert (made.name, made.select, made.within, made.max_per_end) == ("fire", "stnm", 120_000_000, 7)
    assert made.partition == (("room",), ("u", "id"))
    assert made.types == {"A", "B", "N"}
    (alternative,) = made.alternatives
    assert [(s.variable, s.filter.types, s.quantifier.maximum) for s in alternative.steps] == [
        ("a", ("A",), 1),
        ("b", ("B",), None),
    ]
    assert [(n.variable, n.after, n.hits) for n in alternative.negations] == [("n", 1, None)]


def test_the_selection_policy_is_the_argument_then_the_querys_then_stnm():
    sase = "SEQ(A a, B b) WHERE skip-till-any-match AND a.v > 1"
    assert plan(sase).select == "stam"
    assert plan(sase, select="sc").select == "sc"
    assert plan("SEQ(A a, B b)").select == "stnm"


def test_parameters_are_bound():
    made = plan("SEQ(A a) WHERE a.v > $limit", params={"limit": 3, "other": [1]})
    assert str(made.pattern.where) == "a.v > 3"
    assert made.alternatives[0].steps[0].filter.accepts(event(4))


def test_conditions_are_shown_as_written():
    made = plan("SEQ(A a, B b) WHERE a.v > b.v + $limit", params={"limit": 3})
    assert made.alternatives[0].conditions[0].text == "a.v > b.v + $limit"


def test_unknown_and_odd_parameters_are_all_reported():
    with pytest.raises(ConfigurationError) as caught:
        plan("SEQ(A a) WHERE a.v > $limt AND a.v < $list", params={"limit": 3, "list": [1]})
    codes = [(p.code, p.hint) for p in caught.value.problems]
    assert codes[0] == ("unknown-parameter", "did you mean 'limit'?")
    assert codes[1][0] == "parameter-value"


def test_unknown_variables_are_reported():
    with pytest.raises(ConfigurationError, match="no step has the variable 'x'"):
        plan("SEQ(A a) WHERE x.v > a.v")


def test_two_negated_variables_in_one_condition_are_reported():
    with pytest.raises(ConfigurationError, match="names two negated steps, 'm' and 'n'"):
        plan("SEQ(A a, !M m, !N n, B b) WHERE m.v > n.v")


@pytest.mark.parametrize(
    ("where", "alternatives"),
    [
        ("1 < 2", 1),
        ("1 > 2", 0),
        ("1 = null", 0),
        ("null = null", 1),
        ("'x'", 0),
        ("$flag", 1),
        ("1 > 2 AND a.v > 1", 0),
    ],
)
def test_a_constant_condition_is_decided_when_the_plan_is_made(where, alternatives):
    made = plan(f"SEQ(A a, B b) WHERE {where}", params={"flag": True})
    assert len(made.alternatives) == alternatives


def test_or_and_and_are_spread():
    made = plan("OR(SEQ(A a, AND(B b, C c)), SEQ(D d))")
    assert [[s.variable for s in a.steps] for a in made.alternatives] == [
        ["a", "b", "c"],
        ["a", "c", "b"],
        ["d"],
    ]


def test_a_negated_step_inside_and_is_strictly_between_those_beside_it():
    """In their lanes it may stand between two events with one of which it shares its time."""
    made = plan("AND(A a, !X x, B b) WHERE x.v > a.v")
    hits = {
        (*(s.variable for s in a.steps), a.negations[0].after): a.negations[0].hits for a in made.alternatives
    }
    a, b = Event("A", "a", 1, payload={"v": 1}), Event("B", "b", 5)
    for t, v, expected in [(1, 2, False), (2, 2, True), (2, 1, False), (5, 2, False)]:
        assert hits["a", "b", 1](Event("X", "x", t, payload={"v": v}), ((a,), (b,))) is expected
    plain = plan("SEQ(AND(A a, B b), !X x, C c)")
    assert [a.negations[0].hits for a in plain.alternatives] == [None, None]


def test_the_many_orders_of_and_have_few_conditions_that_are_compiled():
    where = "a.v > b.v AND c.v > 3 AND x.v < c.v"
    plan = compile_plan(
        parse(f"PATTERN SEQ(AND(A a, B b, C c, D d, E e), !X x) WHERE {where} WITHIN 10 s"), name="p"
    )
    assert len(plan.alternatives) == 120
    # Each of two steps is at one of five places, another for each.
    assert len({id(c) for a in plan.alternatives for c in a.conditions}) == 20
    assert len({id(a.negations[0].hits) for a in plan.alternatives}) == 5
    assert len({id(s.filter) for a in plan.alternatives for s in a.steps}) == 5


def test_what_compares_equal_is_still_told_apart():
    plan = compile_plan(parse("PATTERN SEQ(A a, B b) WHERE a.v = 1 AND b.v = true WITHIN 10 s"), name="p")
    accepted = [[s.filter.accepts(Event("A", "1", 1, 1, payload={"v": v})) for v in (1, True)]
                for s in plan.alternatives[0].steps]  # fmt: skip
    assert accepted == [[True, False], [False, True]]


@pytest.mark.parametrize(
    ("where", "decided"),
    [
        ("b.v > a.v", {"b": "condition", "c": "nothing"}),
        ("c.v = null", {"b": "nothing", "c": "filter"}),
        ("c[i+1].v > a.v", {"b": "nothing", "c": "condition"}),
        ("first(c).v = null", {"b": "nothing", "c": "condition"}),
        ("first(c).v > 1", {"c": "condition"}),
        ("first(c).v = a.v", {"b": "filter", "c": "condition"}),
        ("count(c) = 0", {"b": "nothing", "c": "condition"}),
        ("count(c) = 1", {"c": "condition"}),
        ("avg(c.v) = null", {"b": "nothing", "c": "condition"}),
        ("sum(c.v) + a.v > 1", {"b": "filter", "c": "condition"}),
        ("a.v > max(b[..i-1].v)", {"b": "condition", "c": "nothing"}),
    ],
)
def test_a_variable_of_another_alternative_took_nothing(where, decided):
    made = plan(f"OR(SEQ(A a, B+ b[]), SEQ(A a, C+ c[])) WHERE {where}")

    def place(alternative):
        filters = any(s.filter.accepts is not None for s in alternative.steps)
        return "condition" if alternative.conditions else "filter" if filters else "nothing"

    assert {a.steps[1].variable: place(a) for a in made.alternatives} == decided


def test_a_step_of_another_alternative_compares_as_missing_not_as_null():
    made = plan("OR(SEQ(A a), SEQ(C c)) WHERE first(c).v = a.v OR a.v > 5")
    accepts = made.alternatives[0].steps[0].filter.accepts
    assert accepts(event(6))
    assert not accepts(event(None))
    assert not accepts(event(1))


NEGATED = "SEQ(A a, !N n, B+ b[], C c)"


@pytest.mark.parametrize(
    ("where", "accepted", "refused"),
    [
        ("n.v > 1", 2, 1),
        ("n[i].v > 1", 2, None),
        ("first(n).v > 1", 2, "2"),
        ("n.v > 1 AND n.v < 3", 2, 3),
        ("sum(n.v) > 1", 2, 0),
    ],
)
def test_a_negated_step_has_conditions_of_its_own(where, accepted, refused):
    (alternative,) = plan(f"{NEGATED} WHERE {where}").alternatives
    (negation,) = alternative.negations
    assert negation.hits is None
    assert negation.filter.accepts(event(accepted))
    assert not negation.filter.accepts(event(refused))
    assert all(s.filter.accepts is None for s in alternative.steps)


@pytest.mark.parametrize(
    ("where", "hit", "missed"),
    [
        ("n.v > a.v", 6, 5),
        ("n.v > b.v", 4, 3),
        ("n[i].v > b[i].v", 2, 1),
        ("n.v > count(b) + 0 * a.v", 4, 3),
        ("n.v > last(b).v AND n.v < c.v", 3, 8),
        ("n.v > last(b).v AND n.v < c.v", 7, None),
    ],
)
def test_a_negated_step_may_name_other_variables(where, hit, missed):
    (alternative,) = plan(f"{NEGATED} WHERE {where}").alternatives
    (negation,) = alternative.negations
    groups = [(event(5),), (event(1), event(3), event(2)), (event(8),)]
    assert alternative.conditions == ()
    assert negation.hits(event(hit), groups) is True
    assert negation.hits(event(missed), groups) is False


def test_what_is_unknown_of_a_negated_event_is_counted():
    counters = Counter()
    made = plan(f"{NEGATED} WHERE n.v > a.v", counters=counters)
    hits = made.alternatives[0].negations[0].hits
    groups = [(event(5),), (event(1),), (event(8),)]
    assert [hits(event(v), groups) for v in (6, 5, None)] == [True, False, False]
    assert counters == {"unknown": 1}


def test_a_condition_on_a_negated_step_says_nothing_where_there_is_none():
    made = plan("OR(SEQ(A a, !N n, B b), SEQ(A a, C c)) WHERE first(n).v > a.v")
    assert [len(a.conditions) for a in made.alternatives] == [0, 0]
    assert [len(a.negations) for a in made.alternatives] == [1, 0]
