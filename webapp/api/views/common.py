"""What the views share: documented errors, the run of a URL, numbers that JSON can say."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.views import APIView

from webapp.api.serializers import MessageSerializer, RefusalSerializer
from webapp.runs.models import Run
from webapp.runs.service import get_run

REFUSED: dict[int, Any] = {400: RefusalSerializer}
NOT_FOUND: dict[int, Any] = {404: MessageSerializer}
NOT_ALLOWED: dict[int, Any] = {403: MessageSerializer}
BUSY: dict[int, Any] = {503: MessageSerializer}
CONFLICT: dict[int, Any] = {409: MessageSerializer}


class RunView(APIView):
    """Base of views below `/runs/<id>/`."""

    def run_of(self, request: Request, run_id: int) -> Run:
        """The run of the URL; raises `NotVisible` (404) for one that the principal may not see."""
        return get_run(request.user, run_id)


def query(name: str, kind: Any, description: str, many: bool = False, choices: Any = None) -> OpenApiParameter:
    """A documented query parameter."""
    return OpenApiParameter(
        name, kind, description=description, many=many, enum=choices, explode=False if many else None
    )


def number(name: str, description: str) -> OpenApiParameter:
    """A documented query parameter that is a whole number."""
    return query(name, OpenApiTypes.INT, description)


def numbers(values: npt.NDArray[Any]) -> list[Any]:
    """An array as a JSON list; NaN and infinity, which JSON cannot say, become null."""
    if values.dtype.kind != "f" or np.isfinite(values).all():
        return list(values.tolist())
    return [
        value if finite else None for value, finite in zip(values.tolist(), np.isfinite(values).tolist(), strict=True)
    ]
