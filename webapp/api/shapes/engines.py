"""Engines, as the interface shows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from engines.contract.engine import InputKind
from engines.contract.quantities import Quantity
from webapp.api.shapes.base import OneOf, Shape
from webapp.catalogue.models import KINDS


class Engine(Shape):
    """An engine in a list."""

    name: str
    title: str
    summary: str
    source: str
    version: int
    tags: list[str]


class InputSlot(Shape):
    """A named input of an engine."""

    slot: str
    kind: Annotated[str, OneOf(KINDS)]
    title: str
    help: str
    schemas: list[str]
    required: bool
    preferred: str = Field(
        description="Built-in document that forms and the command line take where none is named; may be empty."
    )


def _slots(inputs: Mapping[str, InputKind]) -> list[dict[str, Any]]:
    return [{"slot": slot, **asdict(kind)} for slot, kind in inputs.items()]


class EngineDetail(Engine):
    """An engine with everything that a form needs."""

    inputs: Annotated[list[InputSlot], BeforeValidator(_slots)]
    quantities: list[Quantity]
    params_schema: Annotated[dict[str, Any], BeforeValidator(lambda params: params.model_json_schema())] = Field(
        validation_alias="Params", description="JSON Schema of `params`."
    )
