"""Errors of hardware documents. Each carries its facts as data, so that a form, the CLI and the API can each show them."""

from __future__ import annotations

from typing import Any


class HardwareError(Exception):
    """A hardware document cannot be used.

    Attributes:
        file: where the document was read from, or its slug.
        key: dotted path of what is wrong ("package.layout.1").
        got: the value found; None where the key is missing.
        accepted: words that say what is accepted.
        line: line in `file` (from 1 on), where it is known.
    """

    def __init__(self, file: str, key: str, got: Any, accepted: str, line: int | None = None) -> None:
        self.file, self.key, self.got, self.accepted, self.line = file, key, got, accepted, line
        place = f"{file}, line {line}" if line else file
        if got is None:
            super().__init__(f"{place}: {key} is missing; it must be {accepted}.")
        else:
            super().__init__(f"{place}: {key} must be {accepted}. Got {got!r} instead.")
