"""What publications print: `published.yaml` beside the method that reproduces them, read once per process."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from hardware.documents import load_yaml


@cache
def published_content(folder: Path) -> Mapping[str, Any]:
    """All of the `published.yaml` of a method's folder."""
    return load_yaml(folder / "published.yaml")


@cache
def published_results(folder: Path, publication: str = "") -> Mapping[str, Mapping[str, Any]]:
    """Name -> value, unit and place of each printed result; of one publication where the file holds several."""
    content = published_content(folder)
    return {row["name"]: row for row in (content[publication] if publication else content)["results"]}
