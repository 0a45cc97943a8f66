"""Signals for applications built on runs."""

from __future__ import annotations

from django.dispatch import Signal

# Sent with `run_id` in the fenced transaction that ends a run as done: what a receiver stores is there exactly when the run
# is, and a receiver that raises leaves the run to another attempt.
run_done = Signal()
# Sent with `run_id` in the transaction that ends a run as done or failed. A stopped run has not ended: it may go on.
run_ended = Signal()
# Sent with `run_id` in the transaction that stops a run, by a person's wish or its time limit.
run_stopped = Signal()
# Sent with `numbers` of runs that were stored in one statement, which Django tells nobody of, in the transaction that stores them.
stored_many = Signal()
