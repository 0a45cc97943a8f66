"""What `bench_executors` gives to Celery: chunks of a batch as tasks, the shared value once per batch in Redis."""

from __future__ import annotations

import importlib
import os
import pickle
import uuid
from typing import Any

import redis
from celery import Celery, group

URL = os.environ.get("PIECES_URL", "")
app = Celery("pieces", broker=URL, backend=URL)
app.conf.update(
    task_serializer="pickle", result_serializer="pickle", accept_content=["pickle"], task_acks_late=True,
    worker_prefetch_multiplier=2, broker_connection_retry_on_startup=True,
)  # fmt: skip
_shared: dict[str, Any] = {}


@app.task(name="pieces.work")
def work(module: str, function: str, key: str, items: list[Any]) -> list[Any]:
    """Return the runs in a worker of Celery."""
    if key not in _shared:
        _shared.clear()
        _shared[key] = pickle.loads(redis.Redis.from_url(URL).get(key))
    call = getattr(importlib.import_module(module), function)
    return [call(_shared[key], item) for item in items]


def map_on_celery(module: str, function: str, shared: Any, items: list[Any], size: int) -> list[Any]:
    """Return the batch as one group of chunks, results in order."""
    key = uuid.uuid4().hex
    redis.Redis.from_url(URL).set(key, pickle.dumps(shared))
    chunks = [items[begin : begin + size] for begin in range(0, len(items), size)]
    found = group(work.s(module, function, key, chunk) for chunk in chunks).apply_async().get()
    return [out for chunk in found for out in chunk]
