"""Guards: stand-ins for the components of a pattern that stops where one of them fails.

A guard has the members of its component. The first of these that raises, or gives what its contract rules
out, stops the pattern. From then on each gives an answer by which the pattern finds nothing, keeps
nothing and refuses nothing: events have the outcome that the other patterns give them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.contracts.lateness import Verdict
from limecep.contracts.results import EVERYTHING
from limecep.contracts.shown import shown
from limecep.contracts.slack import LONGEST_WAIT
from limecep.errors import ContractBreach
from limecep.model.match import Match

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from limecep.patterns.stopping import Stopping

    #: By member, what is given in place of its answer.
    Instead = Mapping[str, Callable[..., Any]]

_REMEMBERING: Instead = {"remembered": lambda: None, "recall": lambda known: None}
#: What members of each kind give once the pattern has stopped. A pattern that may stop is not evaluated
#: together with others: `together` is left out.
_CALLED: Mapping[str, Instead] = {
    "engine": {
        "matches": lambda end, view: (),
        "count": lambda end, view: 0,
        "touched": lambda event, view: (),
        "going": lambda event, view: ((), None),
        "coming": lambda view, changed: (),
        "matches_of": lambda ends, view: None,
        "matches_from": lambda end, view, t_gen: (),
        "picked": lambda end, view: (),
        "exposed": lambda event, view: (),
        "explain": lambda: (),
    },
    "lateness": {
        "assess": lambda event, statistics: Verdict(extremely_late=False),
        "horizon": lambda statistics: statistics.lta,
        **_REMEMBERING,
    },
    "slack": {"wait": lambda statistics: 0, **_REMEMBERING},
    "recompute": {"reach": lambda event, lta: (event.t_gen, event.t_gen), **_REMEMBERING},
    "results": _REMEMBERING,
}
#: Members that are read, and not called.
_READ: Mapping[str, Mapping[str, Any]] = {
    "engine": {"results": "all"},
    "lateness": {"learns": False, "by_window": False},
    "slack": {},
    "recompute": {},
    "results": {
        "promise": "superset",
        "passes": EVERYTHING,
        "across_keys": False,
        "emit": "eager",
        "announces": False,
        "horizon": None,
        "skip": None,
    },
}
#: Members that are handed on: whoever asks them stops the pattern where they fail, or asks before a run.
_WATCHED = ("decide", "lasts", "selects", "rule", "keeps")
#: Whether what some members give is what they may give.
_SOUND: Mapping[str, Callable[[Any], bool]] = {
    "count": lambda told: told is None or (type(told) is int and told >= 0),
    "assess": lambda told: isinstance(told, Verdict) and isinstance(told.score, (int, float)),
    "horizon": lambda told: told is None or type(told) is int,
    "wait": lambda told: type(told) is int and 0 <= told <= LONGEST_WAIT,
    "reach": lambda told: [type(t) for t in told] == [int, int] and told[0] <= told[1],
}


def guarded(stopping: Stopping, kind: str, component: Any) -> Any:
    """A guard.

    Args:
        stopping: Stops the pattern.
        kind: The kind of the component.
        component: The component.
    """
    members: dict[str, Any] = {"guarded": component, "stopping": stopping}
    for name in _WATCHED:
        if hasattr(component, name):
            members[name] = getattr(component, name)
    for name, instead in _CALLED[kind].items():
        if hasattr(component, name):
            members[name] = _call(component, name, instead, stopping)
    for name, value in _READ[kind].items():
        members[name] = property(_read(component, name, value, stopping))
    return type("Guard", (), members)()


def _call(component: Any, name: str, instead: Callable[..., Any], stopping: Stopping) -> Callable[..., Any]:
    act: Callable[..., Any] = getattr(component, name)
    is_sound = _SOUND.get(name)

    def call(self: object, *given: Any) -> Any:
        if stopping.reason:
            return instead(*given)
        try:
            told = act(*given)
            if is_sound is not None and not is_sound(told):
                raise ContractBreach(component, f"gave {shown(told)} in '{name}'")
            if name == "matches_of" and told is not None:
                return [_matches(component, found, stopping) for found in told]
            if name in ("matches", "matches_from", "picked") and told is not None:
                return _matches(component, told, stopping)
            if name == "matches":
                raise ContractBreach(component, "gave None where matches are due")
            return told
        except MemoryError:
            raise
        except (Exception, SystemExit) as error:
            stopping.fail(error)
            return instead(*given)

    return call


def _matches(component: Any, found: Iterable[Any], stopping: Stopping) -> Iterator[Match]:
    """Matches as the engine gives them, as long as it does."""
    try:
        for match in found:
            if not isinstance(match, Match):
                raise ContractBreach(component, f"gave {shown(match)} where a match is due")
            if stopping.reason:
                return
            yield match
    except MemoryError:
        raise
    except (Exception, SystemExit) as error:
        stopping.fail(error)


def _read(component: Any, name: str, instead: Any, stopping: Stopping) -> Callable[[object], Any]:
    def read(self: object) -> Any:
        try:
            return getattr(component, name)
        except (Exception, SystemExit) as error:
            stopping.fail(error)
            return instead

    return read
