"""The grammar (LALR), and the parser made of it. It loads the parser generator, so import it late."""

from __future__ import annotations

from functools import cache

from lark import Lark

GRAMMAR = r"""
start: "PATTERN"i structure where? within partition? returns?

?structure: sequence | choice | lone
lone: part
sequence: "SEQ"i "(" part ("," part)* ")"
?part: step | conjunction
conjunction: _AND "(" step ("," step)* ")"
choice: _OR "(" structure ("," structure)* ")"

step: types variable?
    | _NOT types variable? -> negated
types: name mark*
    | "(" name (_OR name)* ")" mark*
variable: name mark*
?mark: "[" "]" -> brackets
    | (PLUS | STAR | QUESTION) -> short
    | "{" NUMBER "}" -> exactly
    | "{" NUMBER "," NUMBER? "}" -> at_least

where: "WHERE"i any_of
    | "WHERE"i SELECTION (_AND inversion)* -> selection
within: "WITHIN"i duration+
    | "WITHIN"i PARAMETER -> within_parameter
duration: NUMBER unit
unit: NAME | QUOTED
partition: "PARTITION"i "BY"i _paths
_paths: path ("," path)*
path: name ("." field)*
returns: "RETURN"i returned ("," returned)*
returned: any_of "AS"i name

?any_of: all_of (_OR all_of)*
?all_of: inversion (_AND inversion)*
?inversion: comparison
    | _NOT inversion -> inverse
?comparison: sum
    | sum COMPARISON sum -> compare
    | sum test -> tested
    | sum _NOT test -> not_tested
    | sum "IS"i NULL -> is_null
    | sum "IS"i _NOT NULL -> is_not_null
test: "BETWEEN"i sum _AND sum -> between
    | "IN"i arguments -> member
    | "IN"i PARAMETER -> listed
    | "IN"i name -> among
    | "IN"i name ("." field)+ -> included
    | TEXTUAL sum -> textual
?sum: product
    | sum (PLUS | MINUS) product -> arithmetic
?product: factor
    | product (STAR | DIVISION) factor -> arithmetic
?factor: NUMBER -> number
    | NUMBER unit -> seconds
    | signed
?signed: MINUS NUMBER -> number
    | MINUS signed -> minus
    | atom
?atom: (STRING | BOOLEAN | NULL | PARAMETER) -> literal
    | "(" any_of ")" -> parentheses
    | "[" _paths "]" -> same
    | "CASE"i when+ ("ELSE"i any_of)? "END"i -> case
    | name index? ("." field)* -> reference
    | name arguments ("." field)* -> call
when: "WHEN"i any_of "THEN"i any_of
arguments: "(" any_of ("," any_of)* ")"
?index: "[" "]" -> whole
    | "[" name "]" -> current
    | "[" name (PLUS | MINUS) NUMBER "]" -> current
    | "[" NUMBER "]" -> position
    | "[" RANGE name MINUS NUMBER "]" -> before
    | "[" any_of ("," any_of)* "]" -> keys

name: NAME | QUOTED | RETURN | AS | TEXTUAL | CASE | WHEN | THEN | ELSE | END
field: NAME | QUOTED | PATTERN | SEQ | _AND | _OR | _NOT | WHERE | IN | BETWEEN | IS | NULL | BOOLEAN | WITHIN
    | PARTITION | BY | RETURN | AS | TEXTUAL | CASE | WHEN | THEN | ELSE | END

PATTERN: "PATTERN"i
SEQ: "SEQ"i
WHERE: "WHERE"i
IN: "IN"i
BETWEEN: "BETWEEN"i
IS: "IS"i
NULL: "NULL"i
WITHIN: "WITHIN"i
PARTITION: "PARTITION"i
BY: "BY"i
RETURN: "RETURN"i
AS: "AS"i
CASE: "CASE"i
WHEN: "WHEN"i
THEN: "THEN"i
ELSE: "ELSE"i
END: "END"i
TEXTUAL.1: /(?:LIKE|MATCHES)(?!\w)/i
_AND.1: /AND(?!\w)/i
_OR.1: /OR(?!\w)/i
_NOT.1: /NOT(?!\w)|!(?!=)/i
BOOLEAN.1: /(?:TRUE|FALSE)(?!\w)/i
SELECTION.1: /(?:skip-till-(?:next|any)-match|strict-contiguity)(?![\w-])/i
NAME: /[^\W\d]\w*/i
QUOTED: /`(?:[^`]|``)+`/
PARAMETER: /\$(?:[^\W\d]\w*|`(?:[^`]|``)+`)/
NUMBER: /(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/
STRING: /'(?:[^'\\]|''|\\.)*'|"(?:[^"\\]|""|\\.)*"/s
COMPARISON: /==|=|!=|<>|<=|>=|<|>/
PLUS: "+"
MINUS: "-"
STAR: "*"
QUESTION: "?"
DIVISION: /[\/%]/
RANGE: ".."
COMMENT: /--[^\n]*/
SPACE: /\s+/
%ignore COMMENT
%ignore SPACE
"""


@cache
def query_parser() -> Lark:
    """The parser, made once in a process."""
    return Lark(GRAMMAR, parser="lalr", lexer="basic", propagate_positions=True, maybe_placeholders=False)
