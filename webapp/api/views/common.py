"""The common parts of the views: documented errors, the run of a URL, numbers that JSON can say."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
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
        """Return the run of the URL; raises `NotVisible` (404) for one that the principal may not see."""
        return get_run(request.user, run_id)


def project_of(request: Request, slug: str | None) -> Project:
    """Return the named project that the user may see, or the personal one."""
    if slug:
        return require_visible(request.user, Project.objects.all(), slug=slug)
    return personal_project(request.user)


def small_enough(field: str, file: Any, most_bytes: int) -> None:
    """Refuse a file of a form that is too large, before it is read."""
    if (file.size or 0) > most_bytes:
        raise ProblemError(field, f"{file.size} bytes", f"a file of at most {counted(most_bytes)} bytes")


def query(name: str, kind: Any, description: str, many: bool = False, choices: Any = None) -> OpenApiParameter:
    """Return a documented query parameter."""
    return OpenApiParameter(
        name, kind, description=description, many=many, enum=choices, explode=False if many else None
    )


def number(name: str, description: str) -> OpenApiParameter:
    """Return a documented query parameter that is a whole number."""
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
    "Empty for the first page, then the value of `next`: no entry is missed or repeated while new ones "
    "come. `count` is null.",
)
PAGES = [number("page", "Number of the page, from 1 on."), number("page_size", "Entries a page, 500 at most.")]


@dataclass(frozen=True)
class ListFilter:
    """A query parameter with values separated by commas, one of which a column of the listed rows must have."""

    name: str
    column: str
    description: str
    accepted: Collection[str] | None = None


ENGINES = ListFilter("engine", "engine", "Only these engines, separated by commas.")
PROJECTS = ListFilter("project", "project__slug", "Only these projects (slugs), separated by commas.")


class ListQuery:
    """The query parameters of a list: what is documented, accepted and applied to its rows.

    Args:
        filters: filters of columns.
        kind: kind of the items, where they have an owner, tags and stars, and pages by cursor.
        plural: plural of the items, for the documentation of these.
    """

    def __init__(self, *filters: ListFilter, kind: str = "", plural: str = "") -> None:
        self._filters, self._kind = filters, kind
        self.parameters = [
            query(each.name, OpenApiTypes.STR, each.description, many=True, choices=each.accepted) for each in filters
        ]
        if kind:
            self.parameters += [
                query("mine", OpenApiTypes.BOOL, f"Only one's own {plural}."),
                query("tag", OpenApiTypes.STR, "Only with all of these tags, separated by commas.", many=True),
                query("favourite", OpenApiTypes.BOOL, "Only what you gave a star."),
                CURSORS,
            ]
        self.parameters += PAGES

    def rows(self, request: Request, rows: QuerySet[ModelType]) -> QuerySet[ModelType]:
        """Return the visible rows that the query selects.

        Raises:
            ProblemError: names a parameter that does not exist, or a value that is not accepted.
        """
        arguments.only(request, *(each.name for each in self.parameters))
        for each in self._filters:
            if values := arguments.words(request, each.name, each.accepted):
                rows = rows.filter(**{f"{each.column}__in": values})
        if not self._kind:
            return rows
        for tag in arguments.words(request, "tag"):
            rows = only_marked(request.user, self._kind, rows, AskedMarks(tag))
        rows = only_marked(request.user, self._kind, rows, AskedMarks(star=arguments.flag(request, "favourite")))
        return rows.filter(owner_id=request.user.pk) if arguments.flag(request, "mine") else rows


def numbers(values: npt.NDArray[Any]) -> list[Any]:
    """Return an array as a JSON list; NaN and infinity, which JSON cannot say, become null."""
    if values.dtype.kind != "f" or np.isfinite(values).all():
        return list(values.tolist())
    return [
        value if finite else None for value, finite in zip(values.tolist(), np.isfinite(values).tolist(), strict=True)
    ]
