"""`paretoscope up`, and `make up` of a checkout: a running site with a first result, and down again.

It starts gunicorn, two Celery workers, and `paretoscope.prepare`, which also makes the first runs, as separate processes.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import fcntl
import json
import os
import shutil
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from paretoscope import supervisor
from paretoscope.extras import import_path, site_folder
from paretoscope.packages import FOLDER, INSTALLED
from paretoscope.supervisor import Interruption, Service

FIRST_PORT, LAST_PORT = 8000, 8099
BACKLOG = 128
HEALTHY_WITHIN_S = 60.0
LEAST_FREE_BYTES = 100_000_000  # the data of a new site takes 25 MB
PYTHON = sys.executable
_ANOTHER_FOLDER = "`paretoscope up --data FOLDER`, in a checkout `PARETOSCOPE_VAR=FOLDER make up`"


class UpError(Exception):
    """An error for a failed step of the start; the message names the step and shows the log."""


@dataclass
class Phases:
    """The durations of the phases of a start, in seconds, with installations kept separate."""

    seconds: dict[str, float] = field(default_factory=dict)
    installing: tuple[str, ...] = ("torch",)

    @contextlib.contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Add the duration of the block to the phase `name`."""
        begin = time.monotonic()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.monotonic() - begin

    def own_s(self) -> float:
        """Return the seconds spent in everything but installations."""
        return sum(seconds for name, seconds in self.seconds.items() if name not in self.installing)

    def report(self) -> str:
        """Return all phases and their durations in one line."""
        parts = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in self.seconds.items())
        return f"{parts}; {sum(self.seconds.values()):.1f} s in all, the product's own share {self.own_s():.1f} s"


@dataclass
class Options:
    """The options of `paretoscope up`."""

    once: bool
    port: int | None
    torch: bool
    var: Path
    timings: Path | None

    @classmethod
    def read(cls, arguments: list[str]) -> Options:
        """Return the options of the command line; print help and exit if they are invalid."""
        parser = argparse.ArgumentParser(
            prog="paretoscope up", description="Start the site with two workers and example runs. Ctrl-C ends it."
        )
        parser.add_argument("--once", action="store_true", help="end when the first result is there")
        parser.add_argument("--port", type=int, help="port of the site (default: the first free one from 8000 on)")
        parser.add_argument(
            "--data",
            type=Path,
            metavar="FOLDER",
            default=site_folder(),
            help="folder of the site's data (default: %(default)s)",
        )
        parser.add_argument("--no-torch", action="store_true", help="leave torch out (a wheel always does)")
        parser.add_argument("--timings", type=Path, help="write the seconds of each phase to this JSON file")
        found = parser.parse_args(arguments)
        torch = not (found.no_torch or INSTALLED)
        timings = found.timings and found.timings.resolve()
        return cls(found.once, found.port, torch, found.data.resolve(), timings)


def listen(wanted: int | None) -> socket.socket:
    """Return a listening socket on 127.0.0.1, which stays open so that no other program can take the port.

    Args:
        wanted: the port; 0 for any free port, None for the first free port of the usual range.

    Raises:
        UpError: the wanted port, or every port of the usual range, cannot be used.
    """
    for port in range(FIRST_PORT, LAST_PORT + 1) if wanted is None else [wanted]:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
            listener.listen(BACKLOG)
        except (OSError, OverflowError) as error:
            listener.close()
            taken = getattr(error, "errno", 0) == errno.EADDRINUSE
            reason = "is taken" if taken else f"cannot be used ({getattr(error, 'strerror', error)})"
            continue
        return listener
    if wanted is not None:
        other = wanted + 1 if taken else 9000
        raise UpError(
            f"Port {wanted} {reason}. Choose another: `paretoscope up --port {other}`, `make up PORT={other}`."
        )
    raise UpError(
        f"No port from {FIRST_PORT} to {LAST_PORT} is free. Choose one: `paretoscope up --port 9000`, `make up PORT=9000`."
    )


@contextlib.contextmanager
def only_instance(var: Path) -> Iterator[None]:
    """Lock the folder of run-time data for this process.

    Raises:
        UpError: another instance uses the folder, it cannot be written, or its disk is full.
    """
    try:
        var.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(var).free
        lock = (var / "up.lock").open("a+")
    except OSError as error:
        raise UpError(
            f"{var} cannot be written: {error.strerror}. Choose another folder: {_ANOTHER_FOLDER}."
        ) from error
    if free < LEAST_FREE_BYTES:
        raise UpError(
            f"The disk of {var} has {free / 1e6:.0f} MB free; at least {LEAST_FREE_BYTES / 1e6:.0f} MB are needed. Make room, "
            f"or choose another folder: {_ANOTHER_FOLDER}."
        )
    with lock as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            stream.seek(0)
            holder = stream.read().strip() or "another process"
            raise UpError(
                f"Paretoscope already runs on the data in {var} ({holder}). Use that one, end it with Ctrl-C, or start a "
                f"second one on data of its own: {_ANOTHER_FOLDER}."
            ) from None
        stream.truncate(0)
        stream.write(f"process {os.getpid()}")
        stream.flush()
        yield


def services(var: Path, listener: socket.socket) -> list[Service]:
    """Return the web server and two workers; one worker takes only short runs, so that they never wait for long ones.

    Args:
        var: folder of run-time data.
        listener: listening socket of the web server; it stays open across restarts.
    """
    logs = var / "log"
    web = [
        *(PYTHON, "-m", "gunicorn", "webapp.site.wsgi:application", "--bind", f"fd://{listener.fileno()}"),
        *(
            "--worker-class",
            "webapp.site.request_buffering_worker.PatientWorker",
            "--workers",
            "1",
            "--threads",
            "8",
            # A single process loads the pages itself: before it was forked they would be held twice, page by page as it counts
            # who refers to what. On a busy machine loading them takes longer than a process may be silent by default.
            "--timeout",
            "120",
        ),
        # Anyone who looks on asks every second, in a hidden tab every ten: their connections stay.
        *("--keep-alive", "30", "--graceful-timeout", "2", "--no-control-socket"),
    ]
    worker = [PYTHON, "-m", "celery", "-A", "webapp.site.celery:app", "worker", "--pool", "threads"]
    quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "INFO"]
    return [
        Service("web", web, logs / "web.log", files=(listener.fileno(),)),
        Service("worker 1", [*worker, *quiet, "--hostname", "worker-1@%h"], logs / "worker-1.log"),
        Service(
            "worker 2",
            [*worker, *quiet, "--hostname", "worker-2@%h"],
            logs / "worker-2.log",
            {"PARETOSCOPE_WORKER_SHORT_ONLY": "1"},
        ),
    ]


def wait_until_healthy(url: str, running: list[Service]) -> None:
    """Wait for the site to answer.

    Raises:
        UpError: it does not respond within `HEALTHY_WITHIN_S` seconds, or a process ends repeatedly.
    """
    direct = urllib.request.build_opener(
        urllib.request.ProxyHandler({})
    )  # a proxy knows nothing of this machine's ports
    deadline = time.monotonic() + HEALTHY_WITHIN_S
    while time.monotonic() < deadline:
        tend(running)
        failing = next((service for service in running if service.starts > 2), None)
        if failing:
            raise UpError(f"{failing.name} does not stay up. The end of its log:\n{failing.tail()}")
        with contextlib.suppress(urllib.error.URLError, OSError), direct.open(f"{url}/health/", timeout=2) as answer:
            if answer.status == 200:
                return
        supervisor.pause(0.1)
    raise UpError(
        f"{url}/health/ did not answer within {HEALTHY_WITHIN_S:.0f} s. The end of the log:\n{running[0].tail()}"
    )


def tend(running: list[Service]) -> None:
    """Restart the processes that ended, and print a message for each."""
    for service in running:
        message = service.tend()
        if message:
            say(message)


def first_results(running: list[Service]) -> None:
    """Make the database, the demo account and the first runs, while the services start and are supervised.

    The output is shown at once, so that an interruption does not lose the password.

    Raises:
        UpError: the preparation failed.
    """
    if supervisor.call([PYTHON, "-m", "paretoscope.prepare", "--demo"], lambda: tend(running), show=True).returncode:
        logs = "\n".join(f"-- end of {service.log}\n{service.tail(10)}" for service in running)
        raise UpError(f"Preparing the database, or a first run, failed (see above).\n{logs}")


def say(message: str) -> None:
    """Print one message to the terminal at once."""
    print(message, flush=True)


def install_torch(options: Options, phases: Phases, running: list[Service]) -> None:
    """Install torch last, after the first result, so that nothing waits for it.

    Raises:
        UpError: the installation failed.
    """
    if not options.torch:
        return
    command = [PYTHON, str(FOLDER / "tools" / "environment.py"), "torch"]
    with phases.phase("torch"):
        if supervisor.call(command, lambda: tend(running), show=True).returncode:
            raise UpError(
                "Everything that does not need torch works. `make up` tries again; `make up TORCH=0` leaves torch out."
            )


def bring_up(options: Options, phases: Phases) -> None:
    """Run every phase in order; return on a request to end, or with `once` after the first result."""
    listener = listen(options.port)
    url = "http://{}:{}".format(*listener.getsockname())
    os.environ.update(
        PARETOSCOPE_VAR=str(options.var),
        PYTHONUNBUFFERED="1",
        DJANGO_SETTINGS_MODULE="webapp.site.settings",
        PYTHONPATH=import_path(options.var),
    )
    os.environ.setdefault("PARETOSCOPE_PUBLIC_URL", url)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # five processes read the same modules: compiled once, not by each
    (options.var / "address").write_text(os.environ["PARETOSCOPE_PUBLIC_URL"])  # for commands in another terminal
    prepared = options.var / "prepared"
    prepared.unlink(missing_ok=True)
    os.environ["PARETOSCOPE_START_AFTER"] = str(prepared)
    running = services(options.var, listener)
    try:
        with phases.phase("database, web, workers and first runs"):
            for service in running:  # each loads its modules while the database is made
                service.start()
            first_results(running)
            wait_until_healthy(url, running)
        say(f"The web server and two workers run: {url}")
        if options.once:
            supervisor.stop(running)
            install_torch(options, phases, [])
            return
        stay_up(options, phases, running, url)
    except BaseException:
        say("Ending every process")
        raise
    finally:
        supervisor.stop(running)


def stay_up(options: Options, phases: Phases, running: list[Service], url: str) -> None:
    """Keep the services running until a request to end, and install torch meanwhile."""
    try:
        install_torch(options, phases, running)
    except UpError as error:
        say(str(error))
    say(f"Ready: {phases.report()}")
    supervisor.call([PYTHON, "-m", "paretoscope", "gallery"], lambda: tend(running), show=True)
    say(f"Paretoscope runs at {url} (logs: {options.var / 'log'}). Ctrl-C ends it.")
    while True:
        tend(running)
        supervisor.pause(0.5)


def main(arguments: list[str]) -> int:
    """Start the site and keep it running; return 0 at its end, 1 after a failed start, 130 after Ctrl-C with `--once`."""
    options = Options.read(arguments)
    os.chdir(FOLDER)
    supervisor.adopt_orphans()
    supervisor.heed_signals()
    phases = Phases()
    try:
        with only_instance(options.var):
            bring_up(options, phases)
    except UpError as error:
        say(str(error))
        return 1
    except Interruption:
        supervisor.sweep()
        say("Ended; everything stored is kept.")
        return 130 if options.once else 0
    if options.timings:
        options.timings.write_text(json.dumps({**phases.seconds, "own": phases.own_s()}))
    say(phases.report())
    return 0
