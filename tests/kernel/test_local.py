"""Local plugins: files and objects of Python that bring components."""

from __future__ import annotations

import pickle
import subprocess
import sys
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from limecep import ComponentSpec, Pipeline, component, hookimpl
from limecep.contracts.lateness import LatenessPolicy, Verdict
from limecep.errors import ComponentFailure, ConfigurationError
from limecep.host import Host
from limecep.local import of_file

if TYPE_CHECKING:
    from pathlib import Path

NONE = Host(())

SINK = '''
from dataclasses import dataclass
from limecep import component, option

@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    mark: str = option("!", help="What ends a line.")

@component("sink", options=Options)
class HTTPShout:
    """Shouts."""
    counts_only = False
'''
HOOK = """
from limecep import ComponentSpec, hookimpl

class Mine:
    pass

@hookimpl
def limecep_engines():
    return [ComponentSpec(kind="{}", name="mine", factory=Mine, summary="Finds.")]
"""


class Never(LatenessPolicy):
    """Takes no late event."""

    learns = by_window = False

    def __init__(self, plan: Any, options: Any, context: Any) -> None:
        pass

    def assess(self, event: Any, statistics: Any) -> Verdict:
        return Verdict(extremely_late=True)

    def horizon(self, statistics: Any) -> int:
        return int(statistics.lta)


def test_a_class_says_by_itself_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "my-sinks.py").write_text(SINK)
    plugin = of_file("./my-sinks.py", tmp_path / "my-sinks.py")
    [spec] = plugin.specs
    assert (spec.kind, spec.name, spec.summary) == ("sink", "http_shout", "Shouts")
    assert plugin.problems == ()
    assert str(plugin) == "the local plugin './my-sinks.py'"


def test_hooks_bring_what_they_return(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(HOOK.format("engine"))
    assert [s.name for s in of_file("mine.py", tmp_path / "mine.py").specs] == ["mine"]


WRONG = {
    "no Python": ("def f(:\n", "plugin-broken", "is no Python: invalid syntax", 1),
    "an end": ("raise BaseException(1)\n", "plugin-broken", "cannot be loaded: BaseException: 1", 1),
    "a bug": ("\n1 / 0\n", "plugin-broken", "cannot be loaded: ZeroDivisionError", 2),
    "what is not installed": ("import no_such", "plugin-import", "imports 'no_such'", 1),
    "nothing": ("x = 1\n", "plugin-empty", "brings nothing", 0),
    "no summary": (SINK.replace('"""Shouts."""', ""), "incomplete-spec", "summary is empty", 9),
    "another kind": (HOOK.format("sink"), "incomplete-spec", "kind is 'sink'", 7),
    "no mark": (HOOK.replace("@hookimpl\n", ""), "plugin-hook", "not marked: limecep_engines", 7),
    "a command": (SINK.replace('"sink"', '"command"'), "plugin-kind", "no pipeline can use", 9),
    "no text": ("\udcff", "plugin-broken", "is no text", None),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_with_a_file_is_told_with_the_line(tmp_path: Path, name: str) -> None:
    text, code, said, line = WRONG[name]
    path = tmp_path / "mine.py"
    path.write_bytes(text.encode(errors="surrogateescape"))
    [problem] = of_file("./mine.py", path).problems
    assert (problem.code, problem.message.startswith("the local plugin './mine.py'")) == (code, True)
    assert said in problem.message
    assert (problem.place and problem.place.line) == line
    if problem.place is not None:
        assert problem.place.file == str(path)


def test_a_file_that_is_changed_is_another_module(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    found = []
    for mark in "ab":
        path.write_text(SINK.replace("!", mark))
        [spec] = of_file("mine.py", path).specs
        found.append(spec.options().mark)
    assert found == ["a", "b"]


def test_a_file_goes_along_where_its_options_are_unpickled(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(SINK)
    plugin = of_file("mine.py", path)
    sent = pickle.dumps((plugin.file, plugin.specs[0].options(mark="?")))
    path.unlink()
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer)[1])"
    done = subprocess.run([sys.executable, "-c", code], input=sent, capture_output=True, check=True)
    assert done.stdout == b"Options(mark='?')\n"


FUNCTION = '''
from limecep import component

@component("function")
def initials(text: str, least: int = 1) -> str:
    """The first letters of the words of a text."""
    return "".join(word[0] for word in text.split() if len(word) >= least)
'''


def test_a_marked_function_is_called_by_conditions_in_every_process(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FUNCTION)
    query = "PATTERN SEQ(A a) WHERE Initials(a.name, 2) = 'ab' WITHIN 1 s"
    document = {"version": 1, "plugins": ["mine.py"], "patterns": {"p": {"query": query}}}
    pipeline = Pipeline.from_dict(document, root=tmp_path)
    [pattern] = pipeline.config.patterns
    assert [(c.spec.name, c.origin) for c in pattern.functions] == [("initials", "mine.py")]
    assert pattern.functions[0].spec.summary == "The first letters of the words of a text"
    code = (
        "import pickle, sys; from limecep.plan.compiler import compile_plan; from limecep import Event\n"
        "config = pickle.load(sys.stdin.buffer)\n"
        "plan = compile_plan(config.patterns[0].pattern, name='p')\n"
        "accepts = plan.alternatives[0].steps[0].filter.accepts\n"
        "print([accepts(Event('A', '1', 0, payload={'name': n})) for n in ('ann x bee', 'ann', 5)])"
    )
    sent = pickle.dumps(pipeline.config)
    done = subprocess.run([sys.executable, "-c", code], input=sent, capture_output=True, check=True)
    assert done.stdout == b"[True, False, False]\n"


@pytest.mark.parametrize(
    ("head", "says"),
    [
        ("def f(x) -> str:", "argument 'x' has no annotation"),
        ("def f(x: str) -> bytes:", "the value is annotated 'bytes'"),
        ("async def f(x: str) -> str:", "it is 'async', and nobody awaits it"),
        ("def last(x: str) -> str:", "queries have a 'last' of their own"),
    ],
)
def test_a_function_that_queries_could_not_call_is_told_with_its_line(
    head: str, says: str, tmp_path: Path
) -> None:
    text = f"from limecep import component\n@component('function')\n{head}\n    'Summary.'\n    return x\n"
    (tmp_path / "mine.py").write_text(text)
    [problem] = of_file("mine.py", tmp_path / "mine.py").problems
    assert says in problem.message
    assert problem.place is not None
    assert problem.place.line == 2


def test_classes_specs_modules_and_objects_with_hooks_are_plugins() -> None:
    spec = ComponentSpec(kind="slack", name="mine", factory=Never, summary="s")
    marked = component("engine", "theirs", summary="s")(type("E", (), {}))
    module = ModuleType("a_module")
    module.limecep_sinks = hookimpl(
        lambda: [ComponentSpec(kind="sink", name="s", factory=Never, summary="s")]
    )  # type: ignore[attr-defined]
    hooks = SimpleNamespace(limecep_codecs=hookimpl(lambda: [*()]))
    host = NONE.with_plugins(Never, spec, marked, module)
    assert [(s.kind, s.name) for s in host.registry.specs()] == [
        ("sink", "s"),
        ("engine", "theirs"),
        ("lateness", "never"),
        ("slack", "mine"),
    ]
    with pytest.raises(ConfigurationError, match="brings nothing"):
        NONE.with_plugins(hooks)


def test_a_pipeline_is_given_components_that_nobody_installed() -> None:
    pipeline = Pipeline.from_dict(
        {"version": 1, "patterns": {"p": {"query": "PATTERN SEQ(A a) WITHIN 1 s", "lateness": "never"}}},
        plugins=[Never],
    )
    assert pipeline.config.patterns[0].lateness.origin == __name__


def test_a_local_component_that_fails_is_named_with_its_file(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from limecep import component\n@component('slack')\nclass Bad:\n    'Fails.'\n"
        "    def __init__(self, *given):\n        1 / 0\n    def wait(self, statistics): ...\n"
    )
    document = {
        "version": 1,
        "plugins": ["mine.py"],
        "patterns": {"p": {"query": "PATTERN SEQ(A a) WITHIN 1 s", "slack": "bad"}},
    }
    with pytest.raises(ComponentFailure) as failed:
        Pipeline.from_dict(document, root=tmp_path).finish()
    assert str(failed.value) == (
        f"patterns.p: slack policy 'bad' of {tmp_path / 'mine.py'} raised ZeroDivisionError: division by zero"
    )
    assert "1 / 0" in failed.value.where
