"""Limits of projects and people, and the rest of each."""

from __future__ import annotations

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from webapp.api import arguments
from webapp.api.shapes.base import answer
from webapp.api.shapes.limits import Limits
from webapp.api.views.common import NOT_FOUND, REFUSED, project_of, query
from webapp.limits.effective_limits import of_run
from webapp.limits.usage import uses
from webapp.teams.permissions import user_number


class LimitsView(APIView):
    """Limits of a project and of who asks."""

    @extend_schema(
        operation_id="limits_read",
        parameters=[query("project", OpenApiTypes.STR, "Slug of the project; your own by default.")],
        responses={200: Limits, **REFUSED, **NOT_FOUND},
        tags=["projects"],
    )
    def get(self, request: Request) -> Response:
        """Return the limits of runs in a project, the usage by the project and by you, and the rest."""
        arguments.only(request, "project")
        project, person = project_of(request, request.query_params.get("project")), user_number(request.user)
        allowed = of_run(project.pk, person)
        found = {
            "project": project.slug,
            "run_minutes": allowed.minutes,
            "run_memory_mb": allowed.memory_mb,
            "uses": uses(project, person),
        }
        return answer(Limits, found)
