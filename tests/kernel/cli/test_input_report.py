"""What a run has to say of its input."""

from __future__ import annotations

from typing import Any

from limecep.cli.input_report import changed_clocks, noted, unconverted


def of(**sources: dict[str, Any]) -> dict[str, Any]:
    return {"sources": sources}


def test_columns_of_several_kinds_are_told_with_examples() -> None:
    column = {"column": "state", "examples": ["unavailable", "off"]}
    assert noted(
        of(
            h={
                "mixed_columns": [
                    {**column, "numbers": 4012, "texts": 3, "booleans": 0},
                    {**column, "numbers": 1, "texts": 1, "booleans": 2},
                    {**column, "numbers": 1, "texts": 0, "booleans": 1, "examples": []},
                ]
            }
        )
    ) == [
        "column 'state' of source h: 4,012 numbers and 3 texts (unavailable, off)",
        "column 'state' of source h: 1 number, 1 text and 2 booleans (unavailable, off)",
        "column 'state' of source h: 1 number and 1 boolean",
    ]


def test_lines_of_another_length_are_told_with_the_first() -> None:
    first = "d.csv:3: 3 cells where there are 2 columns"
    one, many = ({"ragged_lines": n, "first_ragged": first} for n in (1, 1200))
    assert noted(of(c=one, d=many, e={"ragged_lines": 0})) == [
        f"1 ragged line of source c, first at {first}",
        f"1,200 ragged lines of source d, first at {first}",
    ]


def test_documents_that_break_off_are_told() -> None:
    rest = "did not end; what is there of the records was read"
    one, many = ({"documents_without_end": n} for n in (1, 1200))
    assert noted(of(j={"read": 5}, k=one, m=many)) == [
        f"1 document of source k {rest}",
        f"1,200 documents of source m {rest}",
    ]


def test_fields_that_no_record_has_are_told() -> None:
    absent = {"key": "id", "field": "nr", "looked_at": 5, "have": ["n"]}
    assert noted(of(s={"read": 7, "absent_fields": [absent]})) == [
        "id 'nr' of source s was missing in the 5 records looked at (of 7): they have 'n'; did you mean 'n'?"
    ]


def test_values_that_were_lost_are_told_by_field() -> None:
    assert [*unconverted(of(s={"unconverted": {"v": 1, "w": 1200}}, t={}))] == [
        "v in 1 record of source s: it is not of the type in 'payload'",
        "w in 1,200 records of source s: it is not of the type in 'payload'",
    ]


def test_what_a_change_of_the_clocks_did_is_told_by_source() -> None:
    twice = "given twice by a change of the clocks ('fold' says which is meant)"
    skipped = "skipped by one (read as if there had been none)"
    report = of(
        a={"ambiguous_times": 1200, "skipped_times": 2},
        b={"ambiguous_times": 1},
        c={"skipped_times": 1},
        d={},
    )
    assert [*changed_clocks(report)] == [
        f"times of source a: 1,200 {twice}, 2 {skipped}",
        f"times of source b: 1 {twice}",
        f"times of source c: 1 {skipped}",
    ]


def test_messages_in_which_the_codec_failed_are_counted() -> None:
    assert noted(of(g={"skipped": 1}, h={"skipped": 2000})) == [
        "1 message of source g skipped, as the codec failed there (on_error)",
        "2,000 messages of source h skipped, as the codec failed there (on_error)",
    ]


def test_a_codec_that_gave_no_record_is_told_with_what_it_was_given() -> None:
    one, many = ({"messages_without_record": n} for n in (1, 1200))
    assert noted(of(c=one, d=many)) == [
        "nothing was read from source c: 1 message of it came, and its codec gave no record of it",
        "nothing was read from source d: 1,200 messages of it came, and its codec gave no record of any",
    ]
    one, many = ({"messages_without_record": n, "not_finite_numbers": n, "read": 9} for n in (1, 1200))
    silent = "came to nothing: its codec gave no record, and said nothing"
    missing = "read as missing: NaN and infinities are no values of JSON"
    assert noted(of(c=one, d=many)) == [
        *(f"1 message of source c {silent}", f"1 number of source c {missing}"),
        *(f"1,200 messages of source d {silent}", f"1,200 numbers of source d {missing}"),
    ]


def test_withdrawals_that_met_nothing_or_were_none_are_told() -> None:
    assert noted(of(a={"unmet_withdrawals": 1}, b={"unmet_withdrawals": 2000})) == [
        "1 withdrawal names an event that never came from source a",
        "2,000 withdrawals name events that never came from source b",
    ]
    near, absent = ({"never_withdrawn": {"field": "op", "values": v}} for v in (["'D'", "'d '"], []))
    assert noted(of(a=near, b=absent)) == [
        "no record of source a withdraws anything: 'op' is 'D' and 'd ', which 'is' does not name",
        "no record of source b withdraws anything: none has 'op'",
    ]
