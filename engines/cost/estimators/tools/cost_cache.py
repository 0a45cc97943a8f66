"""Costs of layers by content, in one file of limited size; the least recently used ones give way."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

MOST_BYTES = 1 << 30
_PAGE_BYTES = 4096
_WAIT_S = 30.0
_SHARE_AFTER = 0.9  # of the limit that is left once room was made


def content_key(content: Mapping[str, Any]) -> str:
    """Return the SHA-256 of JSON-able data: layer, unit, estimator, version and options."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


class CostCache:
    """A file of costs that several processes may use at once.

    Args:
        path: path of the file; made on first use.
        most_bytes: largest size of the file.
    """

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES) -> None:
        self._path, self._most_pages = path, max(most_bytes // _PAGE_BYTES, 16)

    def get(self, key: str) -> dict[str, Any] | None:
        """Return the costs of a key and note that they were used; None where there are none."""
        with closing(self._open()) as file, file:
            row = file.execute("SELECT costs FROM costs WHERE key = ?", (key,)).fetchone()
            if row is not None:
                file.execute("UPDATE costs SET used = (SELECT MAX(used) + 1 FROM costs) WHERE key = ?", (key,))
        return None if row is None else dict(json.loads(row[0]))

    def put(self, key: str, costs: Mapping[str, Any]) -> None:
        """Keep costs; the least recently used ones go where the file would exceed its limit."""
        with closing(self._open()) as file, file:
            self._make_room(file)
            file.execute(
                "INSERT OR REPLACE INTO costs VALUES (?, ?, (SELECT COALESCE(MAX(used), 0) + 1 FROM costs))",
                (key, json.dumps(costs)),
            )

    def _make_room(self, file: sqlite3.Connection) -> None:
        used = file.execute("PRAGMA page_count").fetchone()[0] - file.execute("PRAGMA freelist_count").fetchone()[0]
        if used < self._most_pages - 2:
            return
        count = file.execute("SELECT COUNT(*) FROM costs").fetchone()[0]
        surplus = max(int(count * (1 - _SHARE_AFTER)), 1)
        file.execute("DELETE FROM costs WHERE key IN (SELECT key FROM costs ORDER BY used LIMIT ?)", (surplus,))

    def _open(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return self._connected()
        except sqlite3.OperationalError:  # busy
            raise
        except sqlite3.DatabaseError:  # no file of this kind: its costs are computed again
            self._path.unlink()
            return self._connected()

    def _connected(self) -> sqlite3.Connection:
        file = sqlite3.connect(self._path, timeout=_WAIT_S)
        file.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
        file.execute("PRAGMA synchronous = OFF")  # what a power failure damages is computed again
        file.execute(
            "CREATE TABLE IF NOT EXISTS costs (key TEXT PRIMARY KEY, costs TEXT NOT NULL, used INTEGER NOT NULL)"
        )
        file.execute("CREATE INDEX IF NOT EXISTS used ON costs (used)")
        return file
