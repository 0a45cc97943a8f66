"""Reads workload documents: `network/1` and `scenario/1`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from engines.contract.designs import canonical_json
from engines.contract.integer_format import counted
from engines.workloads.builtins import Contents, builtin_network_hash, builtin_networks, builtin_scenarios
from engines.workloads.errors import WorkloadError
from engines.workloads.families.language_passes import language_pass_names
from engines.workloads.families.others import language_names
from engines.workloads.network import Network, Scenario, ScenarioModel
from engines.workloads.network_document import check_schema, read_network, validated
from engines.workloads.schema import (
    MAX_SCENARIO_OPERATIONS,
    NETWORK_SCHEMA,
    SCENARIO_SCHEMA,
    ScenarioDocument,
    ScenarioModelSection,
)
from hardware.documents import DocumentSyntaxError, DocumentText, line_of, parse_document

_NAMES_SHOWN = 12


def load_network(content: Mapping[str, Any]) -> Network:
    """Return the network that a `network/1` document describes, its operations grouped into schedulable layers.

    Raises:
        WorkloadError: names the key, the value got and the values accepted.
    """
    check_schema(content, (NETWORK_SCHEMA,))
    slug = content.get("slug")
    # The built-in tables are long and never change: read once per process.
    if isinstance(slug, str) and builtin_networks().get(slug) is content:
        return builtin_network(slug)
    return read_network(content)


def load_scenario(content: Mapping[str, Any]) -> Scenario:
    """Return the scenario that a `scenario/1` document describes; a `network/1` document is a scenario of one sample of it.

    Raises:
        WorkloadError: names the key, the value got and the values accepted.
    """
    if check_schema(content, (SCENARIO_SCHEMA, NETWORK_SCHEMA)) == NETWORK_SCHEMA:
        network = load_network(content)
        return Scenario(network.slug, network.title, (ScenarioModel(network, 1),), network.source)
    document = validated(ScenarioDocument, content)
    _check_size(document)
    models = tuple(_model(model, index) for index, model in enumerate(document.models))
    _check_dependencies(models)
    return Scenario(document.slug, document.title, models, document.source)


def operation_count(network: object) -> int:
    """Return how many operations a network has that a scenario names or writes out, counted without reading them; 0 of none."""
    if isinstance(network, str):
        return len(builtin_network(network).operations) if network in builtin_networks() else 0
    operations = network.get("operations") if isinstance(network, Mapping) else None
    return len(operations) if isinstance(operations, list | tuple) else 0


def _check_size(document: ScenarioDocument) -> None:
    """Refuse a scenario that is too large before any of its networks is loaded."""
    total = 0
    for index, model in enumerate(document.models):
        total += operation_count(model.network)
        if total > MAX_SCENARIO_OPERATIONS:
            got = f"{counted(total)} operations in the first {index + 1} networks together"
            accepted = f"at most {counted(MAX_SCENARIO_OPERATIONS)} operations, all networks of a scenario together"
            raise WorkloadError("models", got, accepted)


def load_workload_text(text: str, file: str = "document") -> tuple[DocumentText, Scenario]:
    """Read and check a YAML text as people hand it in.

    Raises:
        WorkloadError: as for `load_scenario`, with file and line.
    """
    try:
        document = parse_document(text, file)
    except DocumentSyntaxError as error:
        raise WorkloadError(error.key, error.got, error.accepted, error.file, error.line) from error
    try:
        return document, load_scenario(document.content)
    except WorkloadError as error:
        told = WorkloadError.of(error, line=line_of(document.lines, error.key))
        told.file = file
        raise told.with_others(error.others) from error


def load_workload_file(path: Path) -> Scenario:
    """Return the scenario in a YAML file.

    Raises:
        WorkloadError: as for `load_scenario`, with file and line.
    """
    return load_workload_text(path.read_text(encoding="utf-8"), path.name)[1]


@cache
def builtin_workloads() -> Contents:
    """Return slug -> content of every built-in scenario and network, scenarios first."""
    return builtin_scenarios() | builtin_networks()


@lru_cache(maxsize=512)
def builtin_network(slug: str) -> Network:
    """Return the built-in network of that name.

    Raises:
        WorkloadError: there is none; lists those that exist.
    """
    if slug not in builtin_networks():
        raise WorkloadError("network", slug, _accepted_names(slug))
    return read_network(builtin_networks()[slug])


def _accepted_names(slug: str) -> str:
    """Return the names most like the one that was asked for, and how the others are found."""
    names = list(builtin_networks())
    near = get_close_matches(slug, names, _NAMES_SHOWN, 0.3) or names[:_NAMES_SHOWN]
    by_length = f"{language_names()}, {language_pass_names()}"
    return f"one of the {len(names)} built-in networks, for example {', '.join(near)}; or {by_length}"


def _model(section: ScenarioModelSection, index: int) -> ScenarioModel:
    return ScenarioModel(
        network=_network_of(section, index),
        batch=section.batch,
        rate_fps=section.rate_fps,
        priority=section.priority,
        probability=1.0 if section.probability is None else section.probability,
        depends_on=section.depends_on or "",
        deadline_s=section.deadline_s,
    )


def _chain(slug: str, waits: Mapping[str, str]) -> set[str]:
    """Return a network with all that it waits for."""
    seen: set[str] = set()
    while slug in waits and slug not in seen:
        seen.add(slug)
        slug = waits[slug]
    return seen


def _check_dependencies(models: tuple[ScenarioModel, ...]) -> None:
    """Check that every model waits for another one of the scenario, and no two for each other."""
    waits = {model.network.slug: model.depends_on for model in models}
    for index, model in enumerate(models):
        seen, current = {model.network.slug}, model.depends_on
        while current in waits and current not in seen:
            seen.add(current)
            current = waits[current]
        unknown = model.depends_on and model.depends_on not in waits
        if unknown or current in seen:
            others = ", ".join(slug for slug in waits if model.network.slug not in _chain(slug, waits))
            accepted = f"one of the networks of the scenario that do not wait for this one: {others or '(none)'}"
            raise WorkloadError(f"models.{index}.depends_on", model.depends_on, accepted)


def _network_of(model: ScenarioModelSection, index: int) -> Network:
    key = f"models.{index}.network"
    try:
        network = builtin_network(model.network) if isinstance(model.network, str) else load_network(model.network)
    except WorkloadError as error:
        inner = key if error.key == "network" else f"{key}.{error.key}"
        raise WorkloadError.of(error, inner) from error
    _check_hash(model, index)
    return network


def _check_hash(model: ScenarioModelSection, index: int) -> None:
    if model.network_sha256 is None:
        return
    if isinstance(model.network, str):
        present = builtin_network_hash(model.network)
    else:
        present = hashlib.sha256(canonical_json(model.network).encode()).hexdigest()
    if model.network_sha256 != present:
        accepted = f"{present}, the hash of the current network"
        reason = "The network has changed since the scenario was stored."
        raise WorkloadError(f"models.{index}.network_sha256", model.network_sha256, accepted, reason=reason)
