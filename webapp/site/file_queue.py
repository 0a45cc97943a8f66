"""The built-in queue: messages as files in a folder.

kombu's filesystem transport writes a message into its final file name. A worker that looks at that moment takes the empty
file, fails to parse it and ends (celery/kombu#1551). Here a message appears complete or not at all, is taken by a rename
that only one worker can win, and one that cannot be read is dropped: it was only a bell.
"""

from __future__ import annotations

import os
import uuid
from contextlib import suppress
from pathlib import Path
from queue import Empty
from time import monotonic, monotonic_ns, time
from typing import Any

from kombu.transport import filesystem
from kombu.utils import json

from webapp.base.flags import leaving

_SLICE_S = 0.2
# Longer than any bell is of use (`webapp.runs.wakeup`): what is older was left by a queue without workers or by a crash.
_KEPT_S = 120.0


class FileQueueChannel(filesystem.Channel):
    """A channel whose files are written and taken in one step each."""

    def _put(self, queue: Any, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        """Append a message to `queue`."""
        folder = Path(self.data_folder_out)
        _remove_leftovers(folder)
        _write_at_once(folder / f"{monotonic_ns():020d}_{uuid.uuid4()}.{queue}.msg", payload)

    def _get(self, queue: Any, timeout: Any = None) -> Any:
        """Take the oldest message of `queue`. Raises `Empty` if there is none."""
        folder = Path(self.data_folder_in)
        for name in sorted(entry.name for entry in folder.iterdir()):
            if name.partition(".")[2] != f"{queue}.msg":
                continue
            taken = folder / f"taken-{uuid.uuid4()}"
            try:
                (folder / name).rename(taken)
                payload = _read(taken)
            except (OSError, ValueError):
                continue  # another worker was first, or a crash left half a message
            finally:
                taken.unlink(missing_ok=True)
            return payload
        raise Empty

    def get_table(self, exchange: str) -> list[Any]:
        """Return the queues bound to `exchange`."""
        try:
            return [filesystem.exchange_queue_t(*entry) for entry in _read(self._file_of(exchange))]
        except (FileNotFoundError, ValueError):
            return []

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str, queue: str) -> None:
        entry = filesystem.exchange_queue_t(routing_key or "", pattern or "", queue or "")
        table = self.get_table(exchange)
        if entry not in table:
            self.control_folder.mkdir(exist_ok=True)
            _write_at_once(self._file_of(exchange), [entry, *table])

    def _file_of(self, exchange: str) -> Path:
        file: Path = self._exchange_file(exchange)  # type: ignore[no-untyped-call]  # kombu has few types
        return file


class Transport(filesystem.Transport):
    """kombu's filesystem transport with the channel above."""

    Channel = FileQueueChannel

    def drain_events(self, connection: Any, timeout: float | None = None, **kwargs: Any) -> None:
        """Deliver one message. Raises `TimeoutError` if none came in time, or when this worker was asked to end.

        Celery waits for two seconds at a time; in slices, a worker that was asked to end does so at once.
        """
        end = None if timeout is None else monotonic() + timeout
        while True:
            rest = _SLICE_S if end is None else min(_SLICE_S, end - monotonic())
            try:
                super().drain_events(connection, timeout=max(rest, 0.0))  # type: ignore[no-untyped-call]
            except TimeoutError:
                if leaving.is_set() or (end is not None and monotonic() >= end):
                    raise
            else:
                return


def _remove_leftovers(folder: Path) -> None:
    """Keep the folder small where nobody takes the messages."""
    oldest = time() - _KEPT_S
    for entry in os.scandir(folder):
        with suppress(FileNotFoundError):  # another process was first
            if entry.stat().st_mtime < oldest:
                Path(entry.path).unlink()


def _read(file: Path) -> Any:
    return json.loads(file.read_bytes())  # type: ignore[no-untyped-call]


def _write_at_once(file: Path, content: Any) -> None:
    draft = file.with_name(f"draft-{uuid.uuid4()}")
    draft.write_text(json.dumps(content))  # type: ignore[no-untyped-call]
    draft.replace(file)
