"""`limecep expand`: all matches that those of a change log contain, under skip-till-any-match."""

from __future__ import annotations

import argparse
import gzip
import os
import sys
import zlib
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from limecep.clock import ManualClock
from limecep.embedding.commands import Exit, add_set
from limecep.embedding.pipelines import Assembly, compile_plan, load, match_record
from limecep.encoding import to_json
from limecep.errors import LimecepError
from limecep.expansion import Expansion, expand
from limecep.problems import suggestion
from limecep_expand.folding import Live, live
from limecep_expand.records import Matches, Unfit, plain_alternatives

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.embedding.pipelines import PipelineConfig, Registry
    from limecep.model.match import Match
    from limecep.plan.plan import Alternative

PLAIN = (
    "note: without --pipeline the patterns are not known: every choice of some events of each group counts, "
    "whatever conditions and quantifiers say"
)


class ExpandCommand:
    """`limecep expand` (`limecep.contracts.command`).

    Args:
        registry: The components there are.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Adds the arguments."""
        parser.description = (
            "Gives every match that the live matches of a change log contain: all matches of "
            "skip-till-any-match (select: stam), from the maximal ones that the engine 'maximal' gives. One "
            "JSON object a line."
        )
        parser.add_argument(
            "file",
            metavar="FILE",
            help="the change log: a file of JSON lines, plain or gzip, or - for standard input",
        )
        parser.add_argument(
            "--pipeline",
            metavar="FILE",
            help="the pipeline's YAML file: it has the patterns with their conditions",
        )
        add_set(parser)
        parser.add_argument("--pattern", metavar="NAME", help="only the matches of this pattern")
        parser.add_argument(
            "--count",
            action="store_true",
            help="only how many there are; without going through them where it can be",
        )
        parser.add_argument("--limit", metavar="N", type=_limit, help="stop after so many matches")

    def execute(self, args: argparse.Namespace) -> int:
        """Prints the matches, or their number.

        Raises:
            LimecepError: The log, or a table, cannot be read, or the log does not fit the pipeline.
        """
        config = None
        if args.pipeline:
            loaded = load(args.pipeline, self._registry, overrides=args.overrides, environment=os.environ)
            for problem in loaded.problems:
                if problem.severity == "error":
                    print(problem, file=sys.stderr)
            if loaded.config is None:
                return Exit.REFUSED
            config = loaded.config
            if config.tables:
                # It reads what the check has not.
                Assembly(config, loaded.registry, ManualClock(), structlog.get_logger())
        by_pattern = _live(args.file)
        if config is None:
            print(PLAIN, file=sys.stderr)
        if args.pattern is not None:
            if args.pattern not in by_pattern:
                known = suggestion(args.pattern, by_pattern)
                raise LimecepError(f"{args.file}: no match of a pattern '{args.pattern}': {known}")
            by_pattern = {args.pattern: by_pattern[args.pattern]}
        expanded = [_expanded(name, matches, config, args.file) for name, matches in by_pattern.items()]
        if args.count:
            # Groups of thousands give numbers of thousands of digits.
            sys.set_int_max_str_digits(0)
            if len(expanded) > 1:
                for e in expanded:
                    print(e.pattern, e.matches.count())
            else:
                print(sum(e.matches.count() for e in expanded))
        else:
            for line in islice((line for e in expanded for line in e.lines()), args.limit):
                sys.stdout.buffer.write(line)
        return Exit.FINE


def _live(file: str) -> dict[str, list[Live]]:
    if file == "-":
        return live(sys.stdin.buffer, "standard input")
    try:
        packed = file.lower().endswith(".gz")
        with gzip.open(file) if packed else Path(file).open("rb") as lines:
            return live(lines, file)
    except (OSError, EOFError, zlib.error) as e:
        raise LimecepError(f"{file}: cannot be read: {getattr(e, 'strerror', None) or e}") from e


def _expanded(name: str, matches: list[Live], config: PipelineConfig | None, file: str) -> Expanded:
    alternatives = plain_alternatives(m.record for m in matches) if config is None else _planned(name, config)
    maker = Matches(alternatives)
    found: list[Match] = []
    keys: dict[int, object] = {}
    for line, record in matches:
        try:
            made = maker.of(record)
        except Unfit as e:
            raise LimecepError(f"{file}:{line}: {e}") from None
        found += made
        # All events of a match agree on the key.
        keys.update((id(event), record.get("key")) for group in made[0].groups for event in group)
    try:
        return Expanded(name, expand(found), keys)
    except LimecepError as e:
        raise LimecepError(f"pattern '{name}': {e}") from None


def _planned(name: str, config: PipelineConfig) -> Sequence[Alternative]:
    """The alternatives of a pattern of the pipeline."""
    pattern = next((p for p in config.patterns if p.name == name), None)
    if pattern is None:
        known = suggestion(name, (p.name for p in config.patterns))
        raise LimecepError(f"the pipeline has no pattern '{name}', of which the log has matches: {known}")
    if pattern.select != "stam":
        raise LimecepError(
            f"pattern '{name}' has 'select: {pattern.select}': only under 'select: stam' is all that matches "
            "contain a match too"
        )
    if pattern.engine.spec.answers == "rule":
        raise LimecepError(
            f"pattern '{name}' has the engine '{pattern.engine.spec.name}', which gives matches by a rule of "
            "its own: what it left out need not be contained in what it gave"
        )
    if pattern.pick is not None:
        print(
            f"limecep: pattern '{name}' picks the {pattern.pick} match of each end event: matches that only "
            "others contain are not given",
            file=sys.stderr,
        )
    return compile_plan(pattern.pattern, name=name, select=pattern.select, params=config.params).alternatives


class Expanded:
    """The expansion of the matches of one pattern.

    Args:
        pattern: The pattern's name.
        matches: The expansion.
        keys: The values of PARTITION BY, by the identity of the event object.
    """

    def __init__(self, pattern: str, matches: Expansion, keys: dict[int, object]) -> None:
        self.matches = matches
        self.pattern = pattern
        self._keys = keys

    def lines(self) -> Iterator[bytes]:
        """A line for each match."""
        for match in self.matches:
            yield to_json(match_record(self.pattern, self._keys[id(match.start)], match)) + b"\n"


def _limit(text: str) -> int:
    try:
        limit = int(text)
    except ValueError:
        limit = -1
    if limit < 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of matches")
    return limit
