"""What is varied: all choices that values of several keys make."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any, NoReturn

from limecep.embedding.documents import Block, Findings, Listing, SourceText, described, parse
from limecep.embedding.pipelines import load_dict
from limecep.errors import ConfigurationError
from limecep.problems import Problem
from limecep_lab.sweeps.documents import Quoted, flow, plain, read_yaml, with_values
from limecep_lab.truths.reference import in_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from limecep.embedding.pipelines import PipelineConfig, Registry
    from limecep_lab.sweeps.documents import Document


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One value for each key.

    Attributes:
        values: The values, as text for people.
        document: The pipeline with them.
        config: The same, read.
        truth: Its place among the pipelines that find what there is.
    """

    values: Mapping[str, str]
    document: Document
    config: PipelineConfig
    truth: int


@dataclass(frozen=True, kw_only=True)
class Grid:
    """All choices.

    Attributes:
        keys: The keys that are varied.
        choices: The choices.
        truths: The pipelines that find what there is: one for those that look for the same.
    """

    keys: Sequence[str]
    choices: Sequence[Choice]
    truths: Sequence[PipelineConfig]


def read_vary(text: str) -> tuple[str, list[Any]]:
    """A key and its values, of a text such as `lateness.factor=0.5,1,1.5`.

    Raises:
        ConfigurationError: It is none.
    """
    findings = Findings()
    key, equals, values = text.partition("=")
    if not equals or not all(key.split(".")) or not values.strip():
        findings.error(
            "bad-vary",
            f"'{text}' is no key with values",
            None,
            "write key=value,value: lateness.factor=1,2.5",
        )
        raise ConfigurationError(findings.sorted())
    node = parse(SourceText("--vary", f"[{values}]"), findings)
    if findings.failed or not isinstance(node, Listing):
        raise ConfigurationError(findings.sorted())
    return key, plain(node)


def read_grid(path: str) -> dict[str, list[Any]]:
    """The keys and values of a file of YAML: `lateness.factor: [0.5, 1, 1.5]`.

    Raises:
        ConfigurationError: It holds something else.
    """
    findings = Findings()
    vary: dict[str, list[Any]] = {}
    node = read_yaml(path, findings)
    if node is not None and not (isinstance(node, Block) and node.entries):
        findings.error("wrong-type", f"a grid is a block of keys, not {described(node)}", node)
    elif isinstance(node, Block):
        for key, entry in node.entries.items():
            if isinstance(entry.value, Listing) and entry.value.items:
                vary[key] = plain(entry.value)
            else:
                hint = f"write the values as a list: {key}: [.., ..]"
                findings.error("wrong-type", f"'{key}' has no list of values", entry.key, hint)
    if findings.failed:
        raise ConfigurationError(findings.sorted())
    return vary


def together(varied: Iterable[tuple[str, list[Any]]]) -> dict[str, list[Any]]:
    """The values of each key.

    Raises:
        ConfigurationError: A key is there twice.
    """
    vary: dict[str, list[Any]] = {}
    for key, values in varied:
        if key in vary:
            _refuse(f"'{key}' is varied twice", "write all its values with one: key=value,value")
        vary[key] = values
    return vary


def grid(document: Document, vary: Mapping[str, Sequence[Any]], registry: Registry, root: Path) -> Grid:
    """All choices of values.

    Args:
        document: The pipeline.
        vary: The values of each key, by its path (`limecep_lab.sweeps.documents.with_values`).
        registry: The components there are.
        root: The folder that relative paths are below.

    Raises:
        ConfigurationError: A choice makes no pipeline, there is none, or what is varied is the recording.
    """
    for key, tried in vary.items():
        if not tried:
            _refuse(f"'{key}' has no values")
        if key.partition(".")[0] in ("connectors", "sources"):
            _refuse(f"'{key}' cannot be varied: one recording is read, for all choices", "say it with --set")
    found: list[Choice] = []
    truths: list[PipelineConfig] = []
    for chosen in product(*vary.values()):
        values = dict(zip(vary, chosen, strict=True))
        shown = {key: flow(value) for key, value in values.items()}
        changed = with_values(document, values)
        config = _config(changed, registry, root, shown)
        truth = in_order(config, registry, emit="eager")
        if truth not in truths:
            truths.append(truth)
        found.append(Choice(values=shown, document=changed, config=config, truth=truths.index(truth)))
    return Grid(keys=list(vary), choices=found, truths=truths)


def _refuse(message: str, hint: str = "") -> NoReturn:
    raise ConfigurationError([Problem(code="bad-vary", message=message, hint=hint)])


def _config(document: Document, registry: Registry, root: Path, shown: Mapping[str, str]) -> PipelineConfig:
    # What the environment puts in without quotes may be a number, which a text in a dict never is.
    params = document.get("params")
    bare = [
        f"params.{name}={value}"
        for name, value in (params.items() if isinstance(params, dict) else ())
        if isinstance(value, str) and "${" in value and not isinstance(value, Quoted)
    ]
    loaded = load_dict(document, registry, root=root, overrides=bare)
    if loaded.config is None:
        with_what = ", ".join(f"{key}={value}" for key, value in shown.items())
        wrong = [p for p in loaded.problems if p.severity == "error"]
        raise ConfigurationError([replace(p, message=f"{p.message} (with {with_what})") for p in wrong])
    return loaded.config
