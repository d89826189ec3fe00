"""New plugin distributions, made of the templates in `templates/`.

A template is a distribution that works, whose names are to be changed: its component is called `mine`. Those
of all kinds share what stands in `common`; a transport is a source and a sink in one.
"""

from __future__ import annotations

import re
from importlib.resources import files
from importlib.util import find_spec
from typing import TYPE_CHECKING

from limecep import __version__
from limecep.errors import ConfigurationError, LimecepError
from limecep.problems import Problem
from limecep.registry import title
from limecep.vetting import NAME

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable
    from pathlib import Path

    from limecep.registry import Registry

_TEMPLATES = files("limecep_scaffold") / "templates"
_COMMON = "common"
#: What is made of the templates of several kinds, each a component; its own template counts more.
_PARTS = {"transport": ("source", "sink")}
#: What is replaced in the text of a template, and in the names of its files.
_TOKENS = re.compile(r"limecep[_-]mine|\bmine\b|Mine(?=[A-Z])|>=0\.1,<0\.2")


def kinds() -> list[str]:
    """The kinds of components that there is a template for."""
    return sorted(f.name for f in _TEMPLATES.iterdir() if f.is_dir() and f.name != _COMMON)


def components(kind: str) -> tuple[str, ...]:
    """The kinds of the components that a distribution of a kind has."""
    return _PARTS.get(kind, (kind,))


def scaffold(kind: str, name: str, folder: Path, registry: Registry) -> tuple[Path, list[Path]]:
    """Writes a distribution with one component, or for a transport with a source and a sink.

    Args:
        kind: What it is, one of `kinds()`.
        name: Its name. The distribution is called `limecep-NAME`, its package `limecep_NAME`.
        folder: Where the distribution's folder is made.
        registry: The components there are.

    Returns:
        The distribution's folder, and the files in it.

    Raises:
        ConfigurationError: The name cannot be used.
        LimecepError: The folder is there already, or cannot be written.
    """
    if problem := _objection(kind, name, registry):
        raise ConfigurationError([problem])
    distribution = folder / _distribution(name)
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        distribution.mkdir()
        layers = dict.fromkeys((_COMMON, *components(kind), kind))
        texts = {parts: text for layer in layers for parts, text in _texts(_TEMPLATES / layer)}
        for parts, text in texts.items():
            path = distribution.joinpath(*(_renamed(part, name) for part in parts))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_renamed(text, name), encoding="utf-8")
            written.append(path)
    except FileExistsError as e:
        raise LimecepError(f"{e.filename} is there already, and is left as it is") from None
    except OSError as e:
        raise LimecepError(f"{e.filename or distribution} cannot be written: {e.strerror}") from None
    return distribution, sorted(written)


def _objection(kind: str, name: str, registry: Registry) -> Problem | None:
    """What speaks against a name."""
    if not NAME.fullmatch(name):
        better = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_0123456789")
        return Problem(
            code="bad-name",
            message=f"'{name}' cannot be the name of a component",
            hint="a name is lower-case letters and digits, a letter first, '_' between words, and not null, "
            "true or false" + (f": {better}" if NAME.fullmatch(better) else ""),
        )
    for component in components(kind):
        if registry.find(component, name) is not None:
            return Problem(
                code="name-taken",
                message=f"there is a component {component}/{name} already: with two of one name, a pipeline "
                "that uses it is refused",
                hint=f"'limecep plugins list' names every {title(component)} there is",
            )
    if find_spec(_package(name)) is not None:
        return Problem(
            code="name-taken",
            message=f"a package '{_package(name)}' is installed already: one would hide the other",
            hint="take another name, or uninstall the other",
        )
    return None


def _package(name: str) -> str:
    return f"limecep_{name}"


def _distribution(name: str) -> str:
    return _package(name).replace("_", "-")


def _texts(folder: Traversable, above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """The files of a template: the parts of their paths, and their text."""
    for found in folder.iterdir():
        parts = (*above, found.name)
        if found.is_file():
            yield parts, found.read_text(encoding="utf-8")
        elif found.name != "__pycache__":
            yield from _texts(found, parts)


def _renamed(text: str, name: str) -> str:
    major, minor = map(int, __version__.split(".")[:2])
    # What is below 1 may change with the second number.
    below = f"0.{minor + 1}" if major == 0 else f"{major + 1}"
    words = {
        "limecep_mine": _package(name),
        "limecep-mine": _distribution(name),
        "mine": name,
        "Mine": "".join(word.capitalize() for word in name.split("_")),
        ">=0.1,<0.2": f">={major}.{minor},<{below}",
    }
    return _TOKENS.sub(lambda m: words[m[0]], text)
