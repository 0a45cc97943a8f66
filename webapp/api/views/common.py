"""What the views share: documented errors, the run of a URL, numbers that JSON can say."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from django.db.models import Model, QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.views import APIView

from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted
from webapp.annotations.marks import AskedMarks, only_marked
from webapp.api import arguments
from webapp.api.problem_details import MEDIA_TYPE
from webapp.api.shapes.common import Message, Refusal
from webapp.runs.models import Run
from webapp.runs.service import get_run
from webapp.teams.models import Project
from webapp.teams.visibility import personal_project, require_visible

ModelType = TypeVar("ModelType", bound=Model)
REFUSED: dict[Any, Any] = {(400, MEDIA_TYPE): Refusal}
NOT_FOUND: dict[Any, Any] = {(404, MEDIA_TYPE): Message}
NOT_ALLOWED: dict[Any, Any] = {(403, MEDIA_TYPE): Message}
BUSY: dict[Any, Any] = {(503, MEDIA_TYPE): Message}
CONFLICT: dict[Any, Any] = {(409, MEDIA_TYPE): Message}
KEY_USED: dict[Any, Any] = {(422, MEDIA_TYPE): Message}


class RunView(APIView):
    """Base of views below `/runs/<id>/`."""

    def run_of(self, request: Request, run_id: int) -> Run:
        """The run of the URL; raises `NotVisible` (404) for one that the principal may not see."""
        return get_run(request.user, run_id)


def project_of(request: Request, slug: str | None) -> Project:
    """The named project that the user may see, or the personal one."""
    if slug:
        return require_visible(request.user, Project.objects.all(), slug=slug)
    return personal_project(request.user)


def small_enough(field: str, file: Any, most_bytes: int) -> None:
    """Refuse a file of a form that is too large, before it is read."""
    if (file.size or 0) > most_bytes:
        raise ProblemError(field, f"{file.size} bytes", f"a file of at most {counted(most_bytes)} bytes")


def query(name: str, kind: Any, description: str, many: bool = False, choices: Any = None) -> OpenApiParameter:
    """A documented query parameter."""
    return OpenApiParameter(
        name, kind, description=description, many=many, enum=choices, explode=False if many else None
    )


def number(name: str, description: str) -> OpenApiParameter:
    """A documented query parameter that is a whole number."""
    return query(name, OpenApiTypes.INT, description)


ONCE = OpenApiParameter(
    "Idempotency-Key",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="A text of your own. For a day, the same request with the same key starts nothing more: it gets what was started.",
)
CURSORS = query(
    "cursor",
    OpenApiTypes.STR,
    "Empty for the first page, then as `next` has it: nothing is missed or repeated while new entries come; `count` is null.",
)
MARKS = [
    query("tag", OpenApiTypes.STR, "Only with all of these tags, separated by commas.", many=True),
    query("favourite", OpenApiTypes.BOOL, "Only what you gave a star."),
]
PAGES = [number("page", "Number of the page, from 1 on."), number("page_size", "Entries a page, 500 at most.")]


def marked_as_asked(request: Request, kind: str, rows: QuerySet[ModelType]) -> QuerySet[ModelType]:
    """Return the visible rows that have the tags and the star that the query asks for."""
    for word in arguments.words(request, "tag"):
        rows = only_marked(request.user, kind, rows, AskedMarks(word))
    return only_marked(request.user, kind, rows, AskedMarks(star=arguments.flag(request, "favourite")))


def numbers(values: npt.NDArray[Any]) -> list[Any]:
    """An array as a JSON list; NaN and infinity, which JSON cannot say, become null."""
    if values.dtype.kind != "f" or np.isfinite(values).all():
        return list(values.tolist())
    return [
        value if finite else None for value, finite in zip(values.tolist(), np.isfinite(values).tolist(), strict=True)
    ]
