"""Statements of SQL find with us what they find by SQL's rules."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from limecep.language.problems import QueryError
from limecep.translation.translate import translate
from tests.kernel.translation.row_patterns import (
    by_engine,
    found,
    measured,
    refusal,
    statement,
    with_values,
)

HOUR = 3600


def prices(text: str, every: int = 1) -> list[dict[str, Any]]:
    """Rows with these prices; `-` is none."""
    rows = [{} if p == "-" else {"price": int(p)} for p in text.split()]
    return [{"t": i * every, "rowtime": i, "symbol": "ACME", **row} for i, row in enumerate(rows)]


def kinds(text: str) -> list[dict[str, Any]]:
    return [{"t": i, "ts": i, "kind": kind, "n": i} for i, kind in enumerate(text)]


def matches(text: str) -> list[tuple[tuple[int, str], ...]]:
    """Matches as `0 START 1 DOWN, 3 START 4 DOWN`."""
    split = [match.split() for match in text.split(",") if match.strip()]
    return [tuple((int(n), v) for n, v in zip(m[::2], m[1::2], strict=True)) for m in split]


#: Statements as manuals of Flink, Trino and RisingWave have them, each with rows and what it finds in them.
MANUALS = {
    "flink: three rows": (
        "SELECT T.aid, T.bid FROM T MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY ts MEASURES A.n AS "
        "aid, B.n AS "
        "bid PATTERN (A B C) WITHIN INTERVAL '1' MINUTE DEFINE A AS kind = 'a', B AS kind = 'b', C "
        "AS kind = 'c') "
        "AS T",
        [{**r, "symbol": "x"} for r in kinds("aabcabcc")],
        "1 A 2 B 3 C, 4 A 5 B 6 C",
    ),
    "flink: a falling price": (
        "SELECT * FROM Ticker MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY rowtime MEASURES "
        "START_ROW.rowtime AS "
        "s, LAST(PRICE_UP.rowtime) AS e ONE ROW PER MATCH AFTER MATCH SKIP TO LAST PRICE_UP PATTERN "
        "(START_ROW "
        "PRICE_DOWN+ PRICE_UP) WITHIN INTERVAL '1' HOUR DEFINE PRICE_DOWN AS (LAST(PRICE_DOWN.price, "
        "1) IS NULL "
        "AND PRICE_DOWN.price < START_ROW.price) OR PRICE_DOWN.price < LAST(PRICE_DOWN.price, 1), "
        "PRICE_UP AS "
        "PRICE_UP.price > LAST(PRICE_DOWN.price)) MR",
        prices("30 41 44 38 35 31 52 50 51 49 49 60"),
        # 44 falls to 31, and 52 goes up; it starts the next.
        "2 START_ROW 3 PRICE_DOWN 4 PRICE_DOWN 5 PRICE_DOWN 6 PRICE_UP, 6 START_ROW 7 PRICE_DOWN 8 PRICE_UP",
    ),
    "flink: a reluctant quantifier": (
        "SELECT * FROM Ticker MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY rowtime MEASURES C.price "
        "AS p ONE ROW "
        "PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A B*? C) WITHIN INTERVAL '1' HOUR DEFINE "
        "A AS A.price "
        "> 20, B AS B.price < 25, C AS C.price > 22)",
        prices("20 21 22 23 24 26"),
        "1 A 2 B 3 C, 4 A 5 C",
    ),
    "flink: a drop in an hour": (
        "SELECT * FROM Ticker MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY rowtime MEASURES A.price "
        "- C.price AS "
        "d ONE ROW PER MATCH AFTER MATCH SKIP TO NEXT ROW PATTERN (A B* C) WITHIN INTERVAL '1' HOUR "
        "DEFINE B AS "
        "B.price > A.price - 10, C AS C.price < A.price - 10)",
        prices("40 35 38 27 39 22 12", every=HOUR // 3),
        # 38 to 27 is within the hour, to the minute; 40 to 27 is, too.
        "0 A 1 B 2 B 3 C, 2 A 3 C, 3 A 4 B 5 B 6 C, 4 A 5 C",
    ),
    "flink: a top": (
        "SELECT * FROM Ticker MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY rowtime MEASURES "
        "FIRST(A.price) AS s, "
        "LAST(A.price) AS t PATTERN (A+ B) WITHIN INTERVAL '1' HOUR DEFINE A AS LAST(A.price, 1) IS NULL OR "
        "A.price > LAST(A.price, 1), B AS B.price < LAST(A.price))",
        prices("1 3 4 2 5 5 4"),
        # 5 is not less than 5: from 5 on only the second one goes down.
        "0 A 1 A 2 A 3 B, 5 A 6 B",
    ),
    "flink: the row before, whichever it is": (
        "SELECT * FROM Ticker MATCH_RECOGNIZE (ORDER BY rowtime AFTER MATCH SKIP TO NEXT ROW PATTERN "
        "(A B? C) "
        "WITHIN INTERVAL '1' HOUR DEFINE B AS B.price < 20, C AS LAST(price, 1) < C.price AND C.price >= 20)",
        prices("10 15 20 20 5 21"),
        "0 A 1 B 2 C, 1 A 2 C, 3 A 4 B 5 C, 4 A 5 C",
    ),
    "trino: a V, each leg disjoint": (
        "SELECT * FROM orders MATCH_RECOGNIZE(PARTITION BY symbol ORDER BY ts MEASURES A.price AS s, "
        "LAST(B.price) "
        "AS b, LAST(U.price) AS t ONE ROW PER MATCH AFTER MATCH SKIP TO NEXT ROW PATTERN (A B+ C+ D+) WITHIN "
        "INTERVAL '1' HOUR SUBSET U = (C, D) DEFINE B AS price < PREV(price), C AS price > "
        "PREV(price) AND price "
        "<= A.price, D AS price > PREV(price) AND price > A.price)",
        prices("8 5 3 4 5 6 9 2"),
        "0 A 1 B 2 B 3 C 4 C 5 C 6 D, 1 A 2 B 3 C 4 C 5 D 6 D",
    ),
    "risingwave: failures after a login": (
        "CREATE MATERIALIZED VIEW v AS SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY who ORDER BY ts "
        "MEASURES "
        "first(fail.ts) AS t ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (login fail{3} "
        "take) WITHIN "
        "interval '5 minutes' DEFINE login AS login.kind = 'l', fail AS fail.kind = 'f', take AS "
        "take.kind = 't') "
        "EMIT ON WINDOW CLOSE;",
        [{**r, "who": "x"} for r in kinds("lffftlfftlffff")],
        "0 LOGIN 1 FAIL 2 FAIL 3 FAIL 4 TAKE",
    ),
    "risingwave: alternatives": (
        "SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY who ORDER BY ts PATTERN (a (b | c) d) WITHIN "
        "interval '5 "
        "minutes' DEFINE a AS kind = 'a', b AS kind = 'b', c AS kind = 'c', d AS n > a.n + 1)",
        [{**r, "who": "x"} for r in kinds("abbaccabac")],
        "0 A 1 B 2 D, 3 A 4 C 5 D, 6 A 7 B 8 D",
    ),
}


@pytest.mark.parametrize("name", MANUALS)
def test_what_manuals_show_finds_the_same(name: str) -> None:
    text, rows, expected = MANUALS[name]
    assert found(text, rows, HOUR) == matches(expected)
    check_values(text, rows)
    assert by_engine(text, rows) == matches(expected)


def check_values(text: str, rows: list[dict[str, Any]]) -> None:
    """The values of matches are those of SQL. Averages may differ in the last digit."""
    for taken, values in with_values(text, rows):
        expected = measured(text, rows, taken)
        if "RETURN" in translate(text).query:
            assert values == {n: v if v is None else pytest.approx(v) for n, v in expected.items()}


#: What manuals show besides, and cannot be carried over.
BEYOND = {
    "flink: a greedy quantifier": (
        "PATTERN (A B* ¦C) WITHIN INTERVAL '1' HOUR DEFINE A AS A.v > 20, B AS B.v < 25, C AS C.v > 22",
        "either-variable",
    ),
    "flink: the row before the last": (
        "AFTER MATCH SKIP TO LAST C PATTERN (A B+ C) WITHIN INTERVAL '1' HOUR DEFINE B AS B.v < PREV(v), "
        "C AS C.v > ¦LAST(B.v, 1)",
        "offset-too-far",
    ),
    "flink: an average": (
        "PATTERN (A+ B) WITHIN INTERVAL '1' HOUR DEFINE A AS ¦AVG(A.v) < 15",
        "sum-with-null",
    ),
    "flink: an average of what is there": (
        "PATTERN (A+ ¦B) WITHIN INTERVAL '1' HOUR DEFINE A AS AVG(A.v) < 15 AND A.v IS NOT NULL",
        "either-variable",
    ),
    "flink: the largest drop": (
        "¦AFTER MATCH SKIP PAST LAST ROW PATTERN (A B* C) WITHIN INTERVAL '1' HOUR DEFINE "
        "B AS B.v > A.v - 10, C AS C.v < A.v - 10",
        "nested-matches",
    ),
    "trino: a V, its legs not disjoint": (
        "PATTERN (A B+ C+ ¦D+) WITHIN INTERVAL '1' HOUR SUBSET U = (C, D) DEFINE B AS v < PREV(v), C AS v > "
        "PREV(v) AND v <= A.v, D AS v > PREV(v)",
        "either-variable",
    ),
    "risingwave: any order": (
        "PATTERN (¦PERMUTE(A, B)) WITHIN INTERVAL '1' HOUR DEFINE A AS k = 'a'",
        "not-carried-over",
    ),
}


@pytest.mark.parametrize("name", BEYOND)
def test_what_manuals_show_besides_is_refused(name: str) -> None:
    rest, code = BEYOND[name]
    assert refusal(statement(rest)) == code


def test_rows_of_other_partitions_do_not_stand_between() -> None:
    text = statement("PATTERN (A B) WITHIN INTERVAL '9' SECOND DEFINE A AS kind = 'a', B AS kind = 'b'")
    rows = [{**row, "who": who} for row, who in zip(kinds("aaxb"), "1221", strict=True)]
    assert by_engine(text, rows) == []
    assert by_engine(text.replace("(ORDER", "(PARTITION BY who ORDER"), rows) == matches("0 A 3 B")


def test_a_greedy_quantifier_at_the_end_takes_all_and_a_reluctant_one_what_it_must() -> None:
    rows = kinds("abbbcab")
    define = "WITHIN INTERVAL '9' SECOND DEFINE A AS kind = 'a', B AS kind = 'b'"
    assert by_engine(statement(f"PATTERN (A B+) {define}"), rows) == matches("0 A 1 B 2 B 3 B, 5 A 6 B")
    assert by_engine(statement(f"PATTERN (A B+?) {define}"), rows) == matches("0 A 1 B, 5 A 6 B")
    assert by_engine(statement(f"PATTERN (A B{{2,}}?) {define}"), rows) == matches("0 A 1 B 2 B")
    assert by_engine(statement(f"PATTERN (A B*?) {define}"), rows) == matches("0 A, 5 A")


def test_a_group_that_begins_and_ends_a_match_is_cut_by_the_window_as_sql_cuts_it() -> None:
    text = statement("PATTERN (A{2,}) WITHIN INTERVAL '2' SECOND DEFINE A AS kind = 'a'")
    assert by_engine(text, kinds("aaaaab")) == matches("0 A 1 A 2 A, 3 A 4 A")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("SELECT * FROM t MATCH_RECOGNIZE (PATTERN (¦A B))", "no-order"),
        ("SELECT * FROM t MATCH_RECOGNIZE (ORDER BY ¦ts DESC PATTERN (A))", "descending"),
        ("SELECT * FROM t MATCH_RECOGNIZE (ORDER BY ts, ¦a DESC PATTERN (A))", "descending"),
        ("SELECT * FROM t MATCH_RECOGNIZE (ORDER BY a, b, ¦c PATTERN (A))", "long-order"),
        ("SELECT * FROM t MATCH_RECOGNIZE (ORDER BY ¦a + 1 PATTERN (A))", "no-column"),
        ("SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY ¦f(a) ORDER BY ts PATTERN (A))", "no-column"),
        (statement("¦ALL ROWS PER MATCH PATTERN (A)"), "all-rows"),
        (statement("PATTERN (A B¦)"), "no-within"),
        (statement("PATTERN (A B) WITHIN ¦INTERVAL '1' MONTH"), "bad-interval"),
        (statement("PATTERN (A B) WITHIN ¦INTERVAL '1 02' DAY"), "bad-interval"),
        (statement("PATTERN (A B) WITHIN ¦INTERVAL '0' DAY"), "bad-interval"),
        (statement("PATTERN (A B) WITHIN ¦5"), "bad-interval"),
        (statement("PATTERN (A B) WITHIN INTERVAL '1' DAY DEFINE ¦C AS v > 1"), "unknown-variable"),
        (statement("PATTERN (A B) WITHIN INTERVAL '1' DAY SUBSET U = (A, ¦C)"), "unknown-variable"),
        (statement("PATTERN (A B) WITHIN INTERVAL '1' DAY SUBSET A = (¦A, B)"), "unknown-variable"),
        (
            statement("PATTERN (A B) WITHIN INTERVAL '1' DAY DEFINE B AS Price > PREV(¦price)"),
            "two-spellings",
        ),
        (statement("PATTERN (A B+) WITHIN INTERVAL '1' DAY DEFINE B AS ¦SUM(B.v) < 9"), "sum-with-null"),
        (statement("PATTERN (A B) WITHIN INTERVAL '1' DAY DEFINE B AS ¦SUM(A.v) < 9"), "sum-of-nothing"),
    ],
)
def test_what_cannot_be_carried_over_is_refused_where_it_stands(text: str, code: str) -> None:
    assert refusal(text) == code


def test_all_that_cannot_be_carried_over_is_told_at_once() -> None:
    text = statement(
        "MEASURES A.v / 2 AS x, CLASSIFIER() AS y ALL ROWS PER MATCH PATTERN (A B+) DEFINE A AS PREV(v) > 1, "
        "B AS v < NEXT(v)"
    )
    with pytest.raises(QueryError) as caught:
        translate(text)
    codes = [p.code for p in caught.value.problems]
    assert codes == ["division", "unknown-function", "all-rows", "no-within", "prev-outside", "next-row"]


def test_intervals_are_those_of_the_systems() -> None:
    for interval, within in {
        "INTERVAL '90' SECOND": "90 seconds",
        "interval '1' hour": "1 hour",
        "INTERVAL '2' DAY(3)": "2 days",
        "INTERVAL '5 minutes'": "5 minutes",
        "INTERVAL '0.5' SECOND": "500 ms",
        "INTERVAL '2' WEEK": "14 days",
    }.items():
        assert f"WITHIN {within}" in translate(statement(f"PATTERN (A) WITHIN {interval}")).query


_ROWS = st.lists(
    st.fixed_dictionaries(
        {"t": st.sampled_from([1, 1, 2]), "kind": st.sampled_from("aabc")},
        optional={"price": st.integers(0, 3)},
    ),
    min_size=1,
    max_size=9,
)


@st.composite
def _conditions(draw: st.DrawFn, v: str, variables: str) -> str:
    u, op, n = (
        draw(st.sampled_from(variables)),
        draw(st.sampled_from(["<", ">", "<=", "="])),
        draw(st.integers(0, 3)),
    )
    return draw(
        st.sampled_from(
            [
                f"{v}.price {op} PREV(price)",
                f"LAST({v}.price, 1) IS NULL OR {v}.price {op} LAST({v}.price, 1)",
                f"price {op} {u}.price",
                f"NOT price {op} FIRST({u}.price)",
                f"price IS NOT NULL AND SUM({v}.price) < {n + 2}",
                f"price IN ({n}, 1) OR price IS NULL",
                f"COUNT(*) < {n + 2}",
                f"price {op} LAST(price, 1) AND price BETWEEN 1 AND {n}",
                f"MAX({u}.price) {op} price",
                f"price {op} NEXT({v}.price)",
                f"ts {op} {u}.ts + INTERVAL '{n + 1}' SECOND",
                f"NOT kind LIKE '{'ab'[n % 2]}%'",
                f"NOT CASE WHEN price > {n} THEN {u}.price ELSE 1 END {op} PREV(price)",
                f"CASE kind WHEN 'a' THEN price > {u}.price WHEN 'b' THEN NOT price = {n} END",
                f"CASE WHEN LAST({v}.price, 1) {op} price THEN {n} END + 1 IS NULL",
            ]
        )
    )


@st.composite
def _statements(draw: st.DrawFn) -> tuple[str, int]:
    variables = "ABC"[: draw(st.integers(1, 3))]
    exclusive = draw(st.permutations("abc"))
    define = []
    for v, kind in zip(variables, exclusive, strict=False):
        tests = [f"kind = '{kind}'"] if draw(st.integers(0, 4)) else []
        tests += [f"({draw(_conditions(v, variables))})"] if draw(st.booleans()) else []
        define += [f"{v} AS {' AND '.join(tests)}"] if tests else []
    parts = [
        v + draw(st.sampled_from(["", "+", "*", "?", "+?", "*?", "{2}", "{1,2}", "{2,}"])) for v in variables
    ]
    pattern = " ".join(parts)
    if len(parts) == 3:
        pattern = draw(
            st.sampled_from(
                [pattern, f"{parts[0]} ({parts[1]} | {parts[2]})", f"({parts[0]} {parts[1]})? {parts[2]}"]
            )
        )
    to = draw(
        st.sampled_from(
            ["PAST LAST ROW", "TO NEXT ROW", f"TO LAST {variables[-1]}", f"TO FIRST {variables[-1]}"]
        )
    )
    within = draw(st.sampled_from([3, 60]))
    last = variables[-1]
    measures = ["LAST(ts)", "COUNT(*)", "AVG(price)", "FIRST(kind)", "price", "A.price < 2"]
    measures += [f"{name}({last}.price)" for name in ("FIRST", "SUM", "COUNT", "MIN")]
    measures += [f"CASE WHEN {last}.price BETWEEN 1 AND 2 THEN 'mid' WHEN kind IN ('a') THEN kind END"]
    measure = draw(st.sampled_from([*measures, f"{last}.price - A.price", f"LAST({last}.price, 1)"]))
    text = f"MEASURES {measure} AS m AFTER MATCH SKIP {to} PATTERN ({pattern})"
    text += f" WITHIN INTERVAL '{within}' SECOND" + (f" DEFINE {', '.join(define)}" if define else "")
    return statement(text), within


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
@given(_statements(), _ROWS)
def test_what_is_translated_finds_what_sql_finds(drawn: tuple[str, int], steps: list[dict[str, Any]]) -> None:
    text, within = drawn
    try:
        translate(text)
    except QueryError:
        assume(False)
    rows, t = [], 0
    for step in steps:
        t += step["t"]
        rows.append({**step, "t": t, "ts": t})
    assert by_engine(text, rows) == sorted(found(text, rows, within))
    check_values(text, rows)
