"""The rules once a day, next to whichever worker looks first."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta

from django.db.models.functions import Now

from webapp.base.actor import COMMAND, Actor, acting
from webapp.base.worker_threads import beside_workers
from webapp.retention.models import LastRetention
from webapp.retention.rules import apply
from webapp.runs.storage.lease import bring_back, from_now

logger = logging.getLogger(__name__)

LOOK_EVERY_S = 10.0
EVERY = timedelta(days=1)
_ROW = 1


class _ByItself(Actor):
    """Stands in the change log in place of a person."""

    def name(self) -> str:
        """Return the name of the background task."""
        return "retention"


def prepare() -> None:
    """Check it next to every worker."""
    beside_workers("retention", LOOK_EVERY_S, look)


def look() -> bool:
    """Apply the rules where that is due; never asks to be called again at once."""
    if _is_due():
        with acting(_ByItself(lambda: COMMAND, lambda: None)):
            for removal in apply(dry_run=False):
                logger.info("Retention: %s.", removal.words)
    return False


def _is_due() -> bool:
    """Return whether this worker is to apply them now; of several that ask one is told so."""
    bring_back(LastRetention.objects.filter(pk=_ROW), "at", 0.0)
    due = LastRetention.objects.filter(pk=_ROW, at__lt=from_now(-EVERY.total_seconds()))
    if not due.exists():
        if LastRetention.objects.filter(pk=_ROW).exists():
            return False
        LastRetention.objects.get_or_create(pk=_ROW, defaults={"at": datetime(2000, 1, 1, tzinfo=UTC)})
    return bool(due.update(at=Now()))
