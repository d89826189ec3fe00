"""The grammar of statements with `MATCH_RECOGNIZE` (LALR). It loads the parser generator: import it late."""

from __future__ import annotations

from functools import cache

from lark import Lark

GRAMMAR = r"""
start: created? query ";"*

created: "CREATE"i (_OR "REPLACE"i)? ("TEMPORARY"i | "MATERIALIZED"i)? "VIEW"i absent? path "AS"i
    | "INSERT"i "INTO"i path
absent: "IF"i NOT "EXISTS"i
query: "SELECT"i columns "FROM"i path ("AS"i? name)? "MATCH_RECOGNIZE"i "(" body ")" ("AS"i? name)? emit?
emit: "EMIT"i "ON"i "WINDOW"i "CLOSE"i
columns: column ("," column)*
column: STAR -> everything
    | _path "." STAR -> everything
    | expression ("AS"i name)?

body: partition? order? measures? rows? skip? pattern within? subset? define?
partition: "PARTITION"i "BY"i expression ("," expression)*
order: "ORDER"i "BY"i sort ("," sort)*
sort: expression (ASC | DESC)? ("NULLS"i ("FIRST"i | "LAST"i))?
measures: "MEASURES"i measure ("," measure)*
measure: expression "AS"i name
rows: "ONE"i "ROW"i "PER"i "MATCH"i
    | ALL "ROWS"i "PER"i "MATCH"i (("SHOW"i | "OMIT"i) "EMPTY"i "MATCHES"i | "WITH"i "UNMATCHED"i "ROWS"i)?
skip: "AFTER"i "MATCH"i "SKIP"i target
?target: "PAST"i "LAST"i "ROW"i -> past_last
    | "TO"i "NEXT"i "ROW"i -> to_next
    | "TO"i "FIRST"i name -> to_first
    | "TO"i "LAST"i name -> to_last
    | "TO"i name -> to_last
pattern: "PATTERN"i "(" choice ")"
within: "WITHIN"i expression
subset: "SUBSET"i union ("," union)*
union: name EQUAL "(" name ("," name)* ")"
define: "DEFINE"i definition ("," definition)*
definition: name "AS"i expression

choice: sequence ("|" sequence)*
sequence: part+
part: primary quantifier?
?primary: name -> variable
    | "(" choice ")" -> group
    | "(" ")" -> nothing
    | ("^" | "$") -> anchor
    | "PERMUTE"i "(" choice ("," choice)* ")" -> permute
    | "{-" choice "-}" -> exclusion
quantifier: (STAR | PLUS | QUESTION) QUESTION? -> short
    | "{" NUMBER "}" QUESTION? -> exactly
    | "{" NUMBER "," NUMBER "}" QUESTION? -> between_counts
    | "{" NUMBER "," "}" QUESTION? -> at_least
    | "{" "," NUMBER "}" QUESTION? -> at_most

?expression: conjunction (_OR conjunction)* -> any_of
?conjunction: inversion (_AND inversion)* -> all_of
?inversion: comparison
    | NOT inversion -> inverse
?comparison: sum
    | sum (COMPARISON | EQUAL) sum -> compare
    | sum NOT? "BETWEEN"i sum _AND sum -> between
    | sum NOT? "IN"i "(" expression ("," expression)* ")" -> member
    | sum NOT? "LIKE"i sum -> like
    | sum "IS"i NOT? "NULL"i -> is_null
?sum: product
    | sum (PLUS | MINUS) product -> arithmetic
?product: factor
    | product (STAR | DIVISION) factor -> arithmetic
?factor: atom
    | MINUS factor -> minus
    | PLUS factor -> plus
?atom: NUMBER -> number
    | STRING -> text
    | (TRUE | FALSE) -> boolean
    | "NULL"i -> null
    | "INTERVAL"i STRING (name ("(" NUMBER ")")?)? -> interval
    | "INTERVAL"i NUMBER name -> interval
    | "(" expression ")" -> parentheses
    | path -> column_name
    | call
    | SCOPE call -> scoped
    | name STRING -> typed
    | "CASE"i when+ other? "END"i -> case
    | "CASE"i expression when+ other? "END"i -> case_of
    | "CAST"i "(" expression "AS"i name+ ("(" NUMBER ("," NUMBER)* ")")? ")" -> cast
when: "WHEN"i expression "THEN"i expression
other: "ELSE"i expression
call: path "(" ")"
    | path "(" STAR ")" -> call_of_all
    | path "(" _path "." STAR ")" -> call_of_rows
    | path "(" DISTINCT? expression ("," expression)* ")"
path: _path
_path: name | _path "." name
name: NAME | QUOTED

_AND.1: /AND(?![\w$])/i
_OR.1: /OR(?![\w$])/i
NOT.1: /NOT(?![\w$])/i
TRUE: "TRUE"i
FALSE: "FALSE"i
ASC: "ASC"i
DESC: "DESC"i
ALL: "ALL"i
DISTINCT: "DISTINCT"i
SCOPE.1: /(?:RUNNING|FINAL)(?=\s+[^\W\d]\w*\s*\()/i
NAME: /(?:[^\W\d]|\$(?=\w))[\w$]*/i
QUOTED: /"(?:[^"]|"")+"|`(?:[^`]|``)+`/
NUMBER: /(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/
STRING: /'(?:[^']|'')*'/
COMPARISON: /!=|<>|<=|>=|<|>/
EQUAL: "="
PLUS: "+"
MINUS: "-"
STAR: "*"
QUESTION: "?"
DIVISION: /[\/%]/
COMMENT: /--[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\//
SPACE: /\s+/
%ignore COMMENT
%ignore SPACE
"""


@cache
def statement_parser() -> Lark:
    """The parser, made once in a process."""
    return Lark(
        GRAMMAR, parser="lalr", lexer="contextual", propagate_positions=True, maybe_placeholders=False
    )
