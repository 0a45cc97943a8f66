"""The engines that problems can name."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines.contract.engine import Engine
from engines.contract.errors import EngineError, UnknownEngineError
from engines.registry import engine_names, get_engine
from webapp.api import arguments
from webapp.api.serializers import EngineDetailSerializer, EngineSerializer
from webapp.api.views.common import NOT_FOUND

logger = logging.getLogger(__name__)


class EngineListView(APIView):
    """All engines."""

    @extend_schema(operation_id="engines_list", responses={200: EngineSerializer(many=True)}, tags=["engines"])
    def get(self, request: Request) -> Response:
        """All engines, by name."""
        arguments.only(request)
        return Response([_summary(engine) for engine in _usable_engines()])


class EngineDetailView(APIView):
    """One engine."""

    @extend_schema(operation_id="engines_read", responses={200: EngineDetailSerializer, **NOT_FOUND}, tags=["engines"])
    def get(self, request: Request, name: str) -> Response:
        """One engine: its inputs, the JSON Schema of its parameters, its quantities."""
        try:
            engine = get_engine(name)
        except UnknownEngineError as error:
            raise NotFound(str(error)) from error
        return Response(_summary(engine) | _details(engine))


def _usable_engines() -> Iterator[Engine]:
    """Every engine that can be loaded: one with a missing package must not take the others away."""
    for name in engine_names():
        try:
            yield get_engine(name)
        except (EngineError, ImportError) as error:
            logger.warning("Engine %s is left out of the list: %s", name, error)


def _summary(engine: Engine) -> dict[str, Any]:
    names = ("name", "title", "summary", "source", "version")
    return {name: getattr(engine, name) for name in names} | {"tags": list(engine.tags)}


def _details(engine: Engine) -> dict[str, Any]:
    inputs = [
        {
            "slot": slot,
            "kind": kind.kind,
            "title": kind.title,
            "help": kind.help,
            "schemas": list(kind.schemas),
            "required": kind.required,
            "preferred": kind.preferred,
        }
        for slot, kind in engine.inputs.items()
    ]
    quantities = [asdict(quantity) for quantity in engine.quantities]
    return {"inputs": inputs, "quantities": quantities, "params_schema": engine.Params.model_json_schema()}
