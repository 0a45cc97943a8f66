"""`manage.py worker --pull URL`: executes runs of a site over HTTPS, without its database and queue."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from engines.contract.errors import ProblemError
from engines.running.runner.environment import SLURM
from webapp.base.flags import Flag
from webapp.runs.pull.pull_worker import PullOptions, end_on_signals, pull, worker_name
from webapp.runs.pull.site import Site, SiteError
from webapp.runs.pull.site_access import SiteQueue
from webapp.runs.pull.slurm import SlurmArrays, SlurmError, SlurmJobs, submit_while_runs_wait
from webapp.runs.pull.wall_time import WallTime, seconds_of
from webapp.runs.queue.worker_capabilities import abilities_of_this_machine

TOKEN = "PARETOSCOPE_WORKER_TOKEN"


class Command(BaseCommand):
    help = (
        "Execute runs of a site on this machine, over HTTPS alone. A worker takes runs of the projects of its token "
        "(scope worker). Ctrl-C gives its runs back. With EXECUTOR_URL=slurm://PARTITION?workers=20&time=2:00:00 it "
        "submits arrays of workers to Slurm instead. Exit status: 0, 1 refused by the site or Slurm, 2 wrong option."
    )
    needs_tables = False
    requires_system_checks: list[str] = []  # they ask the database

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--pull", required=True, metavar="URL", help="address of the site: https://HOST")
        parser.add_argument(
            "--token-file", type=Path, metavar="FILE", help=f"file with the token (default: the variable {TOKEN})"
        )
        parser.add_argument("--name", default="", help="name of the worker (default: machine and process)")
        parser.add_argument("--slots", type=int, default=1, help="runs at the same time (default: 1)")
        parser.add_argument(
            "--wall-time",
            metavar="TIME",
            help="2h or 2:00:00: then the cluster ends the worker; it gives its runs back before",
        )
        parser.add_argument("--idle", metavar="TIME", help="end after this time without a run (default: never)")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if settings.EXECUTOR_URL.startswith(SLURM):
                self._submit(settings.EXECUTOR_URL, _read(options), options["token_file"])
                status = 0
            else:
                status = pull(_read(options), self._say)
        except (ProblemError, SiteError, SlurmError) as error:
            refused = isinstance(error, SlurmError) or bool(getattr(error, "status", 0))
            raise CommandError(str(error), returncode=1 if refused else 2) from error
        if status:
            sys.exit(status)

    def _submit(self, url: str, options: PullOptions, token_file: Path | None) -> None:
        jobs, leave = SlurmJobs.read(url), Flag()
        end_on_signals(leave)
        name = f"paretoscope-{worker_name().replace(':', '-')}"
        logs = settings.PARETOSCOPE_VAR / "log"
        arrays = SlurmArrays(jobs, jobs.command(options.url, token_file), name, logs)
        queue = SiteQueue(Site(options.url, options.token, leave), self._say, self._say)
        gpu = {"torch", "gpu"} if "gpus" in dict(jobs.passed) else set()
        submit_while_runs_wait(arrays, queue, abilities_of_this_machine() | gpu, leave, self._say)

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def _read(options: dict[str, Any]) -> PullOptions:
    if not 1 <= options["slots"] <= 4096:
        raise ProblemError("--slots", options["slots"], "a number of runs from 1 to 4096")
    wall, idle = options["wall_time"], options["idle"]
    return PullOptions(
        options["pull"], token_of(options["token_file"]), options["name"], options["slots"],
        WallTime(seconds_of("--wall-time", wall)) if wall else None, seconds_of("--idle", idle) if idle else None,
    )  # fmt: skip


def token_of(file: Path | None) -> str:
    """Return the token of a file, else of the environment: the list of processes never shows it.

    Raises:
        ProblemError: there is none.
    """
    try:
        text = (os.environ.get(TOKEN, "") if file is None else file.read_text()).strip()
    except OSError as error:
        raise ProblemError("--token-file", str(file), "a file that can be read") from error
    if not text:
        raise ProblemError(
            "--token-file", str(file or ""), f"a token of the scope worker, in a file or in the variable {TOKEN}",
            remedies=["Make one on the site's page API tokens."],
        )  # fmt: skip
    return text
