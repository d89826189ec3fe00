"""What this package brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl


def _of(module: str, *functions: tuple[str, str, str, str]) -> list[ComponentSpec]:
    """Functions of a module.

    Args:
        module: Its name in this package.
        functions: Of each the name, the signature, what it gives and an example. One whose name Python has
            for something else is called otherwise there.
    """
    others = {"round": "rounded", "replace": "replaced", "hash": "hashed"}
    return [
        ComponentSpec(
            kind="function",
            name=name,
            factory=f"limecep_functions.{module}:{others.get(name, name)}",
            signature=signature,
            summary=summary,
            example=example,
            requires=("re2",) if name == "matches" else (),
            extra="regex" if name == "matches" else "",
        )
        for name, signature, summary, example in functions
    ]


@hookimpl
def limecep_functions() -> list[ComponentSpec]:
    return [
        *_of(
            "texts",
            ("lower", "(text: str) -> str", "A text in small letters", "lower(a.state) = 'open'"),
            ("upper", "(text: str) -> str", "A text in capitals", "upper(a.unit) = 'KM'"),
            ("trim", "(text: str) -> str", "A text without the blanks around it", "trim(a.name) = b.name"),
            ("length", "(text: str) -> int", "How many characters a text has", "length(a.code) = 4"),
            (
                "substring",
                "(text: str, start: int, length: int = ...) -> str",
                "A part of a text, from a place counted from 1; missing where 'start' is below 1 or 'length' "
                "below 0",
                "substring(a.code, 1, 2) = 'GR'",
            ),
            (
                "replace",
                "(text: str, old: str, new: str) -> str",
                "A text with every 'old' in it replaced; as it is where 'old' is ''",
                "replace(a.plate, '-', '') = b.plate",
            ),
            (
                "split",
                "(text: str, separator: str, place: int) -> str",
                "The part of a text at a place, counted from 1, or from the end with -1",
                "split(a.path, '/', 2) = 'api'",
            ),
            (
                "contains",
                "(text: str, part: str) -> bool",
                "Whether a text has a part",
                "contains(a.log, 'error')",
            ),
            (
                "starts_with",
                "(text: str, start: str) -> bool",
                "Whether a text starts so",
                "starts_with(a.id, 'k')",
            ),
            (
                "ends_with",
                "(text: str, end: str) -> bool",
                "Whether a text ends so",
                "ends_with(a.file, '.csv')",
            ),
            (
                "concat",
                "(text: str, *more: str) -> str",
                "Texts, one after the other",
                "concat(a.x, '-', a.y) = b.xy",
            ),
        ),
        *_of(
            "numbers",
            (
                "round",
                "(x: float, digits: int = ...) -> float",
                "A number with so many digits behind the point, halves to the even digit; missing where "
                "'digits' is not between -100 and 100",
                "round(a.degrees, 1) = 36.6",
            ),
            (
                "floor",
                "(x: float) -> int",
                "The greatest whole number that is not above a number",
                "floor(a.v) = 3",
            ),
            (
                "ceil",
                "(x: float) -> int",
                "The least whole number that is not below a number",
                "ceil(a.v) = 4",
            ),
            (
                "sqrt",
                "(x: float) -> float",
                "The square root; missing below 0",
                "sqrt(a.x * a.x + a.y * a.y) < 5",
            ),
            (
                "ln",
                "(x: float) -> float",
                "The natural logarithm; missing of 0 and below",
                "ln(b.v / a.v) > 0.1",
            ),
            ("exp", "(x: float) -> float", "e to the power of a number", "exp(a.v) > 10"),
            ("power", "(x: float, y: float) -> float", "x to the power of y", "power(a.v, 2) > 9"),
            (
                "mod",
                "(x: float, y: float) -> float",
                "The remainder of a division, as x % y; missing where 'y' is 0",
                "mod(a.n, 2) = 0",
            ),
            (
                "sign",
                "(x: float) -> int",
                "-1, 0 or 1: whether a number is below 0, 0, or above",
                "sign(a.v) != sign(b.v)",
            ),
        ),
        *_of(
            "values",
            (
                "coalesce",
                "(value: object, *values: object) -> object",
                "The first of some values that is not missing",
                "coalesce(a.level, 0) > 3",
            ),
            (
                "least",
                "(value: object, *values: object) -> object",
                "The least of some numbers, texts, or times; missing where one is, or they do not compare",
                "least(a.v, b.v) > 3",
            ),
            (
                "greatest",
                "(value: object, *values: object) -> object",
                "The greatest of some numbers, texts, or times; missing where one is, or they do not compare",
                "greatest(a.v, b.v) < 9",
            ),
            (
                "number",
                "(value: object) -> float",
                "The number that a text spells, a number itself; missing of all else",
                "number(a.reading) > 3",
            ),
            (
                "text",
                "(value: object) -> str",
                "A number, a boolean or an instant as text, a text itself; 2.0 is '2'; missing of all else",
                "text(a.id) = b.ref",
            ),
            (
                "is_text",
                "(value: object) -> bool",
                "Whether a value is a text; false where it is missing",
                "is_text(a.v)",
            ),
            (
                "is_number",
                "(value: object) -> bool",
                "Whether a value is a number; false where it is missing",
                "is_number(a.v)",
            ),
            (
                "is_boolean",
                "(value: object) -> bool",
                "Whether a value is true or false; false where it is missing",
                "is_boolean(a.v)",
            ),
            (
                "is_list",
                "(value: object) -> bool",
                "Whether a value is a list; false where it is missing",
                "is_list(a.v)",
            ),
            (
                "is_object",
                "(value: object) -> bool",
                "Whether a value is an object; false where it is missing",
                "is_object(a.v)",
            ),
            (
                "choose",
                "(condition: bool | None, value: object, other: object = ...) -> object",
                "A value where a condition is true, else another; CASE WHEN is written with it",
                "choose(a.v > 9, 'high', 'low') = b.level",
            ),
            (
                "hash",
                "(value: object) -> str",
                "A text of 16 characters, the same for equal values wherever and whenever",
                "hash(a.user) = b.user_hash",
            ),
        ),
        *_of(
            "searching",
            (
                "like",
                "(text: str, pattern: str) -> bool",
                "Whether a text is like a pattern, % being any text and _ any character; a.name LIKE 'k%'",
                "like(a.name, 'k%')",
            ),
            (
                "matches",
                "(text: str, pattern: str) -> bool",
                "Whether a regular expression of RE2 is found in a text; a.path MATCHES '^/api/'",
                "matches(a.path, '^/api/')",
            ),
        ),
        *_of(
            "times",
            *(
                (name, "(time: Instant, zone: str = ...) -> int", summary, example)
                for name, summary, example in (
                    ("hour", "The hour of an instant in a time zone", "hour(a.time, 'Europe/Athens') >= 22"),
                    ("minute", "The minute of an instant in a time zone", "minute(a.time) < 5"),
                    ("weekday", "The day of the week, 1 (Monday) to 7", "weekday(a.time) > 5"),
                    ("day", "The day of the month", "day(a.time) = 1"),
                    ("month", "The month, 1 to 12", "month(a.time) = 12"),
                    ("year", "The year", "year(a.time) >= 2026"),
                )
            ),
            (
                "date",
                "(time: Instant, zone: str = ...) -> str",
                "The date of an instant in a time zone, as text",
                "date(a.time, 'UTC') = '2026-01-05'",
            ),
            (
                "instant",
                "(text: str, zone: str = ...) -> Instant",
                "The instant that a text in ISO 8601 says; missing of other texts",
                "a.time > instant('2026-01-05T10:00:00Z')",
            ),
        ),
        *_of(
            "lists",
            (
                "stddev",
                "(values: list[float]) -> float",
                "The standard deviation of a sample of numbers (n - 1); missing of fewer than two",
                "stddev(b.v) > 3",
            ),
            (
                "stddev_pop",
                "(values: list[float]) -> float",
                "The standard deviation of all numbers there are (n); missing of none",
                "stddev_pop(b.v) > 3",
            ),
            ("median", "(values: list[float]) -> float", "The number in the middle", "median(b.v) > 30"),
            (
                "percentile",
                "(values: list[float], share: float) -> float",
                "The number below which so many of a hundred lie",
                "percentile(b.v, 95) > 30",
            ),
            (
                "distinct",
                "(values: list) -> int",
                "How many different values there are",
                "distinct(b.user) >= 5",
            ),
            (
                "includes",
                "(values: list, value: object) -> bool",
                "Whether one of some values equals another; 'x' IN b.tag",
                "includes(b.tag, 'x')",
            ),
            (
                "any_of",
                "(values: list, comparison: str, value: object) -> bool",
                "Whether a comparison is true of one of some values; any(b.v > 3)",
                "any_of(b.v, '>', 3)",
            ),
        ),
        *_of(
            "places",
            (
                "distance",
                "(lat: float, lon: float, other_lat: float, other_lon: float) -> float",
                "The metres between two places, given by latitude and longitude in degrees",
                "distance(a.lat, a.lon, b.lat, b.lon) > 1000",
            ),
        ),
    ]
