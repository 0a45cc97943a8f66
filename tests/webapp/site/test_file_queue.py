"""The built-in queue: no message is seen half, taken twice or able to end a worker."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest
from kombu import Connection, Queue

from webapp.site.celery import app


@pytest.fixture
def queue(tmp_path: Path) -> Any:
    """A connection to a queue in a folder of its own."""
    (tmp_path / "queue").mkdir()
    folder = str(tmp_path / "queue")
    options = {"data_folder_in": folder, "data_folder_out": folder, "control_folder": str(tmp_path / "control")}
    with Connection("filesystem://localhost", transport_options=options) as connection:
        # kombu remembers bindings for the whole process, also those of an earlier test's folder.
        connection.transport.state.clear()
        yield connection
        connection.transport.state.clear()


def test_it_is_the_transport_of_the_site() -> None:
    assert type(app.connection_for_write().transport).__module__ == "webapp.site.file_queue"


def test_messages_come_in_order_and_leave_no_files(queue: Any, tmp_path: Path) -> None:
    simple = queue.SimpleQueue("celery")
    for number in range(5):
        simple.put({"n": number})
    assert [simple.get(timeout=60).payload["n"] for _ in range(5)] == [0, 1, 2, 3, 4]
    assert list((tmp_path / "queue").iterdir()) == []


def test_a_message_that_cannot_be_read_is_dropped(queue: Any, tmp_path: Path) -> None:
    (tmp_path / "queue" / f"{0:020d}_x.celery.msg").write_bytes(b"")
    (tmp_path / "queue" / f"{1:020d}_x.celery.msg").write_bytes(b"{half")
    simple = queue.SimpleQueue("celery")
    simple.put("whole")
    message = simple.get(timeout=60)
    message.ack()
    assert message.payload == "whole"
    assert list((tmp_path / "queue").iterdir()) == []


def test_what_nobody_took_is_removed_in_the_end(queue: Any, tmp_path: Path) -> None:
    simple = queue.SimpleQueue("celery")
    simple.put("old")
    left = tmp_path / "queue" / "taken-by-a-worker-that-died"
    left.touch()
    for file in (tmp_path / "queue").iterdir():
        os.utime(file, (1.0, 1.0))
    simple.put("new")
    assert len(list((tmp_path / "queue").iterdir())) == 1
    assert simple.get(timeout=60).payload == "new"


def test_writers_and_readers_at_once_lose_and_double_nothing(queue: Any, tmp_path: Path) -> None:
    found: list[int] = []
    errors: list[Exception] = []
    done = threading.Event()

    def read() -> None:
        with queue.clone() as mine, mine.channel() as channel:
            bound = Queue("celery")(channel)
            while not (done.is_set() and not list((tmp_path / "queue").glob("*.msg"))):
                try:
                    message = bound.get(no_ack=True)
                except Exception as error:  # noqa: BLE001  told by the test's own thread
                    errors.append(error)
                    return
                if message is not None:
                    found.append(message.payload)

    readers = [threading.Thread(target=read) for _ in range(3)]
    simple = queue.SimpleQueue("celery")
    for thread in readers:
        thread.start()
    for number in range(400):
        simple.put(number)
    done.set()
    for thread in readers:
        thread.join(60)
    assert errors == [] and sorted(found) == list(range(400))
