"""`limecep run`: runs a pipeline. Data goes to standard output, everything else to standard error."""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog

from limecep.cli import logs
from limecep.cli.colour import add_no_color
from limecep.cli.exits import Exit, abandon_output
from limecep.cli.failures import hidden, named, redactions, tell
from limecep.cli.last_resort import LastResort
from limecep.cli.overrides import add_set
from limecep.cli.runners import add_runner
from limecep.config.loader import load
from limecep.config.units import duration
from limecep.contracts.runner import Prompt
from limecep.errors import ConfigurationError, RunFailure, Stopped, words
from limecep.host import Host
from limecep.output import terminal
from limecep.runtime.pipeline import Pipeline
from limecep.statistics import OUTCOMES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager

    from limecep.cli.bar import Bar
    from limecep.cli.signals import Stop
    from limecep.config.model import PipelineConfig
    from limecep.contracts.runner import Runner
    from limecep.registry import Registry


def declare(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    parser.add_argument("file", metavar="FILE", help="the pipeline's YAML file")
    add_set(parser)
    parser.add_argument(
        "--for",
        metavar="DURATION",
        dest="duration",
        type=_seconds,
        help="stop after that long, such as 30s, from when all sources are connected; they have half a "
        "minute for that",
    )
    parser.add_argument(
        "--stop-timeout",
        metavar="DURATION",
        type=_seconds,
        default=8.0,
        help="how long the end may take once it is asked for, before the process is ended (default: 8s)",
    )
    parser.add_argument("--report", metavar="FILE", type=Path, help="write the accounting there, as JSON")
    parser.add_argument(
        "--allow-invalid",
        action="store_true",
        help="end well although all that was read from a source was invalid",
    )
    parser.add_argument("--stats", action="store_true", help="say at the end how late events were, and more")
    parser.add_argument(
        "--verify",
        metavar="N",
        nargs="?",
        type=_windows,
        const=20,
        help="compare each engine with the brute-force oracle at the end, on up to N windows of each pattern "
        "(default: 20); exit code 1 if they differ",
    )
    parser.add_argument("--quiet", action="store_true", help="say nothing but matches and errors")
    add_no_color(parser)
    registry = Host.load().registry
    add_runner(parser, registry)
    parser.set_defaults(execute=execute, registry=registry)


def execute(args: argparse.Namespace) -> int:
    """Runs the pipeline until its input ends, it is told to stop, or it cannot go on; accounts for it in any
    case.

    Raises:
        ConfigurationError: The pipeline cannot be put together.
        RunFailure: The report cannot be written.
    """
    with LastResort(args.stop_timeout) as last:
        return _execute(args, last)


def _execute(args: argparse.Namespace, last: LastResort) -> int:
    # What comes after it, such as writing a report, a signal may end at once.
    with args.stop as stop:
        level = "error" if args.quiet else args.log_level
        logs.configure(level, sys.stderr)
        loaded = load(
            args.file, args.registry, overrides=args.overrides, environment=os.environ, runner=args.runner
        )
        for problem in loaded.problems:
            if problem.severity == "error" or not args.quiet:
                print(problem, file=sys.stderr)
        if loaded.config is None:
            return Exit.REFUSED
        if loaded.config.secrets is not None:
            from limecep.cli.redaction import Redaction

            redactions.append(Redaction(loaded.config.secrets))
            logs.configure(level, sys.stderr, redactions[0])
        code, failure, quiet = Exit.FINE, None, args.quiet
        try:
            runner = _runner(loaded.config, loaded.registry)
        except (ConfigurationError, KeyboardInterrupt):
            raise
        except Exception as e:
            code, report = tell(e, args.log_level), {"failure": hidden(words(named(e)))}
            if args.report:
                _write(report, args.report)
            return code
        verification = None
        if args.verify is not None:
            # Hardly any run asks for it.
            from limecep.cli.verification import Verification

            verification = Verification(runner, args.verify)
        if isinstance(runner, Prompt):
            last.running, last.overdue = runner.running, runner.overdue
        try:
            if stop.asked:
                runner.close()
                if not quiet:
                    print("limecep: stopped before the run began: nothing was read", file=sys.stderr)
            else:
                _run(runner, stop, args)
        except BrokenPipeError:
            # `limecep run ... | head`: who reads the matches has seen enough.
            abandon_output()
            quiet = True
        except (ConfigurationError, KeyboardInterrupt):
            raise
        except Exception as e:
            code, failure = tell(e, args.log_level), words(named(e))
        except BaseException as e:
            # That a component ends the process, or cancels what it does itself, is no end of a run.
            from limecep.cli.culprits import ending

            ended = ending(e, last.running)
            code, failure = tell(ended, args.log_level), words(ended)
    try:
        report = runner.report()
        if loaded.config.runner is not None:
            from limecep.cli.reports import sound

            sound(report, loaded.config.runner.spec)
    except Exception:
        if failure is None:
            raise
        # What cannot be made has nothing to account for.
        report, quiet = {}, True
    spoilt = "" if args.allow_invalid or failure is not None else _spoilt(report)
    if spoilt:
        code, failure = Exit.FAILED, spoilt
    if failure is not None:
        report["failure"] = failure
    report = redactions[0].report(report) if redactions else report
    try:
        if not quiet:
            _account(report, loaded.config, stats=args.stats)
        if verification is not None and failure is None:
            code = verification.tell(report, quiet=quiet)
    finally:
        if args.report:
            _write(report, args.report)
    if spoilt:
        print(f"limecep: {spoilt} (--allow-invalid lets such a run end well)", file=sys.stderr)
    return code


def _spoilt(report: Mapping[str, Any]) -> str:
    """What to say where all that was read from a source was invalid."""
    if not report or not report["events"]["invalid"]:
        return ""
    # Most input can be read.
    from limecep.cli.late_report import spoiled

    return spoiled(report)


def collect_seldom() -> None:
    """Has Python look for cycles less often. What a run makes goes as it came, by counting references;
    looking for more again and again costs up to a third of the time."""
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)


def _runner(config: PipelineConfig, registry: Registry) -> Runner:
    if config.runner is None:
        return Pipeline.from_config(config, registry)
    try:
        runner: Runner = registry.make(config.runner.spec, config, registry, config.runner.options)
    except (Exception, KeyboardInterrupt, Stopped):
        raise
    except BaseException as e:
        from limecep.cli.culprits import ending, of_spec

        who = of_spec(config.runner.spec)
        raise ending(e, lambda frames: who) from e
    return runner


def _bar(*, quiet: bool) -> AbstractContextManager[Bar | None]:
    """The progress bar, where there is a terminal for it."""
    if quiet or not terminal.lively(sys.stderr):
        return nullcontext()
    from limecep.cli.bar import Bar

    return Bar(sys.stderr)


def _run(runner: Runner, stop: Stop, args: argparse.Namespace) -> None:
    with _bar(quiet=args.quiet) as bar:

        def asked() -> bool:
            if bar is not None and bar.due:
                bar.show(runner.progress())
            return stop.asked

        collect_seldom()
        prompt = runner if isinstance(runner, Prompt) else None
        late = nullcontext() if prompt is None else stop.cutting(prompt.overdue, args.duration)
        with suppress(Stopped), late:
            try:
                runner.run(asked, args.duration)
            except BaseException:
                # What cannot be closed either, or waits for what is away, does not hide why the run failed.
                with suppress(Exception, Stopped):
                    runner.close()
                raise
            with suppress(Stopped):
                runner.close()


def _seconds(text: str) -> float:
    try:
        return duration(text) / 1_000_000
    except ValueError as e:
        raise argparse.ArgumentTypeError(f"'{text}' {e}") from e


def _windows(text: str) -> int:
    if text.isdecimal() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"'{text}' is no number of windows above 0: FILE goes before --verify")


def _account(report: dict[str, Any], config: PipelineConfig, *, stats: bool) -> None:
    # Data may still be on its way to the same terminal. What cannot be written fails the command at its end.
    with suppress(OSError):
        sys.stdout.flush()
    if sys.stderr.isatty():
        sent = report["sinks"]
        late = [s.channel or s.name for s in config.sinks if s.of == "late" and sent[s.name]["records"]]
        # Only a terminal is told in words.
        from limecep.cli.accounting import accounting, effort

        if stats:
            from limecep.cli.stream_statistics import figures

            print(figures(report), file=sys.stderr)
        channels = {s.name: s.channel for s in config.sources}
        print(accounting(report, late, channels), effort(report), sep="\n", file=sys.stderr)
        return
    logger = structlog.get_logger()
    if stats:
        logger.info("statistics", **report["statistics"])
    for source in config.sources if "failure" not in report else ():
        if not report["sources"].get(source.name, {"read": 1}).get("read"):
            logger.warning("nothing was read", source=source.name, channel=source.channel)
    if any(counts.keys() - {"read", *OUTCOMES} for counts in report["sources"].values()):
        # Of most input there is nothing to say.
        from limecep.cli.input_report import changed_clocks, noted, unconverted

        lost = (f"missing: {line}" for line in unconverted(report))
        for line in (*lost, *noted(report), *changed_clocks(report)):
            logger.warning(line)
    said = {key: value for key, value in report.items() if key != "statistics"}
    odd = {"why_none", "suspicions"}
    if any(odd & counts.keys() for counts in report["patterns"].values()):
        _log_odd(logger, report)
    if "failure" in report:
        logger.error("run failed", **said)
    else:
        logger.info("run finished", **said)


def _log_odd(logger: Any, report: dict[str, Any]) -> None:
    # Most runs find what they look for.
    from limecep.cli.accounting import MISTAKES, in_words

    for name, counts in report["patterns"].items():
        if why := counts.get("why_none"):
            log = logger.warning if any(r["code"] in MISTAKES for r in why) else logger.info
            log("pattern found nothing", pattern=name, why=[in_words(r) for r in why])
        if odd := counts.get("suspicions"):
            logger.warning(
                "conditions that seem to be mistaken", pattern=name, why=[in_words(r) for r in odd]
            )


def _write(report: dict[str, Any], path: Path) -> None:
    try:
        # Examples of the late output have payloads as codecs made them.
        path.write_text(json.dumps(report, indent=2, default=str) + "\n", encoding="utf-8")
    except OSError as e:
        raise RunFailure(f"the report cannot be written: {e}") from e
