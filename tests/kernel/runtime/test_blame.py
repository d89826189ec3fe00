"""What a component should not have raised is told in words that name it."""

from __future__ import annotations

import errno
import pickle
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from limecep import ComponentSpec, Event, Pipeline
from limecep.contracts.stand_in import sound_rows
from limecep.errors import ComponentFailure, ContractBreach, RunFailure
from limecep.host import Host, Plugin
from limecep.intake import checked as codecs
from limecep.registry import Registry
from limecep.runtime import blame, checked, checked_policies, checked_sources
from limecep.runtime.blame import Made, blamed
from limecep.state import stores

if TYPE_CHECKING:
    from pathlib import Path

MODULE = """
from limecep.errors import RunFailure

class Engine:
    results = "maximal"
    def __init__(self, plan, options, context):
        if context.label == "patterns.unmade":
            raise KeyError("no such plan")
    def matches(self, end, view):
        if end.id == "ended":
            return self.ending()
        raise {"told": RunFailure("the model is gone")}.get(end.id) or helped(end)
    def count(self, end, view):
        return None

    def ending(self):
        yield next(iter(()))

class Slack(Engine):
    def wait(self, statistics):
        return helped(None)

class Giving:
    results = "maximal"
    learns = by_window = False
    promise, passes, across_keys = "equal", frozenset({"emit", "retract"}), False
    emit, announces, horizon, skip = "eager", False, None, None
    def __init__(self, plan, options, context): self.given = options
    def matches(self, end, view): return None
    def count(self, end, view): return -1
    def wait(self, statistics): return 0.5
    def assess(self, event, statistics): return None
    def reach(self, event, lta): return None

class Waiting:
    counts_only = False
    def __init__(self, *args): pass
    async def send(self, records): pass

class Vague(Giving):
    def horizon(self, statistics): return "soon"

class Lacking:
    def __init__(self, *args): pass

class Sink:
    counts_only = False
    def __init__(self, *args): pass
    def open(self): pass
    def send(self, records): raise ConnectionError("nobody there")
    def flush(self): pass
    def close(self): raise ValueError("closed twice")

def helped(end):
    return end.no_such_thing
"""
SPECS = [
    ComponentSpec(kind="engine", name="odd", factory="odd_parts:Engine", summary="Fails."),
    ComponentSpec(kind="slack", name="odd", factory="odd_parts:Slack", summary="Fails."),
    ComponentSpec(kind="sink", name="odd", factory="odd_parts:Sink", summary="Fails."),
    *[
        ComponentSpec(kind=kind, name="giving", factory="odd_parts:Giving", summary="Gives nonsense.")
        for kind in ("engine", "slack", "lateness", "recompute")
    ],
    ComponentSpec(kind="lateness", name="vague", factory="odd_parts:Vague", summary="Gives nonsense."),
    ComponentSpec(kind="sink", name="waiting", factory="odd_parts:Waiting", summary="Waits for nobody."),
    ComponentSpec(kind="sink", name="lacking", factory="odd_parts:Lacking", summary="Lacks all."),
]
ODD = "plugin 'odd' of odd-parts 1.2"


@pytest.fixture
def registry(tmp_path: Path, installed: Registry, monkeypatch: pytest.MonkeyPatch) -> Registry:
    (tmp_path / "odd_parts.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    plugin = Plugin(
        name="odd", module="odd", distribution="odd-parts", version="1.2", path="", specs=tuple(SPECS)
    )
    known = Host([plugin, *Host.load().plugins])
    monkeypatch.setattr(blame, "Host", SimpleNamespace(load=lambda *_: known))
    return Registry([*SPECS, *installed.specs()])


def late(*of: Any) -> Any:
    """What raises only as it is gone through, and has no `self`."""
    raise KeyError("late")
    yield


PLAN: Any = SimpleNamespace(alternatives=())


@pytest.mark.parametrize(
    ("member", "ask"),
    [
        ("matches", lambda of: [*checked.checked(of, PLAN).matches(None, None)]),
        ("decide", lambda of: [*checked_policies.checked("results", of, PLAN).decide([], None)]),
        ("replay", lambda of: [*checked_sources.checked(of).replay(0, 1)]),
        ("decode", lambda of: codecs.checked(of).decode([])),
        ("rows", lambda of: [*sound_rows(of)]),
        ("segments", lambda of: [*stores.checked(of).segments(0, 1)]),
    ],
)
@pytest.mark.usefixtures("registry")
def test_what_raises_late_is_known_by_who_was_asked(member: str, ask: Any) -> None:
    of, other = (SimpleNamespace(untyped=False, **{member: late}) for _ in range(2))
    made = [Made("patterns.x", SPECS[0], of), Made("patterns.y", SPECS[0], other)]
    with pytest.raises(KeyError) as raised:
        ask(of)
    told = blamed(raised.value, made)
    assert str(told) == f"patterns.x: engine 'odd' of {ODD} raised KeyError: 'late'"
    assert isinstance(told, ComponentFailure)
    assert told.where.splitlines()[0].endswith("in late")


def pipeline(registry: Registry, root: Path, name: str = "p", sink: str = "odd", **pattern: Any) -> Pipeline:
    (root / "e.jsonl").write_text('{"id":"a1","type":"A","t":1}\n')
    source = {"from": "files", "channel": "e.jsonl", "as": {"field": "type"}, "id": "id"}
    return Pipeline.from_dict(
        {
            "version": 1,
            "name": "blame",
            "connectors": {"out": {"type": sink}, "files": {"type": "file"}},
            "sources": {"s": {**source, "time": {"field": "t", "format": "epoch_s"}}},
            "patterns": {name: {"query": "PATTERN SEQ(A a) WITHIN 1 s", **pattern}},
            "sinks": {"alerts": {"to": "out"}},
        },
        root=root,
        registry=registry,
    )


def test_an_engine_is_named_with_its_plugin_its_pattern_and_its_part_of_the_traceback(
    registry: Registry, tmp_path: Path
) -> None:
    made = pipeline(registry, tmp_path, engine="odd")
    with pytest.raises(ComponentFailure) as failed:
        made.feed([Event("A", "a1", 1)])
    what = "AttributeError: 'Event' object has no attribute 'no_such_thing'"
    assert str(failed.value) == f"patterns.p: engine 'odd' of {ODD} raised {what}"
    assert isinstance(failed.value.__cause__, AttributeError)
    lines = failed.value.where.splitlines()
    assert [line.rpartition(" ")[2] for line in lines if line.startswith("  File")] == ["matches", "helped"]
    copy = pickle.loads(pickle.dumps(failed.value))
    assert (str(copy), copy.where) == (str(failed.value), failed.value.where)


def test_so_is_a_component_that_cannot_be_made(registry: Registry, tmp_path: Path) -> None:
    for kind in ("engine", "slack"):
        with pytest.raises(
            ComponentFailure, match=rf"patterns\.unmade: {kind}.* raised KeyError: 'no such plan'"
        ):
            pipeline(registry, tmp_path, "unmade", **{kind: "odd"}).feed([Event("A", "a1", 1)])


def test_so_is_a_sink_when_it_writes_and_when_it_closes(registry: Registry, tmp_path: Path) -> None:
    made = pipeline(registry, tmp_path)
    with pytest.raises(
        ComponentFailure, match=r"sinks\.alerts: sink 'odd' of .* raised ConnectionError: nobody"
    ):
        made.run()
    with pytest.raises(ComponentFailure, match="raised ValueError: closed twice"):
        made.close()


def test_so_is_one_that_nobody_awaits(registry: Registry, tmp_path: Path) -> None:
    with pytest.raises(
        ComponentFailure, match=r"sink 'waiting' of .* has 'async def send', which nobody awaits"
    ):
        pipeline(registry, tmp_path, sink="waiting")


def test_so_is_one_that_lacks_what_it_is_asked_for(registry: Registry, tmp_path: Path) -> None:
    with pytest.raises(
        ComponentFailure, match=r"sinks\.alerts: sink 'lacking' of .* AttributeError"
    ) as failed:
        pipeline(registry, tmp_path, sink="lacking")
    assert failed.value.where == ""


def test_so_is_a_policy_that_has_no_time_for_its_horizon(registry: Registry, tmp_path: Path) -> None:
    made = pipeline(registry, tmp_path, sink="none", lateness="vague", slack="none")
    with pytest.raises(ComponentFailure, match=r"lateness policy 'vague' of .* has the horizon 'soon' where"):
        made.feed([Event("A", f"a{n}", n) for n in range(2000)])


def test_what_nobody_would_read_to_its_end_is_shortened() -> None:
    error = Failing(ValueError("x" * 10_000_000)).fail()
    told = str(blamed(error, [Made("patterns.p", SPECS[0], error.__traceback__.tb_frame.f_locals["self"])]))  # type: ignore[union-attr]
    assert len(told) < 3_000
    assert told.endswith("... (10,000,012 characters)")


@pytest.mark.parametrize(
    ("kind", "events", "what"),
    [
        ("engine", ["b2"], "engine 'giving' of .* gave None for an end event where matches are due"),
        ("slack", ["b3", "a1"], "slack policy 'giving' of .* says to wait 0.5: "),
        ("lateness", ["b3", "a1"], "lateness policy 'giving' of .* gave None where a Verdict is due"),
        ("recompute", ["b3", "a1"], "recompute policy 'giving' of .* gave None where two times in "),
    ],
)
def test_so_is_one_that_gives_what_its_contract_rules_out(
    kind: str, events: list[str], what: str, registry: Registry, tmp_path: Path
) -> None:
    pattern = {"query": "PATTERN SEQ(A a, B b) WITHIN 1 s", "lateness": "accept", kind: "giving"}
    made = pipeline(registry, tmp_path, **pattern)
    with pytest.raises(ComponentFailure, match=rf"^patterns\.p: {what}"):
        made.feed([Event(e[0].upper(), e, int(e[1:])) for e in events])


def test_where_nothing_can_be_imported_the_error_stays_as_it_is(
    registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files", "blame.py")

    made = pipeline(registry, tmp_path, engine="odd")
    monkeypatch.setattr(blame, "blamed", failing)
    with pytest.raises(AttributeError):
        made.feed([Event("A", "a1", 1)])


def test_what_is_raised_to_be_told_stays_as_it_is(registry: Registry, tmp_path: Path) -> None:
    with pytest.raises(RunFailure, match=r"^the model is gone$"):
        pipeline(registry, tmp_path, engine="odd").feed([Event("A", "told", 1)])
    for error in (BrokenPipeError(), ZeroDivisionError("of nobody")):
        assert blamed(error, [Made("patterns.p", SPECS[0], object())]) is error


class Failing:
    def __init__(self, error: Exception) -> None:
        self.error = error

    def fail(self) -> Exception:
        try:
            raise self.error
        except Exception as error:
            return error


def test_what_the_machine_refuses_a_component_of_limecep_is_told_as_it_is() -> None:
    spec = next(s for s in Host.load().registry.specs("sink") if s.name == "file")
    for component in (made := Failing(PermissionError(1, "no", "f")), Failing(TypeError("no"))):
        error = component.fail()
        named = blamed(error, [Made("sinks.out", spec, component)])
        assert (named is error) == (component is made)


def test_of_several_that_it_may_be_only_what_they_have_in_common_is_named() -> None:
    error = Failing(TypeError("no")).fail()
    here = __name__.partition(".")[0]

    def made(label: str, name: str) -> Made:
        spec = ComponentSpec(kind="codec", name=name, factory=f"{here}.x:y", summary="New.")
        return Made(label, spec, object())

    one, other, third = made("sources.a", "new"), made("sources.b", "new"), made("sources.b", "newer")
    assert str(blamed(error, [one])) == "sources.a: codec 'new' raised TypeError: no"
    assert str(blamed(error, [one, other])) == "codec 'new' raised TypeError: no"
    assert str(blamed(error, [other, third])) == "sources.b: a component raised TypeError: no"


class Speechless(Exception):
    def __str__(self) -> str:
        raise TypeError("no words")


def noted() -> Exception:
    error = ValueError("no")
    error.add_note("see\nthere")
    return error


def chained() -> Exception:
    error = ValueError("no")
    error.__cause__ = KeyError("why")
    return error


@pytest.mark.parametrize(
    ("error", "what", "told"),
    [
        (Speechless(), f"raised {__name__}.Speechless: <exception str() failed>", ""),
        (noted(), "raised ValueError: no", "see\nthere"),
        (chained(), "raised ValueError: no", "KeyError: 'why'\n\nThe above"),
        (
            ExceptionGroup("both", [ValueError("no")]),
            "raised ExceptionGroup: both (1 sub-exception)",
            "| ValueError: no",
        ),
        (SyntaxError("no", ("f", 1, 1, "x")), "raised SyntaxError: no", ""),
        (BrokenPipeError("gone"), "raised BrokenPipeError: gone", ""),
    ],
)
def test_what_an_error_says_besides_is_told_too(error: Exception, what: str, told: str) -> None:
    component = Failing(error)
    spec = ComponentSpec(kind="codec", name="new", factory="x.y:z", summary="New.")
    named = blamed(component.fail(), [Made("sources.a", spec, component)])
    assert isinstance(named, ComponentFailure)
    assert str(named) == f"sources.a: codec 'new' {what}"
    assert named.where.startswith(("  File", "Traceback", "KeyError", "  + Exception Group Traceback"))
    assert told in named.where


def test_a_breach_is_told_without_what_the_kernel_did_to_find_it() -> None:
    component = Failing(KeyError("of the kernel"))
    breach = ContractBreach(component, "gave 5")
    breach.__context__ = component.fail()
    spec = ComponentSpec(kind="codec", name="new", factory="x.y:z", summary="New.")
    named = blamed(breach, [Made("sources.a", spec, component)])
    assert isinstance(named, ComponentFailure)
    assert (str(named), named.where) == ("sources.a: codec 'new' gave 5", "")


def test_output_that_nobody_reads_is_the_fault_of_no_component(monkeypatch: pytest.MonkeyPatch) -> None:
    component = Failing(BrokenPipeError())
    spec = ComponentSpec(kind="sink", name="new", factory="x.y:z", summary="New.")
    monkeypatch.setattr(blame, "_unread", lambda: True)
    error = component.fail()
    assert blamed(error, [Made("sinks.a", spec, component)]) is error


def test_the_end_of_something_else_in_a_generator_is_told_as_the_error_of_the_generator(
    registry: Registry, tmp_path: Path
) -> None:
    made = pipeline(registry, tmp_path, engine="odd")
    with pytest.raises(ComponentFailure, match=r"'odd' of .* raised RuntimeError: generator raised StopIter"):
        made.feed([Event("A", "ended", 1)])


def test_only_the_plugin_that_is_named_is_loaded_where_it_is_one_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loaded: list[list[str]] = []

    def load(entries: Any) -> Host:
        loaded.append([entry.name for entry in entries])
        return Host.load(entries)

    monkeypatch.setattr(blame, "Host", SimpleNamespace(load=load))
    spec = Host.load().registry.find("engine", "maximal")
    assert spec is not None
    assert "engine 'maximal' of plugin 'maximal' of limecep" in blame.owner(blame.Made("", spec, None))
    assert loaded == [["maximal"]]
