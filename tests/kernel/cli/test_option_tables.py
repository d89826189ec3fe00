"""Tables of options in Markdown."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from limecep import ComponentSpec, option
from limecep.cli.option_tables import of_blocks, of_components
from limecep.registry import Registry


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    url: str = option(help="Where it is.", example="mq://host")
    port: int = option(1883, help="The port.")
    note: str = option("", help="Either this | or that.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    wait: int = option(5_000_000, help="How long.", unit="duration")


SPECS = [
    ComponentSpec(
        kind="engine",
        name="fast",
        factory="nowhere:Nothing",
        summary="Is fast.",
        stability="alpha",
        default=True,
    ),
    ComponentSpec(
        kind="source",
        name="broker",
        factory="nowhere:Nothing",
        summary="Reads topics.",
        options=Options,
        settings=Settings,
        requires=("client",),
        extra="mq",
        example="type: broker\n",
    ),
    ComponentSpec(
        kind="lateness", name="odd", factory="nowhere:Nothing", summary="Lets in.", options=Options
    ),
]
OPTIONS = """\
| `url` | text | required | Where it is. Example: `mq://host`. |
| `port` | integer | `1883` | The port. |
| `note` | text |  | Either this \\| or that. |"""


def test_functions_are_rows_of_one_table() -> None:
    def doubled(x: float | None) -> float:
        return 2 * (x or 0)

    specs = [
        ComponentSpec(
            kind="function",
            name="lower",
            factory="nowhere:nothing",
            signature="(text: str) -> str",
            summary="A text.",
            example="lower(a.v) = 'x'",
        ),
        ComponentSpec(
            kind="function", name="doubled", factory=doubled, summary="Twice", example="doubled(3)"
        ),
    ]
    assert (
        of_components(specs)
        == """\
# Components

## function: computes a value in a condition

| function | | example |
|---|---|---|
| `lower(text: str) -> str` | A text | `lower(a.v) = 'x'` |
| `doubled(x: float \\| None) -> float` | Twice | `doubled(3)` |"""
    )


def test_components_stand_by_kind_with_their_options_and_an_example() -> None:
    assert (
        of_components(SPECS)
        == f"""\
# Components

## source: brings messages in

### source/broker

Reads topics. (beta)

Needs `pip install 'limecep[mq]'`.

| option of the connector | type | default | |
|---|---|---|---|
{OPTIONS}

| option of the source | type | default | |
|---|---|---|---|
| `wait` | duration | `5s` | How long. |

```yaml
type: broker
```

## engine: finds the matches that end with an event

### engine/fast

Is fast. Gives the matches contained in no other. (alpha)

## lateness: decides whether a late event is still used

### lateness/odd

Lets in. (beta)

| option of the lateness policy | type | default | |
|---|---|---|---|
{OPTIONS}"""
    )


@pytest.mark.parametrize(
    "row",
    [
        "| `version` | 1 | required | The version of this format. Example: `1`. |",
        "| `name` | text |  | The pipeline's name; by default that of the file. |",
        "| `params` | block of names |  | Values for the $parameters of patterns. |",
        "| `patterns` | block of names | required | What to look for, by name. |",
        "| `retention` | block |  | How long, and how many, events are kept. |",
        "| `engine` | name or block | `fast` | The engine. |",
        "| `lateness` | name or block |  | The lateness policy. |",
        "| `channel` | text | required | A topic, a topic filter, a file's path or glob. |",
        "| `field` | text | required | The field that holds the event type. |",
        "| `time` | text or block |  | The field with the event time; by default the arrival time. |",
        "| `of` | updates or late | `updates` | What goes there. |",
        "| `max_per_end` | integer | `1000000` | The most matches, and work, for one end event. |",
    ],
)
def test_a_key_has_its_type_and_default(row: str) -> None:
    assert row in of_blocks(Registry(SPECS)).splitlines()


def test_every_block_has_its_table_and_keys_that_nothing_can_stand_under_are_left_out() -> None:
    page = of_blocks(Registry(SPECS))
    assert page.startswith("# The keys of a pipeline file\n\nComponents take more keys beside these")
    assert page.count("\n\n## ") == page.count("| key | type | default | |\n|---|---|---|---|\n") == 11
    for key in ("slack", "state", "runner", "envelope"):
        assert f"| `{key}` |" not in page


def test_the_codec_and_the_state_store_of_a_pipeline_have_no_default_of_their_own() -> None:
    more = [
        ComponentSpec(kind=kind, name="usual", factory="nowhere:Nothing", summary="Is.", default=True)
        for kind in ("codec", "state")
    ]
    page = of_blocks(Registry([*SPECS, *more]))
    assert "| `format` | name or block |  | The codec" in page
    assert "| `state` | name or block |  | Where" in page
