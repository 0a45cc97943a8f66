"""Reads a run of many designs while the browser loads the scripts of its page, which takes it about as long."""

from __future__ import annotations

import logging
from threading import Thread
from typing import Any

from django.db import connection

from frontend.pages.run.run_reader import designs_of_followed
from webapp.runs.results.live_changes import FollowedRun, get_followed_run
from webapp.teams.visibility import Principal

logger = logging.getLogger(__name__)

# Fewer are read in less than a tenth of a second.
MANY_DESIGNS = 100_000


def found_run(principal: Principal, run_id: Any) -> FollowedRun:
    """Return the run of that number, whose designs are on their way if there are many.

    Raises:
        NotVisible: there is none, or `principal` may not see it.
    """
    run = get_followed_run(principal, run_id)
    if run.design_count >= MANY_DESIGNS:
        Thread(target=_read, args=(run,), name="reads-ahead", daemon=True).start()
    return run


def _read(run: FollowedRun) -> None:
    """Read what the page requests first; the page waits for it (`DesignCache`)."""
    try:
        _ = designs_of_followed(run).front
    except Exception:  # the page will meet the same, and tell it
        logger.debug("Run %s could not be read ahead.", run.pk, exc_info=True)
    finally:
        if not connection.in_atomic_block:
            connection.close()
