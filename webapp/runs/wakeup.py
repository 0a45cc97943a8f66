"""Wakeups of workers: a message without content that asks them to check the queue. It may be lost or repeated."""

from __future__ import annotations

import logging

logger = logging.getLogger(__name__)

EXPIRES_S = 30


def load_wakeup() -> None:
    """Load what ringing needs, which else the first request that starts a run would: Celery loads its parts one by one on use."""
    from webapp.runs.tasks import look

    app = look.app
    app.loader.import_default_modules()
    _ = app.tasks, app.amqp.queues, app.backend, app.events.Dispatcher
    app.connection_for_write().get_transport_cls()


def notify_workers() -> None:
    """Make the workers check the queue now. A broker that does not answer costs nothing but the wait for their own next check."""
    from webapp.runs.tasks import look

    try:
        # An expired message is dropped, so that a queue without workers does not fill with stale bells.
        look.apply_async(expires=EXPIRES_S, retry=False)
    except Exception as error:  # noqa: BLE001  whatever the transport raises: the run is stored, and workers look by themselves
        logger.warning("The queue does not answer (%s); workers will find the run in the database.", error)
