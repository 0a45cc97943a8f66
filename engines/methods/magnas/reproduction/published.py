"""The published values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engines.reproduction.rows import Publication

PUBLICATION = Publication(Path(__file__).parent, "odema-2023")
CLOCKS = ("dvfs.cpu", "dvfs.gpu", "dvfs.emc", "dvfs.dla")  # Table 1


def value(name: str) -> Any:
    """Return a published value: a number, a text, or a list."""
    return PUBLICATION.value(name)


def clock_choices() -> str:
    """Return the clocks of Table 1 as the engine soc-mapping takes them."""
    names = {"cpu": "cpu", "gpu": "gpu", "memory": "emc", "dla": "dla"}
    return "; ".join(f"{ours}: {' '.join(map(str, value(f'dvfs.{theirs}')))}" for ours, theirs in names.items())
