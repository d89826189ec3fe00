"""Which suite a component is tried with, and what that needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.host import Host
from limecep.problems import Problem
from limecep.spec import KINDS, ComponentSpec, NoOptions
from limecep_scaffold.suites import SUITES, Asked, Unfit, suite_of

if TYPE_CHECKING:
    from pathlib import Path

REGISTRY = Host.load().registry


def made(kind: str, name: str, **more: Any) -> Any:
    """The suite of an installed component."""
    spec = REGISTRY.find(kind, name)
    assert spec is not None
    return suite_of(spec, REGISTRY, asked(**more))


def asked(**more: Any) -> Asked:
    return Asked(**{"options": NoOptions(), "settings": NoOptions(), "given": {}, **more})


def test_every_kind_that_has_a_suite_is_known() -> None:
    assert {*SUITES} == {*KINDS}


def test_a_function_is_held_to_the_signature_of_its_spec() -> None:
    spec = ComponentSpec(
        kind="function",
        name="f",
        factory="limecep_functions.texts:lower",
        summary="x",
        signature="(text: str, more: str) -> str",
    )
    with pytest.raises(AssertionError, match="its spec says another signature"):
        suite_of(spec, REGISTRY, asked())().test_it_says_what_it_takes_and_gives()


def test_an_engine_is_asked_for_the_selection_policies_that_it_knows() -> None:
    spec = ComponentSpec(
        kind="engine", name="x", factory="m:X", summary="x", capabilities=frozenset({"sc", "stam"})
    )
    assert suite_of(spec, REGISTRY, asked()).selects == ("stam", "sc")
    assert suite_of(spec, REGISTRY, asked(given={"selects": ("sc",)})).selects == ("sc",)
    with pytest.raises(Unfit, match="the suite has no 'exactly'; it has call_seconds, exact, examples"):
        made("recompute", "paper", given={"exactly": True})


def test_a_source_is_tried_as_its_spec_says_it_is() -> None:
    files = made("source", "file")
    assert (files.live, files.remembers, files.lines, files.name) == (False, False, True, "{n}")
    broker = made("source", "mqtt", publish="mosquitto_pub -l -t $CHANNEL", channel="trial/{n}")
    assert (broker.live, broker.command, broker.name) == (
        True, "mosquitto_pub -l -t $CHANNEL", "trial/{n}",
    )  # fmt: skip


def test_a_sink_without_a_channel_needs_somebody_who_reads_it() -> None:
    with pytest.raises(Unfit, match="sink 'stdout' does not say that it has a channel") as raised:
        made("sink", "stdout")
    assert "or --receive COMMAND" in raised.value.hint
    assert made("sink", "stdout", receive="cat out").command == "cat out"
    assert made("sink", "stdout", channel="{n}.out").name == "{n}.out"


@pytest.mark.parametrize(("kind", "option"), [("source", "--publish"), ("sink", "--receive")])
def test_where_a_broker_is_needed_that_is_said(kind: str, option: str) -> None:
    with pytest.raises(Unfit, match=f"{kind} 'mqtt' needs a broker, and the suite somebody") as raised:
        made(kind, "mqtt")
    assert f"start a broker, name it in --options, and give {option} COMMAND" in raised.value.hint


def test_a_codec_is_tried_with_messages_and_their_records(tmp_path: Path) -> None:
    with pytest.raises(Unfit, match="needs messages with the records that they are"):
        made("codec", "json")
    (tmp_path / "m").write_text('{"a": 1}\n')
    (tmp_path / "b").write_text("{\n")
    files = {"messages": tmp_path / "m", "broken": tmp_path / "b"}
    suite = made("codec", "json", options=_options("codec", "json"), **files)
    assert suite.samples == ((b'{"a": 1}', [{"a": 1}]),)
    assert suite.broken == (b"{",)
    with pytest.raises(Unfit, match="No such file"):
        made("codec", "json", messages=tmp_path / "gone")


def test_a_runner_leaves_out_what_its_options_refuse() -> None:
    class Refusing:
        def vet(self, config: object) -> Any:
            return [((), _problem("no keys", "error")), ((), _problem("slow", "warning"))]

    assert made("runner", "local", options=Refusing()).objection(None) == "no keys"
    assert made("runner", "local", options=NoOptions()).objection(None) == ""


def test_a_command_is_tried_as_its_spec_says() -> None:
    assert made("command", "plugins_new").spec is REGISTRY.find("command", "plugins_new")


def _options(kind: str, name: str) -> Any:
    spec = REGISTRY.find(kind, name)
    assert spec is not None
    return spec.options()


def _problem(message: str, severity: Any) -> Any:
    return Problem(code="x", message=message, severity=severity)
