"""The host: what it loads, and what it says of what it cannot."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from limecep import ComponentSpec, hookimpl, option
from limecep.host import Host

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass
class Entry:
    """An entry point without an installation."""

    name: str
    value: str
    dist: Any
    plugin: Any = None
    error: BaseException | None = None
    loads: int = field(default=0)

    def load(self) -> Any:
        self.loads += 1
        if self.error:
            raise self.error
        return self.plugin


def engine(name: str = "mine", **changes: Any) -> ComponentSpec:
    return ComponentSpec(
        **{
            "kind": "engine",
            "name": name,
            "factory": "mine.engine:Mine",
            "summary": "An engine.",
            **changes,
        }
    )


def plugin(engines: Callable[[], Any] | None = None, **attributes: Any) -> ModuleType:
    module = ModuleType("a_plugin")
    if engines:
        attributes["limecep_engines"] = hookimpl(engines)
    for name, value in attributes.items():
        setattr(module, name, value)
    return module


def no_engines() -> list[ComponentSpec]:
    return []


def unmarked() -> list[ComponentSpec]:
    return []


def entry(
    name: str,
    module: Any = None,
    *,
    dist: str = "dist-a",
    value: str = "",
    error: BaseException | None = None,
) -> Entry:
    distribution = SimpleNamespace(name=dist, version="1.0", locate_file=lambda path: f"/site/{path}")
    return Entry(name, value or f"{name}_package.plugin", distribution, module, error)


def load(*entries: Entry, without: tuple[str, ...] = ()) -> Host:
    return Host.load(entries, without=without)


def codes(host: Host) -> list[str]:
    return [p.code for p in host.problems]


def test_a_plugin_that_is_fine_brings_its_components_and_no_problem() -> None:
    spec = engine()
    host = load(entry("mine", plugin(lambda: [spec])))
    assert host.problems == ()
    assert host.registry.find("engine", "mine") is spec
    assert host.origin(spec).name == "mine"
    assert host.plugins[0].status == "loaded"
    assert str(host.plugins[0]) == "plugin 'mine' of dist-a 1.0"


def test_plugins_are_loaded_in_the_order_of_their_names_wherever_they_stand() -> None:
    host = load(*(entry(n, plugin(lambda n=n: [engine(n)])) for n in ("c", "a", "b")))
    assert [p.name for p in host.plugins] == ["a", "b", "c"]


class Own(BaseException):
    """Of a plugin, and without words."""

    def __str__(self) -> str:
        raise ZeroDivisionError


FAILURES = {
    "an error of its own": (
        entry("x", error=Own()),
        "plugin-broken",
        "cannot be imported: Own: <its text cannot be had>",
        "LIMECEP_WITHOUT=x",
    ),
    "module missing": (
        entry("x", error=ModuleNotFoundError("No module named 'x_package'", name="x_package")),
        "plugin-missing",
        "its module 'x_package.plugin' is not there",
        "pip install --force-reinstall 'dist-a'",
    ),
    "an import inside missing": (
        entry("x", error=ModuleNotFoundError("No module named 'paho.mqtt'", name="paho.mqtt")),
        "plugin-import",
        "imports 'paho.mqtt', which is not installed",
        "install 'paho'",
    ),
    "a module whose name only begins alike": (
        entry("x", error=ModuleNotFoundError("No module named 'x_pack'", name="x_pack")),
        "plugin-import",
        "imports 'x_pack'",
        "install 'x_pack'",
    ),
    "a bug": (
        entry("x", error=ZeroDivisionError("division by zero")),
        "plugin-broken",
        "ZeroDivisionError: division by zero",
        "LIMECEP_WITHOUT=x",
    ),
    "an exit": (entry("x", error=SystemExit(1)), "plugin-broken", "SystemExit", "LIMECEP_WITHOUT=x"),
    "another interface": (
        entry("x", plugin(limecep_api=2)),
        "plugin-api",
        "interface 2; this limecep speaks 1",
        "pip install --upgrade limecep 'dist-a'",
    ),
    "a misspelt hook": (
        entry("x", plugin(limecep_engine=hookimpl(no_engines))),
        "plugin-hook",
        "unknown hooks: limecep_engine",
        "did you mean 'limecep_engines'?",
    ),
    "a hook that is not marked": (
        entry("x", plugin(no_engines, limecep_codecs=unmarked)),
        "plugin-hook",
        "has hooks that are not marked: limecep_codecs",
        "@limecep.hookimpl",
    ),
    "a hook with an argument": (
        entry("x", plugin(lambda registry: [])),
        "plugin-hook",
        "a hook of another form",
        "hooks take no arguments",
    ),
    "a hook that fails": (
        entry("x", plugin(lambda: 1 / 0)),
        "plugin-broken",
        "limecep_engines failed: ZeroDivisionError",
        "LIMECEP_WITHOUT=x",
    ),
    "a hook that forgot to return": (
        entry("x", plugin(lambda: None)),
        "no-spec",
        "limecep_engines returned None",
        "a list of ComponentSpec",
    ),
    "a hook that returns names": (
        entry("x", plugin(lambda: ["mine"])),
        "no-spec",
        "returned ['mine']",
        "a list of ComponentSpec",
    ),
    "a hook that returns one spec": (
        entry("x", plugin(lambda: engine())),
        "no-spec",
        "returned ComponentSpec",
        "a list of ComponentSpec",
    ),
    "a spec of another kind": (
        entry("x", plugin(lambda: [engine(kind="codec")])),
        "incomplete-spec",
        "kind is 'codec', where limecep_engines brings 'engine'",
        "limecep.ComponentSpec",
    ),
    "a spec without summary": (
        entry("x", plugin(lambda: [engine(summary="")])),
        "incomplete-spec",
        "engine 'mine' is left out: summary is empty",
        "limecep.ComponentSpec",
    ),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_plugin_that_fails_is_named_with_its_reason_and_takes_no_other_with_it(name: str) -> None:
    bad, code, said, hint = FAILURES[name]
    host = load(
        entry("a", plugin(lambda: [engine("good")])), bad, entry("z", plugin(lambda: [engine("too")]))
    )
    assert codes(host) == [code]
    assert "plugin 'x' of dist-a 1.0" in host.problems[0].message
    assert said in host.problems[0].message
    assert hint in host.problems[0].hint
    assert host.registry.names("engine") == ["good", "too"]
    assert [p.status for p in host.plugins] == ["loaded", "failed", "loaded"]


@pytest.mark.parametrize("name", FAILURES)
def test_a_pipeline_that_needs_a_failed_plugin_is_told_why_it_failed(name: str) -> None:
    bad, code, said, _ = FAILURES[name]
    problem = load(bad).registry.problem("engine", "x")
    assert problem.code == code
    assert problem.message.startswith("no engine named 'x': plugin 'x' of dist-a")
    assert said in problem.message


def test_one_bad_spec_leaves_the_others_of_its_plugin_alone() -> None:
    host = load(entry("x", plugin(lambda: [engine("good"), engine("bad", summary="")])))
    assert host.registry.names("engine") == ["good"]
    assert codes(host) == ["incomplete-spec"]
    assert host.plugins[0].status == "loaded"


def test_an_option_without_help_is_found() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Options:
        size: int = 3
        told: int = option(3, help="How many.")

    host = load(entry("x", plugin(lambda: [engine(options=Options)])))
    assert "option 'size' has no help" in host.problems[0].message
    assert "told" not in host.problems[0].message


def test_of_two_components_with_one_name_the_first_is_listed_and_neither_can_be_used() -> None:
    first, second = engine(), engine()
    host = load(
        entry("b", plugin(lambda: [second]), dist="dist-b"),
        entry("a", plugin(lambda: [first]), dist="dist-a"),
    )
    assert host.registry.specs("engine") == [first]
    assert host.registry.specs("engine")[0] is first
    assert host.registry.find("engine", "mine") is None
    assert codes(host) == ["shadowed-component"]
    problem = host.registry.problem("engine", "mine")
    assert problem == host.problems[0]
    assert "plugin 'a' of dist-a 1.0 and by plugin 'b' of dist-b 1.0" in problem.message
    assert problem.hint == "say which one is meant: write 'dist-a:mine' or 'dist-b:mine'"
    assert host.registry.find("engine", "dist-a:mine") is first
    assert host.registry.find("engine", "dist-b:mine") is second
    assert host.registry.problem("engine", "dist-c:mine").message == "'dist-c' brings no engine named 'mine'"


def test_of_two_commands_with_one_name_the_environment_leaves_one_out() -> None:
    command = engine(kind="command")
    host = load(
        *(entry(n, plugin(limecep_commands=hookimpl(lambda: [command])), dist=f"dist-{n}") for n in "ab")
    )
    assert "LIMECEP_WITHOUT=dist-b:b or LIMECEP_WITHOUT=dist-a:a" in host.problems[0].hint


@pytest.mark.parametrize("without", ["b", "dist-b:b"])
def test_leaving_one_out_settles_which_of_two_components_is_meant(without: str) -> None:
    first = engine()
    host = load(
        entry("a", plugin(lambda: [first])),
        entry("b", plugin(lambda: [engine()]), dist="dist-b"),
        without=(without,),
    )
    assert host.registry.find("engine", "mine") is first
    assert host.problems == ()


def test_one_name_in_two_kinds_is_no_conflict() -> None:
    sink = engine(kind="sink")
    host = load(entry("a", plugin(lambda: [engine()], limecep_sinks=hookimpl(lambda: [sink]))))
    assert host.problems == ()
    assert host.registry.find("sink", "mine") is sink


def test_a_module_named_by_two_entry_points_is_loaded_once_and_reported() -> None:
    module = plugin(lambda: [engine()])
    host = load(entry("a", module, value="p.plugin"), entry("b", module, value="p.plugin"))
    assert codes(host) == ["duplicate-plugin"]
    assert host.problems[0].severity == "warning"
    assert [p.status for p in host.plugins] == ["loaded", "skipped"]
    assert host.registry.find("engine", "mine") is not None


def test_a_plugin_that_is_left_out_is_not_even_imported() -> None:
    left_out = entry("mine", plugin(lambda: [engine()]))
    host = load(left_out, without=("mine",))
    assert left_out.loads == 0
    assert host.registry.find("engine", "mine") is None
    assert "left out by LIMECEP_WITHOUT: mine" in host.registry.problem("engine", "mine").hint


def test_the_environment_says_what_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMECEP_WITHOUT", "a, c")
    host = Host.load([entry(n, plugin(lambda n=n: [engine(n)])) for n in ("a", "b", "c")])
    assert host.registry.names("engine") == ["b"]


def test_a_plugin_without_hooks_is_no_problem() -> None:
    host = load(entry("x", plugin()))
    assert host.problems == ()
    assert host.plugins[0].specs == ()


def test_an_entry_point_without_distribution_is_taken() -> None:
    host = Host.load([Entry("x", "x.plugin", None, plugin(lambda: [engine()]))], without=())
    assert host.registry.names("engine") == ["mine"]


def test_two_hosts_know_nothing_of_each_other() -> None:
    one = load(entry("a", plugin(lambda: [engine("a")])))
    two = load(entry("b", plugin(lambda: [engine("b")])))
    assert (one.registry.names("engine"), two.registry.names("engine")) == (["a"], ["b"])
