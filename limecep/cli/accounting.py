"""What a run says at its end."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from limecep.cli.input_report import changed_clocks, noted, unconverted
from limecep.cli.late_report import late_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

#: Shown for every pattern, even where they are 0.
_ALWAYS = ("emitted", "corrected", "retracted", "live")
#: Of interest to whoever looks for where time goes; the report has them.
_NEVER = ("engine_runs", "on_demand_runs", "events_handed")
#: What the count begins with of calls that raised, or gave another kind; the name of the function follows.
_MISTAKEN = ("raised_by_", "other_kind_by_")
#: What is not a number of matches, each with the heading of its line and its words for one and for several.
_LINES = {
    "slack_waits": ("slack", "late event waited for others", "late events waited for others"),
    "refused": ("late", "event was extremely late for it", "events were extremely late for it"),
    "unrepaired": ("warning", "event reached back further than memory: results may be off",
                   "events reached back further than memory: results may be off"),
    "windows_cut": ("warning", "time memory was too short for its windows: matches are missing ('retention')",
                    "times memory was too short for its windows: matches are missing ('retention')"),
    "unknown": ("unknown", "condition came out unknown, so it did not hold",
                "conditions came out unknown, so they did not hold"),
    "truncated": ("warning", "end event was cut short at {bound}: matches are missing",
                  "end events were cut short at {bound}: matches are missing"),
}  # fmt: skip
#: Reasons why a pattern found nothing that are hardly ever what anybody meant.
MISTAKES = frozenset(
    [
        "absent-attribute",
        "mistaken-function",
        "kinds-differ",
        "keys-differ",
        "short-window",
        "odd-time",
        "invalid",
        "ahead",
        "doubled",
        "no-key",
    ]
)
#: So many extremely late events behind one event time are no accident.
_MANY = 10


def accounting(
    report: Mapping[str, Any], late: Sequence[str] = (), channels: Mapping[str, str] = MappingProxyType({})
) -> str:
    """A report as lines for people. What was read is the sum of its outcomes.

    Args:
        report: The report.
        late: Where the late output went, if anywhere.
        channels: The channel of each source.
    """
    events = report["events"]
    outcomes = [f"{n:,} {name.replace('_', ' ')}" for name, n in events.items() if n and name != "read"]
    lines = [f"events    {events['read']:,} read" + (f" = {' + '.join(outcomes)}" if outcomes else "")]
    lines += _sources(report, channels)
    lines += _disabled(report)
    lines += late_lines(report, late)
    left = max((len(name) for name in report["patterns"]), default=0)
    for name, counts in report["patterns"].items():
        said = [f"{counts[k]:,} {k}" for k in _ALWAYS]
        said += [
            f"{n:,} {k.replace('_', ' ')}"
            for k, n in counts.items()
            if k not in (*_ALWAYS, *_NEVER, *_LINES)
            and isinstance(n, int)
            and n
            and not k.startswith(_MISTAKEN)
        ]
        lines.append(f"matches   {name:{left}}  {', '.join(said)}")
        for k, (heading, one, several) in _LINES.items():
            if counts.get(k):
                first = counts.get(f"{k}_first") or {}
                what = (one if counts[k] == 1 else several).format(bound=first.get("bound", "max_per_end"))
                what += _at(first)
                lines.append(f"{heading:8}  {name:{left}}  {counts[k]:,} {what}")
        if any(k.startswith(_MISTAKEN) for k in counts) and not counts.get("why_none"):
            # Few functions are; where nothing was found, that is among the reasons.
            from limecep.diagnosis.functions import mistaken

            lines += [f"warning   {name:{left}}  {r.message}: {r.hint}" for r in mistaken(counts)]
    noticed = [f"warning   {line}" for line in noted(report)]
    odd = [f"warning   {', '.join(names)}  {text}" for text, names in _reasons(report, "suspicions").items()]
    why = [f"why none  {', '.join(names)}  {text}" for text, names in _reasons(report, "why_none").items()]
    clocks = [f"clocks    {line}" for line in changed_clocks(report)]
    ending = _stopped(report)
    return "\n".join([*lines, *noticed, *odd, *why, *clocks, *_memory(report), *_jump(report), *ending])


def _at(first: Mapping[str, Any]) -> str:
    """Where something happened the first time, if that is known."""
    return f", first at {first['type']} {first['id']} ({first['time'].replace('T', ' ')})" if first else ""


def _stopped(report: Mapping[str, Any]) -> list[str]:
    """What a run left undone that was stopped."""
    stopped, state = report.get("stopped"), report.get("state") or {}
    said = []
    if stopped and stopped["input_left"]:
        said.append("before the end of the input")
    if stopped and stopped["cut_off"]:
        said.append(f"cut off in {stopped['hung']}" if "hung" in stopped else "cut off")
    if stopped and stopped["not_looked_at"]:
        count = f"{stopped['not_looked_at']:,} events that were read"
        said.append(f"{count} are left to the next run" if state else f"{count} were not looked at")
    if state.get("unsent"):
        said.append(f"{state['unsent']:,} records wait in the state for their sinks")
    return [f"stopped   {', '.join(said)}"] if said else []


def _disabled(report: Mapping[str, Any]) -> Iterator[str]:
    """Patterns, sinks and observers that others went on without."""
    for kind in ("pattern", "sink", "observer"):
        places = report.get(f"{kind}s", {})
        for name, counts in places.items():
            if "disabled" in counts:
                missed = f", {counts['missed']:,} records missed" if counts.get("missed") else ""
                reason = counts["disabled"].removeprefix(f"{kind}s.{name}: ")
                yield f"disabled  {kind} {name}{missed}: {reason}"


def _sources(report: Mapping[str, Any], channels: Mapping[str, str]) -> Iterator[str]:
    """Sources that brought nothing, and values that were lost."""
    for name, counts in report["sources"].items():
        if not counts.get("read"):
            channel = f" ({channels[name]})" if channels.get(name) else ""
            yield f"nothing   was read from source {name}{channel}"
    yield from (f"missing   {line}" for line in unconverted(report))


def _reasons(report: Mapping[str, Any], kind: str) -> dict[str, list[str]]:
    """What is said of patterns under `why_none` or `suspicions`, each with the patterns that it is about."""
    found: dict[str, list[str]] = {}
    for name, counts in report["patterns"].items():
        for reason in counts.get(kind, ()):
            found.setdefault(in_words(reason), []).append(name)
    return found


def in_words(reason: Mapping[str, str]) -> str:
    """A reason why a pattern found nothing, with what to do about it, in a line."""
    return "; ".join(filter(None, (reason["message"], reason["hint"])))


def _memory(report: Mapping[str, Any]) -> list[str]:
    """What left early, and was read again."""
    if not report.get("evicted"):
        return []
    said = f"memory    {report['evicted']:,} events left for want of room ('retention')"
    again = report["retrieved"]
    if again["times"]:
        said += (
            f"; {again['events']:,} were read again, in {again['times']:,} goes and {again['seconds']:.1f} s"
        )
    return [said]


def _jump(report: Mapping[str, Any]) -> list[str]:
    """A hint where event time seems to have jumped ahead, so that all that came after was late."""
    behind = report.get("behind")
    if not behind or behind["extremely_late"] < max(_MANY, report["events"]["extremely_late"] // 2):
        return []
    time = behind["event_time"].replace("T", " ")
    return [
        f"hint      {behind['extremely_late']:,} events were refused as extremely late after event time had "
        f"come to {time} (source {behind['source']})",
        "          if that time is wrong: max_future_skew sets such events aside, in files if they have an "
        "arrival time",
    ]


def effort(report: Mapping[str, Any]) -> str:
    """The line with what it took."""
    line = f"run       {report['seconds']:.2f} s, {report['events_per_second']:,.0f} events/s"
    peak = report["peak_rss_bytes"]
    return line if peak is None else f"{line}, peak memory {peak / 2**20:.0f} MiB"
