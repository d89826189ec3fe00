"""The `time` and the `arrival` of a source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.config.blocks import TimeBlock
from limecep.config.model import TimeConfig
from limecep.config.nodes import Block, Node, Scalar, described
from limecep.config.options import check_keys, keys, read
from limecep.intake.times import FORMATS, NUMERIC, time_problem

if TYPE_CHECKING:
    from limecep.config.components import Components
    from limecep.config.fields import Fields
    from limecep.config.findings import Findings


class Times:
    """Reads them; what is wrong goes to the findings."""

    def __init__(self, fields: Fields, components: Components, findings: Findings) -> None:
        self._fields = fields
        self._components = components
        self._findings = findings

    def read(self, key: str, node: Node | None) -> TimeConfig | None:
        """How the time under `key` is read; None where nothing says so, or it is wrong."""
        if node is None:
            return None
        if isinstance(node, Scalar):
            field = self._fields.one(key, node)
            return TimeConfig(field=field) if field else None
        if not isinstance(node, Block):
            self._findings.error(
                "wrong-type",
                f"'{key}' must be a field, or a block with 'field' and 'format', not {described(node)}",
                node,
                f"{key}: {{field: ts, format: epoch_ms}}",
            )
            return None
        check_keys(node, keys(TimeBlock), f"'{key}'", self._findings)
        block = read(node, TimeBlock, f"'{key}'", self._findings)
        assert block is not None
        zone = self._fields.text("zone", block.zone, None)
        brought = None
        if self._is_brought(block.format):
            brought = self._components.read("time", block.format, node)
            format = None if brought is None else brought.spec.name
        else:
            format = self._fields.text("format", block.format, "iso8601")
            if format is not None:
                self._check_format(format, zone, block, node)
        self._check_year(format, key, block, node, zoned=brought is not None)
        self._check_zone(format, zone, block, node, zoned=brought is not None)
        paths = self._paths(key, format, block, node)
        if not paths:
            return None
        return TimeConfig(
            field=paths[0],
            joined=paths[1:],
            format=format or "iso8601",
            zone=zone,
            fold=block.fold,
            year=block.year,
            brought=brought,
        )

    def _is_brought(self, format: Node | None) -> bool:
        """Whether a plugin is to read it, and not the kernel."""
        if isinstance(format, Scalar) and isinstance(format.value, str):
            return format.value not in FORMATS and self._components.look("time", format.value) is not None
        return isinstance(format, Block)

    def _paths(self, key: str, format: str | None, block: TimeBlock, node: Block) -> tuple[str, ...]:
        """The fields, if they are right."""
        given = node.get("fields")
        if block.fields is None:
            if block.field is None and given is None and node.get("field") is None:
                self._findings.error(
                    "missing-key",
                    f"'{key}' needs 'field'",
                    node,
                    f"the field that holds the time, or several: {key}: {{fields: [date, time]}}",
                )
            field = self._fields.one("field", block.field)
            return () if field is None else (field,)
        if block.field is not None:
            self._findings.error(
                "conflict", "'field' and 'fields' both say where the time is", given, "leave one of them out"
            )
        if format in NUMERIC:
            self._findings.error(
                "bad-time-format",
                f"'fields' joins text, and {format} is a number",
                given,
                "name the one field that holds it: field: ts",
            )
        fields = self._fields.some("fields", block.fields)
        return () if None in fields else tuple(f for f in fields if f is not None)

    def _check_format(self, format: str, zone: str | None, block: TimeBlock, node: Block) -> None:
        dated = node.get("year") is not None and format not in FORMATS
        brought = self._components.names("time")
        if said := time_problem(format, None, dated=dated, brought=brought):
            known = ", ".join((*FORMATS, *brought))
            hint = f"formats: {known}, or a strptime text such as '%Y-%m-%d %H:%M:%S'"
            if said.endswith("no year"):
                hint = "add 'year', that of the first stamp as in year: 2026, or year: arrival"
            self._findings.error("bad-time-format", said, block.format, hint)
        elif zone is None and format not in FORMATS and "%z" not in format:
            self._findings.error(
                "missing-zone",
                f"times like '{format}' say no time zone",
                block.format,
                "add 'zone', such as zone: UTC or zone: Europe/Athens",
            )

    def _check_zone(
        self, format: str | None, zone: str | None, block: TimeBlock, node: Block, *, zoned: bool
    ) -> None:
        if zone is not None and (said := time_problem("iso8601", zone)):
            self._findings.error("bad-zone", said, block.zone)
        elif zone is not None and (zoned or format in NUMERIC):
            self._findings.warning(
                "idle-zone",
                f"'zone' changes nothing where the format is {format}",
                block.zone,
                "leave it out",
            )
        elif node.get("fold") is not None and zone in (None, "UTC"):
            self._findings.warning(
                "idle-fold",
                "'fold' changes nothing: it is about times that a change of the clocks gives twice",
                node.get("fold"),
                "add the 'zone' whose clocks are changed, such as zone: Europe/Athens",
            )

    def _check_year(
        self, format: str | None, key: str, block: TimeBlock, node: Block, *, zoned: bool
    ) -> None:
        given, year = node.get("year"), block.year
        if year is None or format is None:
            return
        if isinstance(year, int) and not 1 <= year <= 9999:
            self._findings.error("bad-value", f"'year' must be 1 to 9999, not {year}", given)
        elif key != "time" and year == "arrival":
            what = "the arrival time" if key == "arrival" else f"'{key}'"
            self._findings.error(
                "bad-value", f"{what} cannot have the year of the arrival", given, "year: 2026, say"
            )
        elif zoned or format in FORMATS or not time_problem(format, None):
            self._findings.error(
                "bad-time-format",
                f"'year' is for stamps without one, and {format} has it",
                given,
                "leave it out, or say how stamps are written, as in format: '%b %d %H:%M:%S'",
            )
