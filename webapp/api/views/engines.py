"""The engines that problems can name."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines.contract.engine import Engine
from engines.contract.errors import EngineError, UnknownEngineError
from engines.registry import engine_names, get_engine
from webapp.api import arguments
from webapp.api.shapes import engines as shapes
from webapp.api.shapes.base import answer, many
from webapp.api.views.common import NOT_FOUND

logger = logging.getLogger(__name__)


class EngineListView(APIView):
    """All engines."""

    @extend_schema(operation_id="engines_list", responses={200: many(shapes.Engine)}, tags=["engines"])
    def get(self, request: Request) -> Response:
        """Return all engines, by name."""
        arguments.only(request)
        return answer(many(shapes.Engine), list(_usable_engines()))


class EngineDetailView(APIView):
    """One engine."""

    @extend_schema(operation_id="engines_read", responses={200: shapes.EngineDetail, **NOT_FOUND}, tags=["engines"])
    def get(self, request: Request, name: str) -> Response:
        """Return one engine: its inputs, the JSON Schema of its parameters, and its metrics."""
        try:
            engine = get_engine(name)
        except UnknownEngineError as error:
            raise NotFound(str(error)) from error
        return answer(shapes.EngineDetail, engine)


def _usable_engines() -> Iterator[Engine]:
    """Yield every engine that can be loaded: one with a missing package must not take the others away."""
    for name in engine_names():
        try:
            yield get_engine(name)
        except (EngineError, ImportError) as error:
            logger.warning("Engine %s is left out of the list: %s", name, error)
