"""Senders next to every worker: threads of their own, so that no run waits for an address that does not answer."""

from __future__ import annotations

from webapp.base.worker_threads import beside_workers
from webapp.webhooks.senders import deliver_next

SENDERS = 3
LOOK_EVERY_S = 1.0


def prepare() -> None:
    """Start the senders with a worker."""
    for number in range(SENDERS):
        beside_workers(f"webhooks-sender-{number}", LOOK_EVERY_S, deliver_next)
