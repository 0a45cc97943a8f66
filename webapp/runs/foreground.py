"""A run kept by the command in front of a person: the same keeper, child and store, without the queue.

The run is created and claimed in one transaction, so that no worker ever sees it waiting. If the command dies, its lease
expires and a worker continues.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.db import transaction

from engines.running.runner.protocol import StepFrame
from webapp.runs import service
from webapp.runs.models import Run
from webapp.runs.queue import claim
from webapp.runs.storage.lease import FencingToken
from webapp.runs.worker.run_supervisor import RunSupervisor, Signals
from webapp.teams.models import Project
from webapp.teams.visibility import Principal

WATCH_EVERY_S = 0.2


def run_here(
    principal: Principal,
    document: Mapping[str, Any],
    project: Project | None = None,
    title: str | None = None,
    on_start: Callable[[Run], None] | None = None,
    on_step: Callable[[StepFrame], None] | None = None,
) -> Run:
    """Create a run and execute it in this process.

    Ctrl-C stops the run; SIGTERM gives it to the workers. What is stored stays in either case.

    Args:
        principal: becomes the owner.
        document: the problem document.
        project: project of the run; by default the principal's personal one.
        title: name for people.
        on_start: called with the stored run before it begins.
        on_step: called with every stored step.

    Returns:
        the run as it ended.

    Raises:
        ProblemError, NotVisible, NotAllowed: as `service.start`.
    """
    owner = f"{socket.gethostname()}:{os.getpid()} (command)"
    with transaction.atomic():
        run = service.create(principal, document, project=project, title=title)
        fencing_token: FencingToken | None = claim.claim_created(owner, run)
    if on_start is not None:
        on_start(run)
    with _signals() as signals:
        while fencing_token is not None:
            if RunSupervisor(fencing_token, signals, on_step).keep() != "queued" or signals.leave.is_set():
                break
            fencing_token = claim.claim_this(owner, run.pk)
    run.refresh_from_db()
    return run


def watch(run: Run, on_change: Callable[[Run], None] | None = None) -> Run:
    """Wait for a run that workers keep; `on_change` is called with it whenever it has been read again."""
    while run.active:
        time.sleep(WATCH_EVERY_S)
        run.refresh_from_db()
        if on_change is not None:
            on_change(run)
    return run


@contextmanager
def _signals() -> Iterator[Signals]:
    signals = Signals()
    if threading.current_thread() is not threading.main_thread():
        yield signals  # only the main thread may set handlers
        return
    earlier = {
        # A `Flag` each: a handler may meet another in the middle of its work.
        signal.SIGINT: signal.signal(signal.SIGINT, lambda *_: signals.stop.set()),
        signal.SIGTERM: signal.signal(signal.SIGTERM, lambda *_: signals.leave.set()),
    }
    try:
        yield signals
    finally:
        for number, handler in earlier.items():
            signal.signal(number, handler)
