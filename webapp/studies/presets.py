"""Studies that ship with an engine: `studies.yaml` next to it, a list of slug, title and document."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from engines.registry import engine_names, engine_path

FILE = "studies.yaml"


@dataclass(frozen=True)
class StudyPreset:
    """A study ready to be started.

    Attributes:
        slug: name within its engine.
        engine: name of the engine.
        title: title of the study.
        document: the study document.
    """

    slug: str
    engine: str
    title: str
    document: Mapping[str, Any]


def presets() -> tuple[StudyPreset, ...]:
    """Return the presets of every engine, in the order of engines and files."""
    return tuple(preset for engine in engine_names() for preset in _presets_of(engine))


def find_preset(slug: str) -> StudyPreset | None:
    """Return the preset of that name; None if there is none."""
    return next((preset for preset in presets() if preset.slug == slug), None)


@cache
def _presets_of(engine: str) -> tuple[StudyPreset, ...]:
    try:
        found = importlib.util.find_spec(engine_path(engine).partition(":")[0])
    except Exception:  # noqa: BLE001  the package of a plug-in may raise anything
        return ()
    file = Path(found.origin).with_name(FILE) if found and found.origin else None
    if file is None or not file.exists():
        return ()
    rows: list[dict[str, Any]] = yaml.safe_load(file.read_text())
    return tuple(
        StudyPreset(
            row["slug"],
            engine,
            row["title"],
            {"engine": engine, "title": row["title"], "seeds": [0], **row["document"]},
        )
        for row in rows
    )
