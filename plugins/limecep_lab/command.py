"""`limecep data`: jobs of Spark around streams. Its modules import no Spark before one is executed."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from limecep.errors import RunFailure
from limecep_spark.failures import reason

if TYPE_CHECKING:
    import argparse

    from limecep.embedding.pipelines import Registry

#: The jobs, with what they do; each is a module of `limecep_lab.jobs`.
JOBS = {
    "generate": "make a stream of events",
    "disorder": "have the events of a stream arrive late, twice, or never",
    "truth": "find what a pipeline gives on the stream in order",
    "evaluate": "say how right the results of runs are, and what it took",
    "sweep": "try policies on a recording, and recommend some",
}


class DataCommand:
    """`limecep data` (`limecep.contracts.command`).

    Args:
        registry: The components there are.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Adds the jobs, with their arguments."""
        subparsers = parser.add_subparsers(metavar="JOB", required=True)
        for name, summary in JOBS.items():
            subparser = subparsers.add_parser(name, help=summary, description=summary.capitalize() + ".")
            job = importlib.import_module(f"limecep_lab.jobs.{name}")
            job.declare(subparser)
            subparser.set_defaults(job=job)

    def execute(self, args: argparse.Namespace) -> int:
        """Does the job that is asked for."""
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException

        try:
            code: int = args.job.execute(args, self._registry)
        except (PySparkException, Py4JError) as error:
            raise RunFailure(f"Spark could not go on: {reason(error)}") from error
        return code
