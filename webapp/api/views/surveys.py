"""One network on every device."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from webapp.api.shapes.base import answer
from webapp.api.shapes.surveys import SurveyAnswer
from webapp.api.views.common import BUSY, NOT_FOUND, REFUSED
from webapp.api.views.documents import OF_VERSION, entry_of
from webapp.catalogue.surveys import survey_of


class SurveyView(APIView):
    """A network on every device."""

    @extend_schema(
        operation_id="workloads_survey",
        parameters=OF_VERSION,
        responses={200: SurveyAnswer, **REFUSED, **NOT_FOUND, **BUSY},
        tags=["catalogue"],
    )
    def get(self, request: Request, workload: str) -> Response:
        """Return the latency and energy of one sample on every board and package that you see, and why the others cannot run it."""
        return answer(SurveyAnswer, survey_of(request.user, entry_of(request, "workload", workload)))
