"""`paretoscope-agent`: what this machine is, measurements for a site, measurements of files."""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from paretoscope_agent import VERSION
from paretoscope_agent.errors import AgentError
from paretoscope_agent.limited import measure_limited
from paretoscope_agent.load import check_load
from paretoscope_agent.machine import probe
from paretoscope_agent.measuring import Conditions
from paretoscope_agent.site import Site
from paretoscope_agent.working import Worker

_ACCEPTED_LOAD = 0.2
_TOKEN = "PARETOSCOPE_AGENT_TOKEN"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status: 0, or 1 with the reason on the standard error."""
    options = _parser().parse_args(arguments)
    try:
        {"probe": _probe, "measure": _measure, "measure-files": _measure_files}[options.command](options)
    except AgentError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("paretoscope-agent", description=__doc__)
    parser.add_argument("--version", action="version", version=VERSION)
    commands = parser.add_subparsers(dest="command", required=True)
    found = commands.add_parser("probe", help="what this machine is, as JSON")
    _add_load(found)
    work = commands.add_parser("measure", help="register this machine at a site, and measure what it asks for")
    work.add_argument("--url", required=True, help="of the site")
    work.add_argument(
        "--token", default=os.environ.get(_TOKEN, ""), help=f"of the scope agent; else the variable {_TOKEN}"
    )
    work.add_argument("--name", default=platform.node(), help="name of the device; the machine's name by default")
    work.add_argument("--once", action="store_true", help="end when nothing is left to measure")
    _add_load(work)
    files = commands.add_parser("measure-files", help="measure ONNX files, as JSON, in shuffled order")
    files.add_argument("files", nargs="+", type=Path, metavar="FILE")
    files.add_argument("--threads", type=int, nargs="+", default=[1])
    files.add_argument(
        "--seconds", type=float, default=10.0, help="of repetitions at most, for each file and number of threads"
    )
    files.add_argument("--provider", default="CPUExecutionProvider", help="of the runtime, one that probe lists")
    files.add_argument("--memory-mb", type=float, default=8192.0)
    _add_load(files)
    return parser


def _add_load(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--accept-load", type=float, default=_ACCEPTED_LOAD, metavar="CORES",
        help="how many cores other programs may use while this measures; every result says how many it was",
    )  # fmt: skip


def _probe(options: argparse.Namespace) -> None:
    check_load(options.accept_load)
    sys.stdout.write(json.dumps({"agent": VERSION, "machine": probe().as_json()}, indent=1) + "\n")


def _measure(options: argparse.Namespace) -> None:
    if not options.token:
        raise AgentError(
            f"--token: a token of the scope agent, from the site's page of tokens (or the variable {_TOKEN})"
        )
    site = Site(options.url, options.token)
    check_load(options.accept_load)
    registered = site.register(options.name, probe().as_json())
    _tell(f"Registered as {registered['slug']}, number {registered['device']}.")
    worker = Worker(site, int(registered["device"]), str(registered["key"]), options.accept_load, _tell)
    count = worker.work(options.once)
    _tell(f"{count} {'job' if count == 1 else 'jobs'} measured.")


def _measure_files(options: argparse.Namespace) -> None:
    check_load(options.accept_load)
    jobs = [(file, threads) for file in options.files for threads in options.threads]
    random.shuffle(jobs)  # what drifts with time then falls on all of them alike
    found = []
    for file, threads in jobs:
        conditions = Conditions(threads=threads, provider=options.provider, time_s=options.seconds)
        about_file = file.with_suffix(".json")
        about = json.loads(about_file.read_text()) if about_file.exists() else {}
        result = measure_limited(
            file, conditions, memory_mb=options.memory_mb, time_s=10 * options.seconds + 60, about=about
        )
        found.append({"file": str(file), "threads": threads, **result})
    sys.stdout.write(json.dumps(found) + "\n")


def _tell(line: str) -> None:
    sys.stderr.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())
