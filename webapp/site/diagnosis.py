"""Diagnosis of an installation: versions, disk, settings, database, clock, address and proxies (`doctor`)."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import ERROR, WARNING, CheckMessage
from django.db import Error as DatabaseError
from django.db import connection
from packaging.requirements import Requirement

from engines.contract.integer_format import many
from webapp.base.migration_names import compare_migrations
from webapp.gallery.service import gallery_runs
from webapp.runs.queue.workers import live_workers
from webapp.site import checks
from webapp.site.database_schema import applied_migrations, database_label
from webapp.teams.permissions import Guest

PYTHONS = ((3, 11), (3, 13))
_LEAST_FREE_GB = 1.0
_MOST_CLOCK_DIFFERENCE_S = 2.0
_ANSWER_S = 5.0


@dataclass(frozen=True)
class Finding:
    """A line of a diagnosis: state, subject, finding, and a remedy if something is wrong."""

    state: Literal["ok", "warning", "error"]
    subject: str
    text: str
    remedy: str = ""


def diagnose() -> Iterator[Finding]:
    """Yield the findings on this installation, one subject after another, without any change."""
    yield from _versions()
    yield from _disk()
    yield from _settings()
    yield from _database()
    yield from _address()
    yield from _proxies()


def _versions() -> Iterator[Finding]:
    python = ".".join(map(str, sys.version_info[:3]))
    if not PYTHONS[0] <= sys.version_info[:2] <= PYTHONS[1]:
        remedy = "Make the environment with Python 3.11, 3.12 or 3.13."
        yield Finding("error", "Python", f"Python {python} is not supported.", remedy)
    wrong = [words for line in _requirements() if (words := _unmet(Requirement(line)))]
    if wrong:
        yield Finding("error", "Packages", f"{'; '.join(wrong)}.", "Install Paretoscope again, or run `make up`.")
    else:
        yield Finding("ok", "Versions", f"Python {python}, every package fits.")


def _requirements() -> list[str]:
    """Return the packages that the product needs, from the installed wheel or the checkout."""
    project = settings.BASE_DIR / "pyproject.toml"
    if project.is_file():
        lines: list[str] = tomllib.loads(project.read_text())["project"]["dependencies"]
        return lines
    try:
        return metadata.requires("paretoscope") or []
    except metadata.PackageNotFoundError:  # an image: its packages are those of the lock file
        return []


def _unmet(requirement: Requirement) -> str:
    if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
        return ""
    try:
        version = metadata.version(requirement.name)
    except metadata.PackageNotFoundError:
        return f"{requirement.name} is missing"
    return "" if requirement.specifier.contains(version) else f"{requirement} is needed, {version} is installed"


def _disk() -> Iterator[Finding]:
    for name, folder in (("data", settings.PARETOSCOPE_VAR), ("temporary files", Path(tempfile.gettempdir()))):
        free_gb = shutil.disk_usage(folder).free / 1e9
        words = f"{free_gb:.1f} GB are free for {name} in {folder}."
        if free_gb < _LEAST_FREE_GB:
            remedy = "Free some space, or choose another folder (PARETOSCOPE_VAR, TMPDIR)."
            yield Finding("warning", "Disk", words, remedy)
        else:
            yield Finding("ok", "Disk", words)


def _settings() -> Iterator[Finding]:
    messages = [
        *(
            *checks.check_environment(),
            *checks.check_broker(),
            *checks.check_executor(),
            *checks.check_contradictions(),
        ),
        *checks.check_broker_reachable(["default"]),
    ]
    yield from (_of_check("Settings", each) for each in messages)
    if not messages:
        yield Finding("ok", "Settings", "Every variable can be used, and the broker answers.")


def _of_check(subject: str, message: CheckMessage) -> Finding:
    state: Literal["warning", "error"] = "error" if message.level >= ERROR else "warning"
    assert message.level >= WARNING
    return Finding(state, subject, message.msg, message.hint or "")


def _database() -> Iterator[Finding]:
    if connection.vendor not in ("sqlite", "postgresql"):
        return  # said with the settings
    file = Path(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite" and not file.exists():
        yield Finding("ok", "Database", f"{database_label()} is not made yet; `paretoscope up` makes it.")
        return
    try:
        missing, unknown = compare_migrations(f"{app}.{name}" for app, name in applied_migrations())
        if unknown:
            words = f"{database_label()} is of a newer version: {unknown[0]}."
            yield Finding("error", "Database", words, "Update Paretoscope, or choose another database.")
            return
        if missing:
            words = f"{database_label()} lacks {many(len(missing), 'migration')}."
            yield Finding("error", "Database", words, "Run `paretoscope migrate`.")
            return
        yield from (_of_check("Database", each) for each in checks.check_commits_are_kept(["default"]))
        workers = live_workers()
        yield Finding("ok", "Database", f"{database_label()} answers; {many(len(workers), 'worker')} alive.")
        yield _clock(_database_clock_s(), "database")
        yield from _guests()
    except DatabaseError as error:
        reason = str(error).strip().partition("\n")[0].rstrip(".")
        yield Finding("error", "Database", f"{database_label()} fails: {reason}.", "Start it, or correct DATABASE_URL.")


def _guests() -> Iterator[Finding]:
    if settings.PARETOSCOPE_GUESTS:
        count = len(gallery_runs(Guest({}, "guest doctor")))
        remedy = "" if count else "Run `paretoscope gallery`."
        yield Finding(
            "ok" if count else "warning", "Guests", f"Guests see the gallery of {many(count, 'run')}.", remedy
        )


def _database_clock_s() -> float:
    """Return the time of the database minus that of this machine; that of the data folder's disk for SQLite."""
    if connection.vendor == "sqlite":
        with tempfile.NamedTemporaryFile(dir=settings.PARETOSCOPE_VAR, prefix=".clock-") as file:
            file.write(b".")
            file.flush()
            return os.fstat(file.fileno()).st_mtime - time.time()
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
        return float(cursor.fetchone()[0]) - time.time()


def _clock(difference_s: float, other: str) -> Finding:
    words = f"This machine and the {other} differ by {abs(difference_s):.1f} s."
    if abs(difference_s) <= _MOST_CLOCK_DIFFERENCE_S:
        return Finding("ok", "Clock", words)
    return Finding("warning", "Clock", words, "Synchronise both clocks (NTP): leases and queues compare times.")


def _address() -> Iterator[Finding]:
    address: str = settings.PARETOSCOPE_PUBLIC_URL
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(f"{address}/health/", timeout=_ANSWER_S) as answer:
            ours = b'"status"' in answer.read(1000)
    except urllib.error.HTTPError as error:
        ours = error.code == 503
    except OSError as error:
        reason = getattr(error, "reason", error)
        if isinstance(reason, ConnectionRefusedError):
            yield Finding("ok", "Port", f"No program listens at {address}.")
        else:
            remedy = "Check the address (PARETOSCOPE_PUBLIC_URL) and what listens there."
            yield Finding("warning", "Port", f"{address} does not answer: {reason}.", remedy)
        return
    if ours:
        yield Finding("ok", "Port", f"The site answers at {address}.")
    else:
        remedy = "Start the site on another port (`paretoscope up --port 9000`), or correct PARETOSCOPE_PUBLIC_URL."
        yield Finding("warning", "Port", f"Another program answers at {address}.", remedy)


def _proxies() -> Iterator[Finding]:
    found = {name: url for name, url in urllib.request.getproxies().items() if name in ("http", "https", "all")}
    host = urlsplit(settings.PARETOSCOPE_PUBLIC_URL).hostname or ""
    if found and not urllib.request.proxy_bypass(host):
        words = f"Requests from this machine to {host} go through a proxy ({', '.join(sorted(found))}_proxy)."
        yield Finding("warning", "Proxy", words, f"Add {host} to NO_PROXY, for the client and the agent.")
    else:
        yield Finding("ok", "Proxy", f"Requests from this machine to {host} go through no proxy.")
