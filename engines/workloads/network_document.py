"""Reads a `network/1` document by itself, without the built-in networks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from engines.workloads.errors import WorkloadError
from engines.workloads.layer_fusion import group_operations, lookup_elements
from engines.workloads.network import INPUT, Network, Operation
from engines.workloads.operations import to_operation
from engines.workloads.schema import NETWORK_SCHEMA, NetworkDocument, OperationSection
from hardware.validation import findings_of

Model = TypeVar("Model", bound=BaseModel)


def read_network(content: Mapping[str, Any]) -> Network:
    """Return the network that a `network/1` document describes, its operations grouped into schedulable layers.

    Raises:
        WorkloadError: names the key, the value got and the values accepted.
    """
    check_schema(content, (NETWORK_SCHEMA,))
    document = validated(NetworkDocument, content)
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


def check_schema(content: Mapping[str, Any], accepted: tuple[str, ...]) -> str:
    """Return the schema of a document; raises WorkloadError for one that is not among the accepted."""
    schema = content.get("schema")
    if schema not in accepted:
        raise WorkloadError("schema", schema, f"one of: {', '.join(accepted)}")
    return str(schema)


def validated(model: type[Model], content: Mapping[str, Any]) -> Model:
    """Return the document as its model; raises WorkloadError for the first field that is refused, with the others."""
    try:
        return model.model_validate(dict(content))
    except ValidationError as error:
        first, *others = findings_of(error, model)
        raise WorkloadError(*first).with_others(others) from None
