"""Tables on a terminal."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table


def print_table(stream: Any, table: Table) -> None:
    """Print a table to a stream of Django's commands, with plain characters where it is no terminal."""
    Console(file=stream, width=110).print(table)
