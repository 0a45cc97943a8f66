"""Pull workers on a Slurm cluster: `EXECUTOR_URL=slurm://PARTITION?workers=20&time=2:00:00` and `worker --pull` on a login node.

The command submits arrays of workers as long as runs wait, with Slurm's own sbatch, squeue and scancel.
"""

from __future__ import annotations

import getpass
import os
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from engines.contract.errors import ProblemError
from engines.contract.integer_format import many
from webapp.base.flags import Flag
from webapp.runs.errors import RunError
from webapp.runs.pull.site import SiteError
from webapp.runs.pull.site_access import SiteQueue
from webapp.runs.pull.wall_time import WallTime, seconds_of

FIELD = "EXECUTOR_URL"
LOOK_EVERY_S = 30.0
_TIMEOUT_S = 60.0
_PASSED = ("account", "qos", "constraint", "mem", "gpus")
_ROOT = Path(__file__).resolve().parents[3]


class SlurmError(RunError):
    """A command of Slurm failed; the message has its words."""


@dataclass(frozen=True)
class SlurmJobs:
    """The jobs that an address of Slurm describes.

    Attributes:
        partition: "" for the cluster's default.
        workers: jobs at the same time, at most.
        time, idle: durations of a job, and without a run after which it ends.
        cpus: cores of a job; it executes as many runs at a time.
        image: an Apptainer image with Paretoscope; "" for this installation, on a shared disk.
        passed: further options of sbatch, as they are.
    """

    partition: str = ""
    workers: int = 10
    time: str = "1:00:00"
    idle: str = "5m"
    cpus: int = 1
    image: str = ""
    passed: tuple[tuple[str, str], ...] = ()

    @classmethod
    def read(cls, url: str) -> SlurmJobs:
        """Read an address.

        Raises:
            ProblemError: a part of it is not accepted.
        """
        parts, jobs = urlsplit(url), cls()
        jobs = replace(jobs, partition=parts.netloc)
        for name, value in parse_qsl(parts.query, keep_blank_values=True):
            if name in ("workers", "cpus"):
                if not value.isascii() or not value.isdigit() or not 1 <= int(value) <= 10_000:
                    raise ProblemError(f"{FIELD}: {name}", value, "a number from 1 to 10000")
                jobs = replace(jobs, **{name: int(value)})  # type: ignore[arg-type]  # one of the whole numbers
            elif name in ("time", "idle", "image"):
                jobs = replace(jobs, **{name: value})  # type: ignore[arg-type]  # one of the texts
            elif name in _PASSED and value:
                jobs = replace(jobs, passed=(*jobs.passed, (name, value)))
            else:
                known = ", ".join(("workers", "time", "idle", "cpus", "image", *_PASSED))
                raise ProblemError(FIELD, name, f"slurm://PARTITION with parameters among {known}")
        WallTime(seconds_of(f"{FIELD}: time", jobs.time))
        seconds_of(f"{FIELD}: idle", jobs.idle)
        return jobs

    def command(self, url: str, token_file: Path | None) -> list[str]:
        """Return the command of a worker of `url`."""
        begin = (
            ["apptainer", "exec", self.image, "paretoscope"] if self.image else [sys.executable, "-m", "paretoscope"]
        )
        token = [] if token_file is None else ["--token-file", str(token_file.resolve())]
        ending = ["--wall-time", self.time, "--idle", self.idle, "--slots", str(self.cpus)]
        return [*begin, "worker", "--pull", url, *token, *ending]


@dataclass
class SlurmArrays:
    """The arrays of workers that one process submits.

    Attributes:
        name: name of the jobs, by which squeue and scancel find them.
        logs: folder of their output.
    """

    jobs: SlurmJobs
    command: Sequence[str]
    name: str
    logs: Path

    def submit(self, count: int) -> str:
        """Start an array of so many workers; return its number.

        Raises:
            SlurmError: Slurm refuses it.
        """
        self.logs.mkdir(parents=True, exist_ok=True)
        minutes = -(-seconds_of("time", self.jobs.time) // 60)
        options = {
            "job-name": self.name, "array": f"1-{count}", "time": f"{minutes:g}", "cpus-per-task": str(self.jobs.cpus),
            "output": str(self.logs / "slurm-%A_%a.log"), **dict(self.jobs.passed),
        }  # fmt: skip
        if self.jobs.partition:
            options["partition"] = self.jobs.partition
        # Workers inherit the environment, and with it the token; of the address they would submit workers themselves.
        lines = ["#!/bin/sh", f"export {FIELD}=", f"export PYTHONPATH={shlex.quote(str(_ROOT))}:$PYTHONPATH"]
        script = "\n".join((*lines, f"exec {shlex.join(self.command)}", ""))
        told = _slurm(["sbatch", "--parsable", *(f"--{name}={value}" for name, value in options.items())], script)
        return told.strip().partition(";")[0]

    def states(self) -> Counter[str]:
        """Return state ("PENDING", "RUNNING") -> number of jobs."""
        options = ["--noheader", "--array", f"--name={self.name}", f"--user={getpass.getuser()}", "--format=%T"]
        return Counter(_slurm(["squeue", *options]).split())

    def cancel(self) -> None:
        """End all jobs: workers get SIGTERM and give their runs back."""
        _slurm(["scancel", f"--name={self.name}", f"--user={getpass.getuser()}"])


def submit_while_runs_wait(
    arrays: SlurmArrays, queue: SiteQueue, abilities: frozenset[str], leave: Flag, say: Callable[[str], None]
) -> None:
    """Start workers whenever more runs wait than workers are pending, until `leave` is set; then end all.

    Raises:
        SlurmError: Slurm refuses the first array.
        SiteError: the site refuses the token.
    """
    submitted = False
    if arrays.jobs.image == "":
        say(
            f"Workers start as {shlex.join(arrays.command[:3])}: this installation must lie on a disk that all nodes share."
        )
    try:
        while True:
            try:
                states, waiting = arrays.states(), queue.waiting(arrays.name, abilities)
                count = min(arrays.jobs.workers - states.total(), waiting - states["PENDING"])
                if count > 0:
                    number = arrays.submit(count)
                    submitted = True
                    say(f"{many(waiting, 'run')} waiting: submitted array {number} of {many(count, 'worker')}.")
            except (SlurmError, SiteError) as error:
                if not submitted and (isinstance(error, SlurmError) or error.status):
                    raise
                say(str(error))
            if leave.wait(LOOK_EVERY_S):
                return
    finally:
        if submitted:
            arrays.cancel()
            say("The jobs are cancelled; runs return to the queue.")


def _slurm(command: Sequence[str], text: str = "") -> str:
    """Return the output of a command of Slurm.

    Raises:
        SlurmError: it is not installed, fails or hangs.
    """
    if shutil.which(command[0]) is None:
        raise SlurmError(f"{command[0]} is not on the PATH: start the command on a login node of the Slurm cluster.")
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False, env=os.environ
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise SlurmError(f"{command[0]} gave no answer within {_TIMEOUT_S:g} s.") from error
    if done.returncode:
        raise SlurmError(f"{command[0]} failed: {done.stderr.strip()[-500:]}")
    return done.stdout
