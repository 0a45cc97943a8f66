"""System checks of the settings, each with a hint that says what to do (`manage.py check`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error, Tags, register

BROKERS = ("filesystem", "redis", "rediss", "amqp", "memory")


@register()
def check_environment(**kwargs: Any) -> list[CheckMessage]:
    """Every variable that could not be used is an error."""
    return [
        Error(
            f"{problem.name} cannot be used: it must be {problem.accepted}. Got {problem.got} instead.",
            hint=f"Set {problem.name} to {problem.accepted}, or unset it to take the default (docs/settings.md).",
            id="paretoscope.E001",
        )
        for problem in settings.ENVIRONMENT.problems
    ]


@register()
def check_broker(**kwargs: Any) -> list[CheckMessage]:
    """A broker of an unknown kind is an error."""
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


@register(Tags.database)
def check_broker_reachable(databases: Sequence[str] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """A broker that does not answer is a warning: workers look for runs by themselves, only a little later.

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
                hint="Start the broker or correct BROKER_URL. Until then workers find new runs by looking twice a second.",
                id="paretoscope.W001",
            )
        ]
    return []
