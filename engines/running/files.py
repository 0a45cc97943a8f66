"""File stores: content-addressed bytes of a run, and names for contents that are dear to build."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Protocol

from engines.contract.engine import MAX_FILE_BYTES, MAX_WORKING_NAME
from engines.contract.errors import ContractError


class FileKeeper(Protocol):
    """The side that keeps files for a run in another process (memory here, the database in the web application)."""

    def put(self, data: bytes) -> str:
        """Store `data`; return its SHA-256 (hex)."""
        ...

    def get(self, key: str) -> bytes:
        """Return the content with that SHA-256. Raises KeyError if there is none."""
        ...

    def lookup(self, name: str) -> bytes | None:
        """Return the content kept under `name`, None if there is none."""
        ...

    def keep(self, name: str, data: bytes) -> None:
        """Keep `data` under `name`; the first content of a name stays."""
        ...


class MemoryFileStore:
    """Keeps files in memory: for notebooks, tests and in-process evaluation. A `FileStore` and a `FileKeeper`."""

    def __init__(self) -> None:
        self._contents: dict[str, bytes] = {}
        self._names: dict[str, str] = {}

    def put(self, data: bytes) -> str:
        """Store `data`; return its SHA-256 (hex)."""
        check_content(data)
        key = hashlib.sha256(data).hexdigest()
        self._contents[key] = bytes(data)
        return key

    def get(self, key: str) -> bytes:
        """Return the content with that SHA-256. Raises KeyError if there is none."""
        if key not in self._contents:
            raise KeyError(f"No file with the SHA-256 {key} is stored.")
        return self._contents[key]

    def lookup(self, name: str) -> bytes | None:
        """Return the content kept under `name`, None if there is none."""
        key = self._names.get(name)
        return None if key is None else self._contents[key]

    def keep(self, name: str, data: bytes) -> None:
        """Keep `data` under `name`; the first content of a name stays."""
        self._names.setdefault(name, self.put(data))

    def get_or_build(self, key: str, build: Callable[[], bytes]) -> bytes:
        """Return the content kept under the name `key`, built and kept on first use."""
        check_key(key)
        found = self.lookup(key)
        if found is None:
            found = build()
            self.keep(key, found)
        return found


def check_key(key: str) -> None:
    """Raise `ContractError` unless every file store takes `key` as a name."""
    if "\0" in key or not 0 < len(key) <= MAX_WORKING_NAME:
        raise ContractError(
            f"A name must have from 1 to {MAX_WORKING_NAME} characters, none of them NUL. Got {key!r:.80}."
        )


def check_content(data: bytes) -> None:
    """Raise `ContractError` unless every file store takes `data`."""
    if len(data) > MAX_FILE_BYTES:
        raise ContractError(f"A file must be at most {MAX_FILE_BYTES} bytes. Got {len(data)}.")
