"""The built-in networks and scenarios, read from `zoo/` once per process."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from engines.designs import canonical_json
from engines.workloads.tables import read_table
from hardware.documents import load_yaml

ZOO = Path(__file__).parent / "zoo"


@cache
def builtin_networks() -> Mapping[str, Mapping[str, Any]]:
    """Slug -> content of every built-in network, its table of operations included."""
    contents = (_network_content(path) for path in sorted((ZOO / "networks").glob("*.yaml"), key=lambda p: p.stem))
    return MappingProxyType({content["slug"]: content for content in contents})


@cache
def builtin_scenarios() -> Mapping[str, Mapping[str, Any]]:
    """Slug -> content of every built-in scenario; each network it names is pinned by the hash of its content."""
    contents = (_scenario_content(path) for path in sorted((ZOO / "scenarios").glob("*.yaml"), key=lambda p: p.stem))
    return MappingProxyType({content["slug"]: content for content in contents})


@cache
def builtin_network_hash(slug: str) -> str:
    """SHA-256 (hex) of the content of a built-in network.

    Raises:
        KeyError: there is none of that name.
    """
    return hashlib.sha256(canonical_json(builtin_networks()[slug]).encode()).hexdigest()


def _network_content(path: Path) -> dict[str, Any]:
    content = load_yaml(path)
    table = content.pop("table")
    return {**content, "operations": read_table(path.parent / table)}


def _scenario_content(path: Path) -> dict[str, Any]:
    content = load_yaml(path)
    models = [{**model, "network_sha256": builtin_network_hash(model["network"])} for model in content["models"]]
    return {**content, "models": models}
