"""limecep: complex event processing for small machines and untidy streams.

A plugin author needs three names from here: `hookimpl` marks a hook, `ComponentSpec` describes a
component, `option` describes one of its options; `component` marks a class of a local plugin. Somebody who
embeds limecep needs `Pipeline` and `Event`; `expand` gives all matches from the maximal ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pluggy

from limecep.compiled import prefer_sources
from limecep.spec import ComponentSpec, option

if TYPE_CHECKING:
    from limecep.expansion import expand
    from limecep.local import component
    from limecep.model.event import Event
    from limecep.runtime.pipeline import Pipeline

__all__ = [
    "API_VERSION",
    "ComponentSpec",
    "Event",
    "Pipeline",
    "__version__",
    "component",
    "expand",
    "hookimpl",
    "option",
]

#: The one place of the version: the build reads it here.
__version__ = "0.1.0"

#: The plugin interface this kernel speaks. A plugin module may say `limecep_api = 1`; another number is
#: refused.
API_VERSION = 1

# Before anything is imported that may be compiled.
prefer_sources()

hookimpl = pluggy.HookimplMarker("limecep")


def __getattr__(name: str) -> Any:
    # Listing plugins must stay cheap, so what needs the whole machinery is imported when it is asked for.
    if name == "Event":
        from limecep.model.event import Event

        return Event
    if name == "Pipeline":
        from limecep.runtime.pipeline import Pipeline

        return Pipeline
    if name == "component":
        from limecep.local import component

        return component
    if name == "expand":
        from limecep.expansion import expand

        return expand
    raise AttributeError(f"module 'limecep' has no attribute {name!r}")
