"""Reads workload documents: `network/1` and `scenario/1`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from engines.contract.designs import canonical_json
from engines.contract.integer_format import counted
from engines.workloads.builtins import Contents, builtin_network_hash, builtin_networks, builtin_scenarios
from engines.workloads.errors import WorkloadError
from engines.workloads.families.others import language_names
from engines.workloads.layer_fusion import group_operations, lookup_elements
from engines.workloads.network import INPUT, Network, Operation, Scenario, ScenarioModel
from engines.workloads.operations import to_operation
from engines.workloads.schema import (
    MAX_SCENARIO_OPERATIONS,
    NETWORK_SCHEMA,
    SCENARIO_SCHEMA,
    NetworkDocument,
    OperationSection,
    ScenarioDocument,
    ScenarioModelSection,
)
from hardware.documents import DocumentSyntaxError, DocumentText, line_of, parse_document
from hardware.validation import findings_of

Model = TypeVar("Model", bound=BaseModel)
_NAMES_SHOWN = 12


def load_network(content: Mapping[str, Any]) -> Network:
    """Return the network that a `network/1` document describes, its operations grouped into schedulable layers.

    Raises:
        WorkloadError: names the key, the value got and the values accepted.
    """
    _check_schema(content, (NETWORK_SCHEMA,))
    slug = content.get("slug")
    # The built-in tables are long and never change: read once per process.
    if isinstance(slug, str) and builtin_networks().get(slug) is content:
        return builtin_network(slug)
    return _build_network(content)


def load_scenario(content: Mapping[str, Any]) -> Scenario:
    """Return the scenario that a `scenario/1` document describes; a `network/1` document is a scenario of one sample of it.

    Raises:
        WorkloadError: names the key, the value got and the values accepted.
    """
    if _check_schema(content, (SCENARIO_SCHEMA, NETWORK_SCHEMA)) == NETWORK_SCHEMA:
        network = load_network(content)
        return Scenario(network.slug, network.title, (ScenarioModel(network, 1),), network.source)
    document = _validated(ScenarioDocument, content)
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
    return _build_network(builtin_networks()[slug])


def _accepted_names(slug: str) -> str:
    """Return the names most like the one that was asked for, and how the others are found."""
    names = list(builtin_networks())
    near = get_close_matches(slug, names, _NAMES_SHOWN, 0.3) or names[:_NAMES_SHOWN]
    return f"one of the {len(names)} built-in networks, for example {', '.join(near)}; or {language_names()}"


def _build_network(content: Mapping[str, Any]) -> Network:
    document = _validated(NetworkDocument, content)
    operations = [_operation(index, section) for index, section in enumerate(document.operations)]
    _check_shared(operations)
    return Network(
        slug=document.slug,
        title=document.title,
        short_title=document.short_title,
        layers=group_operations(operations),
        source=document.source,
        lookup_elements=lookup_elements(operations),
        operations=tuple(operations),
        results=_results(document),
        weight_bits=document.weight_bits,
    )


def _results(document: NetworkDocument) -> tuple[tuple[str, str], ...]:
    """Return the tensors with the operations that give them; raises WorkloadError for one that does not exist."""
    names = {section.name for section in document.operations} if document.results else set()
    for tensor, name in (document.results or {}).items():
        if name not in names:
            raise WorkloadError(f"results.{tensor}", name, "the name of an operation of the network")
    return tuple((document.results or {}).items())


def _operation(index: int, section: OperationSection) -> Operation:
    operation = to_operation(index, section)
    if section.weight_bits or section.activation_bits:
        weight_bits, activation_bits = section.weight_bits or 0.0, section.activation_bits or 0.0
        operation = replace(operation, weight_bits=weight_bits, activation_bits=activation_bits)
    if section.shared_weights:
        operation = replace(operation, shared_weights=tuple(section.shared_weights.items()))
    if section.reads is None:
        return operation
    for place, number in enumerate(section.reads):
        if number >= index:
            accepted = f"the number of an earlier operation, below {index}"
            raise WorkloadError(f"operations.{index}.reads.{place}", number, accepted)
    reads = tuple(sorted(set(section.reads)))
    return replace(operation, reads=() if reads == (INPUT,) else reads)


def _check_shared(operations: Sequence[Operation]) -> None:
    """Refuse shared weights that are more than the operation has, or of another size elsewhere."""
    sizes: dict[str, int] = {}
    for operation in operations:
        key = f"operations.{operation.index}.shared_weights"
        total = sum(count for _, count in operation.shared_weights)
        if total > operation.weight_elements:
            raise WorkloadError(
                key, total, f"together at most the {operation.weight_elements} weights of {operation.name}"
            )
        for name, count in operation.shared_weights:
            if sizes.setdefault(name, count) != count:
                raise WorkloadError(f"{key}.{name}", count, f"{sizes[name]}, as the operations before say")


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


def _check_schema(content: Mapping[str, Any], accepted: tuple[str, ...]) -> str:
    schema = content.get("schema")
    if schema not in accepted:
        raise WorkloadError("schema", schema, f"one of: {', '.join(accepted)}")
    return str(schema)


def _validated(model: type[Model], content: Mapping[str, Any]) -> Model:
    try:
        return model.model_validate(dict(content))
    except ValidationError as error:
        first, *others = findings_of(error, model)
        raise WorkloadError(*first).with_others(others) from None
