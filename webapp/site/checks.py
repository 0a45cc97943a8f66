"""System checks of the settings, each with a hint that says what to do (`manage.py check`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error, Tags, register
from django.http.request import validate_host

from engines.contract.errors import ProblemError
from engines.running.cluster import WAIT, ClusterExecutor
from engines.running.runner.environment import SLURM
from webapp.runs.pull.slurm import SlurmJobs

# Tag of the checks that `paretoscope.prepare` makes: they load no page.
SETTINGS = "settings"
BROKERS = ("filesystem", "redis", "rediss", "amqp", "memory")


@register(SETTINGS)
def check_environment(**kwargs: Any) -> list[CheckMessage]:
    """Return every variable that could not be used is an error."""
    return [
        Error(
            f"{problem.name} cannot be used: it must be {problem.accepted}. Got {problem.got} instead.",
            hint=f"Set {problem.name} to {problem.accepted}, or unset it to take the default (docs/settings.md).",
            id="paretoscope.E001",
        )
        for problem in settings.ENVIRONMENT.problems
    ]


@register(SETTINGS)
def check_broker(**kwargs: Any) -> list[CheckMessage]:
    """Report a broker of an unknown kind as an error."""
    scheme = settings.CELERY_BROKER_URL.partition("://")[0]
    if scheme in BROKERS:
        return []
    return [
        Error(
            f"BROKER_URL must begin with one of {', '.join(BROKERS)}. Got {scheme!r} instead.",
            hint="Unset BROKER_URL for the built-in queue, or use redis://HOST:6379/0.",
            id="paretoscope.E002",
        )
    ]


@register(SETTINGS)
def check_executor(**kwargs: Any) -> list[CheckMessage]:
    """Return an address of a cluster that cannot be one is an error."""
    if not settings.EXECUTOR_URL:
        return []
    try:
        if settings.EXECUTOR_URL.startswith(SLURM):
            SlurmJobs.read(settings.EXECUTOR_URL)
        else:
            ClusterExecutor(settings.EXECUTOR_URL)
    except (ValueError, ProblemError) as error:
        return [Error(str(error), hint="Unset EXECUTOR_URL to compute without a cluster.", id="paretoscope.E003")]
    silent = settings.PARETOSCOPE_RUN_SILENT_MINUTES
    if settings.PARETOSCOPE_CLUSTER_OUTAGE == WAIT and 0 < silent < 10:  # it is tried again after up to five minutes
        words = "PARETOSCOPE_RUN_SILENT_MINUTES must be 0 or at least 10 where runs wait for their cluster."
        hint = "Raise it, or set PARETOSCOPE_CLUSTER_OUTAGE to compute."
        return [Error(f"{words} Got {silent} instead.", hint=hint, id="paretoscope.E004")]
    return []


@register(SETTINGS)
def check_contradictions(**kwargs: Any) -> list[CheckMessage]:
    """Warn of settings that contradict each other."""
    secure, address = settings.PARETOSCOPE_SECURE, settings.PARETOSCOPE_PUBLIC_URL
    found = []
    if secure and not settings.PARETOSCOPE_PROXIES:
        words = "PARETOSCOPE_SECURE=1 needs a web server with TLS in front, but PARETOSCOPE_PROXIES is 0"
        found.append(
            checks.Warning(
                f"{words}: all visitors count as one address, whose wrong passwords keep everybody from signing in.",
                hint="Set PARETOSCOPE_PROXIES to the number of web servers in front that add to X-Forwarded-For.",
                id="paretoscope.W005",
            )
        )
    if address.startswith("https://") and not secure:
        found.append(
            checks.Warning(
                f"PARETOSCOPE_PUBLIC_URL is {address}, but PARETOSCOPE_SECURE is 0: cookies go over plain HTTP as well.",
                hint="Set PARETOSCOPE_SECURE=1 behind HTTPS.",
                id="paretoscope.W006",
            )
        )
    host = urlsplit(address).hostname or ""
    if not validate_host(f"[{host}]" if ":" in host else host, settings.ALLOWED_HOSTS):
        found.append(
            checks.Warning(
                f"PARETOSCOPE_PUBLIC_URL is {address}, but ALLOWED_HOSTS lacks {host!r}: the site refuses its own links.",
                hint="Add that host to ALLOWED_HOSTS, or correct PARETOSCOPE_PUBLIC_URL.",
                id="paretoscope.W007",
            )
        )
    if settings.PARETOSCOPE_MAIL_RUNS_MINUTES and not settings.PARETOSCOPE_SENDS_MAIL:
        found.append(
            checks.Warning(
                "PARETOSCOPE_MAIL_RUNS_MINUTES asks for e-mails at the end of runs, but EMAIL_URL names no server.",
                hint="Set EMAIL_URL, or unset PARETOSCOPE_MAIL_RUNS_MINUTES.",
                id="paretoscope.W008",
            )
        )
    return list(found)


@register(Tags.security, deploy=True)
def check_deployment(**kwargs: Any) -> list[CheckMessage]:
    """Return the findings that Django's own deployment checks omit (`check --deploy`)."""
    found: list[CheckMessage] = []
    if "*" in settings.ALLOWED_HOSTS:
        found.append(
            checks.Warning(
                "ALLOWED_HOSTS has *: the site answers under every name that a request gives it.",
                hint="Set ALLOWED_HOSTS to the names under which people reach the site, separated by commas.",
                id="paretoscope.W002",
            )
        )
    if settings.PARETOSCOPE_SECURE and not settings.PARETOSCOPE_PUBLIC_URL.startswith("https://"):
        found.append(
            checks.Warning(
                f"PARETOSCOPE_PUBLIC_URL is {settings.PARETOSCOPE_PUBLIC_URL}: links in mails lead to a page without HTTPS.",
                hint="Set PARETOSCOPE_PUBLIC_URL to the address of the site, beginning with https://.",
                id="paretoscope.W003",
            )
        )
    return found


@register(Tags.database)
def check_commits_are_kept(databases: Sequence[str] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """Return a PostgreSQL that forgets committed transactions when it dies would lose steps out of the middle of a run."""
    from django.db import connection

    if not databases or connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute("SHOW synchronous_commit")
        (value,) = cursor.fetchone()
    if value != "off":
        return []
    return [
        checks.Warning(
            "PostgreSQL runs with synchronous_commit=off: a crash of the server loses steps that workers believe stored.",
            hint="Set synchronous_commit to on (the default) for this database.",
            id="paretoscope.W004",
        )
    ]


@register(Tags.database)
def check_broker_reachable(databases: Sequence[str] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """Return a broker that does not answer is a warning: workers look for runs by themselves, only a little later.

    Runs with the database checks (`check --database default`, `migrate`): both reach out of the process.
    """
    if not databases or check_broker():
        return []
    from webapp.site.celery import app

    try:
        with app.connection_for_write() as connection:
            connection.ensure_connection(max_retries=1, timeout=2, interval_start=0, interval_step=0)
    except Exception as error:  # noqa: BLE001  (each transport raises errors of its own)
        return [
            checks.Warning(
                f"BROKER_URL does not answer: {error}",
                hint="Start the broker or correct BROKER_URL. Until then workers query the database twice per "
                "second for new runs.",
                id="paretoscope.W001",
            )
        ]
    return []
