from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest

from limecep import option
from limecep.config.document import parse
from limecep.config.findings import Findings
from limecep.config.nodes import Block
from limecep.config.options import check_keys, keys, read
from limecep.config.text import SourceText


@dataclass(frozen=True, slots=True, kw_only=True)
class Inner:
    depth: int = option(1, help="How deep.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    url: str = option(help="Where it is.", example="mq://host")
    port: int = option(1883, help="The port.")
    ratio: float = option(0.5, help="A ratio.")
    quiet: bool = option(False, help="Whether it is.")
    qos: int = option(1, help="Quality.", choices=(0, 1, 2))
    mode: Literal["fast", "slow"] = option("fast", help="How.")
    speed: float | Literal["max"] = option("max", help="How fast.")
    wait: int = option(0, help="How long.", unit="duration")
    bound: int | None = option(None, help="How far.", unit="duration")
    keep: int | Literal["auto"] = option("auto", help="How long.", unit="duration")
    limit: int = option(0, help="How much.", unit="bytes")
    share: float = option(0.0, help="Which part.", unit="percent")
    tags: list[str] = option([], help="Tags.")
    weights: tuple[float, float] = option((0.5, 0.5), help="Weights.")
    waits: tuple[int, ...] = option((), help="How long.", unit="duration")
    names: str | list[str] = option("", help="Names.")
    headers: Mapping[str, int] = option({}, help="Headers.")
    inner: Inner = option(Inner(), help="More.")
    path: Path | None = option(None, help="A file.")
    anything: Any = option(None, help="Anything.")
    from_: str = option("", name="from", help="Where from.")
    low: int = option(0, help="The low end.")

    def __post_init__(self) -> None:
        if self.low > self.port:
            raise ValueError("'low' must not be above 'port'")
        if self.url == "nowhere":
            raise ValueError("there is no such place")


def options(text: str) -> tuple[Options | None, list[str]]:
    findings = Findings()
    node = parse(SourceText("f.yaml", text), findings)
    assert isinstance(node, Block)
    check_keys(node, keys(Options), "thing", findings)
    return read(node, Options, "thing", findings), [str(p) for p in findings.sorted()]


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("port: 5", "port", 5),
        ("ratio: 2", "ratio", 2.0),
        ("quiet: true", "quiet", True),
        ("qos: 2", "qos", 2),
        ('qos: "2"', "qos", 2),
        ("mode: slow", "mode", "slow"),
        ("speed: max", "speed", "max"),
        ("speed: 10", "speed", 10.0),
        ("wait: 250ms", "wait", 250_000),
        ("wait: 1 minute", "wait", 60_000_000),
        ("bound: 10m", "bound", 600_000_000),
        ("bound: off", "bound", None),
        ("bound: false", "bound", None),
        ("bound:", "bound", None),
        ("keep: auto", "keep", "auto"),
        ("keep: 1h", "keep", 3_600_000_000),
        ("limit: 64MB", "limit", 64_000_000),
        ("limit: 100", "limit", 100),
        ("share: 10%", "share", 0.1),
        ("share: 0.1", "share", 0.1),
        ("tags: [a, b]", "tags", ["a", "b"]),
        ("weights: [1, 2.5]", "weights", (1.0, 2.5)),
        ("waits: [1s, 2s]", "waits", (1_000_000, 2_000_000)),
        ("names: a", "names", "a"),
        ("names: [a, b]", "names", ["a", "b"]),
        ("headers: {a: 1}", "headers", {"a": 1}),
        ("inner: {depth: 3}", "inner", Inner(depth=3)),
        ("path: a/b", "path", Path("a/b")),
        ("anything: {a: [1, x]}", "anything", {"a": [1, "x"]}),
        ("from: here", "from_", "here"),
    ],
)
def test_values_are_read(text: str, field: str, value: object) -> None:
    made, problems = options(f"url: x\n{text}\n")
    assert problems == []
    assert getattr(made, field) == value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("port: '5'", "'port' must be a whole number, not the text '5'"),
        ("port: 1.5", "'port' must be a whole number, not the number 1.5"),
        ("port: true", "'port' must be a whole number, not the boolean true"),
        ("ratio: fast", "'ratio' must be a number, not the text 'fast'"),
        ("ratio: .inf", "'ratio' must be a number, not the number .inf"),
        ("quiet: yes", "'quiet' must be true or false, not the text 'yes'"),
        ("qos: 3", "'qos' must be one of 0, 1, 2, not the number 3"),
        ("mode: fats", "'mode' must be one of fast, slow, not the text 'fats'"),
        ("mode: fats", "did you mean 'fast'?"),
        ("speed: fast", "'speed' must be a number or 'max', not the text 'fast'"),
        ("wait: 30", "'wait' needs a unit: 30s"),
        ("wait: 30 secondz", "'wait' has an unknown unit of time 'secondz'; did you mean 'second'?"),
        ("wait: true", "'wait' must be a duration such as 30s, not the boolean true"),
        ("wait: [1s]", "'wait' must be a duration such as 30s, not a list"),
        ("bound: 10", "'bound' needs a unit"),
        ("keep: 10", "'keep' needs a unit"),
        ("keep: 10", "or write 'auto'"),
        ("limit: 64XB", "unknown unit of size 'XB'"),
        ("share: 10", "'share' is ambiguous: write 10%"),
        ("tags: a", "'tags' must be a list of text, not the text 'a'"),
        ("tags: [a, 5]", "'tags' must be text, not the number 5"),
        ("tags: [a, 5]", 'put it in quotes: "5"'),
        ("weights: [1]", "'weights' must have 2 items, not 1"),
        ("weights: 1", "'weights' must be a list of 2 numbers, not the number 1"),
        ("waits: [1s, 2]", "'waits' needs a unit"),
        ("names: 5", "'names' must be text or a list of text, not the number 5"),
        ("headers: [a]", "'headers' must be a block of keys, not a list"),
        ("headers: {a: x}", "'headers' must be a whole number, not the text 'x'"),
        ("inner: {dept: 3}", "'inner' has no key 'dept'"),
        ("inner: 3", "'inner' must be a block of keys, not the number 3"),
        ("path: 3", "'path' must be text, not the number 3"),
        ("prot: 5", "thing has no key 'prot'"),
        ("prot: 5", "did you mean 'port'?"),
        ("low: 2000", "'low' must not be above 'port'"),
    ],
)
def test_what_is_wrong_is_said_where_it_stands(text: str, said: str) -> None:
    _, problems = options(f"url: x\n{text}\n")
    assert len(problems) == 1
    assert said in problems[0]
    assert problems[0].startswith("f.yaml:2:")


def test_everything_wrong_is_said_at_once() -> None:
    _, problems = options("port: x\nmode: y\nlow: 9999\nqos: [1]\n")
    assert len(problems) == 4


def test_a_missing_option_says_what_it_means() -> None:
    made, problems = options("port: 5\n")
    assert made is None
    assert problems == [
        "f.yaml:1:1: error: thing needs 'url' [missing-key]\n    port: 5\n    ^\n"
        "    Where it is. Example: url: mq://host"
    ]


def test_what_the_class_refuses_as_a_whole_stands_at_the_block() -> None:
    made, problems = options("port: 5\nurl: nowhere\n")
    assert made is None
    assert "f.yaml:1:1: error: thing: there is no such place [bad-value]" in problems[0]


def test_a_type_that_cannot_be_read_is_a_mistake_of_the_plugin() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Odd:
        value: complex = option(0j, help="Odd.")

    node = parse(SourceText("f", "value: 1"), Findings())
    assert isinstance(node, Block)
    with pytest.raises(TypeError, match="cannot be read from YAML"):
        read(node, Odd, "thing", Findings())
