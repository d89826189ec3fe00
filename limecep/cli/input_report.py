"""What a run has to say of its input at its end, beside how many events there were."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.diagnosis.fields import in_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: Kinds of values in a column, each in words for one and for several.
_KINDS = {
    "numbers": ("number", "numbers"),
    "texts": ("text", "texts"),
    "booleans": ("boolean", "booleans"),
}  # fmt: skip


def noted(report: Mapping[str, Any]) -> list[str]:
    """Lines for people, of a report."""
    return [line for name, counts in report["sources"].items() for line in _of(name, counts)]


def unconverted(report: Mapping[str, Any]) -> Iterator[str]:
    """Values that were lost, as they did not become what the payload declares, by source and field."""
    for name, counts in report["sources"].items():
        for field, n in counts.get("unconverted", {}).items():
            records = "1 record" if n == 1 else f"{n:,} records"
            yield f"{field} in {records} of source {name}: it is not of the type in 'payload'"


def changed_clocks(report: Mapping[str, Any]) -> Iterator[str]:
    """Local times that a change of the clocks gave twice, or skipped, by source."""
    for name, figures in report["sources"].items():
        twice, skipped = figures.get("ambiguous_times", 0), figures.get("skipped_times", 0)
        said = [f"{twice:,} given twice by a change of the clocks ('fold' says which is meant)"] * bool(twice)
        said += [f"{skipped:,} skipped by one (read as if there had been none)"] * bool(skipped)
        if said:
            yield f"times of source {name}: {', '.join(said)}"


def _of(source: str, counts: Mapping[str, Any]) -> Iterator[str]:
    for absent in counts.get("absent_fields", ()):
        yield in_words(absent, counts.get("read", 0), f"source {source}")
    for column in counts.get("mixed_columns", ()):
        *most, last = [
            f"{column[kind]:,} {words[column[kind] != 1]}" for kind, words in _KINDS.items() if column[kind]
        ]
        held = f"{', '.join(most)} and {last}"
        texts = f" ({', '.join(column['examples'])})" if column["examples"] else ""
        yield f"column '{column['column']}' of source {source}: {held}{texts}"
    if unanswered := counts.get("messages_without_record"):
        one = unanswered == 1
        came = f"{'1 message' if one else f'{unanswered:,} messages'} of it came"
        none = f"its codec gave no record of {'it' if one else 'any'}"
        if counts.get("read"):
            messages = "1 message" if one else f"{unanswered:,} messages"
            yield f"{messages} of source {source} came to nothing: its codec gave no record, and said nothing"
        else:
            yield f"nothing was read from source {source}: {came}, and {none}"
    if count := counts.get("not_finite_numbers"):
        numbers = "1 number" if count == 1 else f"{count:,} numbers"
        yield f"{numbers} of source {source} read as missing: NaN and infinities are no values of JSON"
    if never := counts.get("never_withdrawn"):
        field, values = never["field"], never["values"]
        why = (
            f"'{field}' is {' and '.join(values)}, which 'is' does not name"
            if values
            else f"none has '{field}'"
        )
        yield f"no record of source {source} withdraws anything: {why}"
    if unmet := counts.get("unmet_withdrawals"):
        said = "1 withdrawal names an event" if unmet == 1 else f"{unmet:,} withdrawals name events"
        yield f"{said} that never came from source {source}"
    if skipped := counts.get("skipped"):
        messages = "1 message" if skipped == 1 else f"{skipped:,} messages"
        yield f"{messages} of source {source} skipped, as the codec failed there (on_error)"
    if ragged := counts.get("ragged_lines"):
        lines = "1 ragged line" if ragged == 1 else f"{ragged:,} ragged lines"
        yield f"{lines} of source {source}, first at {counts['first_ragged']}"
    if count := counts.get("documents_without_end"):
        documents = "1 document" if count == 1 else f"{count:,} documents"
        yield f"{documents} of source {source} did not end; what is there of the records was read"
