"""Threads beside a worker outlive what goes wrong in them."""

from __future__ import annotations

import threading

from webapp.base.worker_threads import repeat


def test_it_goes_on_after_an_error_and_ends_when_the_worker_does() -> None:
    leaving, calls = threading.Event(), []

    def act() -> bool:
        calls.append(len(calls))
        if len(calls) == 1:
            raise RuntimeError("the database is away")
        if len(calls) == 4:
            leaving.set()
        return True

    thread = threading.Thread(target=repeat, args=(0.01, act, leaving))
    thread.start()
    thread.join(60)
    assert not thread.is_alive() and calls == [0, 1, 2, 3]
