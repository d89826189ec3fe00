"""Where in which file a function or a class of Python stands."""

from __future__ import annotations

import inspect
from typing import Any

from limecep.problems import Place


def place_of(what: Any, module: Any = None) -> Place | None:
    """Where a function or a class stands; else the file of a module; None where nobody knows."""
    try:
        lines, number = inspect.findsource(inspect.unwrap(what))
        file = inspect.getfile(inspect.unwrap(what))
    except (OSError, TypeError):
        path = getattr(module, "__file__", None)
        return None if path is None else Place(file=path, line=0, column=0)
    text = lines[number].rstrip("\r\n")
    column = len(text) - len(text.lstrip())
    return Place(file=file, line=number + 1, column=column + 1, text=text, width=len(text) - column)
