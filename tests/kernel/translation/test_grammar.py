from __future__ import annotations

from limecep.translation.grammar import statement_parser
from limecep.translation.translate import translate

PLAIN = (
    "SELECT * FROM t MATCH_RECOGNIZE (ORDER BY ts PATTERN (A B) WITHIN INTERVAL '1' HOUR DEFINE B AS "
    "B.v > A.v "
    "AND B.w IN ('x', 'it''s'))"
)


def test_case_comments_blanks_quotes_and_what_stands_around_change_nothing() -> None:
    expected = str(translate(PLAIN))
    for other in (
        PLAIN.replace("PATTERN", "pattern").replace("WITHIN", "within").replace("DEFINE B AS", "define b as"),
        PLAIN.replace(" ", "\n\t").replace("(ORDER", "( -- MATCH_RECOGNIZE (\n/* ; ' */ ORDER"),
        PLAIN.replace("B.v", '"B"."v"').replace("FROM t", "FROM `t`"),
        f"CREATE OR REPLACE VIEW x.y AS {PLAIN} AS m;;\n",
        f"CREATE MATERIALIZED VIEW IF NOT EXISTS v AS {PLAIN} EMIT ON WINDOW CLOSE",
        f"INSERT INTO sink {PLAIN}",
        PLAIN.replace("FROM t", "FROM cat.schema.t AS r").replace("ts PATTERN", "ts ASC NULLS LAST PATTERN"),
        PLAIN.replace("PATTERN", "ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN"),
    ):
        assert str(translate(other)) == expected


def test_words_of_the_clause_are_names_elsewhere() -> None:
    query = translate(
        "SELECT * FROM match MATCH_RECOGNIZE (PARTITION BY row ORDER BY one MEASURES FIRST.last AS final, "
        "LAST(RUNNING.skip) AS define PATTERN (FIRST RUNNING) WITHIN INTERVAL '1' HOUR DEFINE FIRST "
        "AS FIRST.past > "
        "1, RUNNING AS measures = 'x' AND RUNNING.pattern > 1)"
    ).query
    assert "SEQ(match first, match running)" in query
    assert "running.measures = 'x'" in query
    assert "RETURN first.last AS final, running.skip AS define" in query


def test_the_grammar_has_no_conflicts_and_is_made_once() -> None:
    assert statement_parser() is statement_parser()
