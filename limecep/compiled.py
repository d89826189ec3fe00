"""The compiled modules, and how to run their Python sources instead."""

from __future__ import annotations

import os
import sys
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

#: The environment variable: the build makes a pure wheel, and a compiled installation runs its sources.
PURE = "LIMECEP_PURE"


class Sources:
    """Finds the Python source of a module of limecep, where an extension module would be found first."""

    @classmethod
    def find_spec(
        cls, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if path is None or not name.startswith(("limecep.", "limecep_")):
            return None
        for folder in path:
            found = FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(name)
            if found is not None and found.loader is not None:
                return found
        return None


def prefer_sources() -> None:
    """Has modules of limecep that are not imported yet found as sources, where `LIMECEP_PURE` is set."""
    if os.environ.get(PURE) and Sources not in sys.meta_path:
        sys.meta_path.insert(0, Sources)


def is_compiled() -> bool:
    """Whether the modules that are compiled in some wheels are so here."""
    module = find_spec("limecep.store.lane")
    return module is not None and not str(module.origin).endswith(".py")
