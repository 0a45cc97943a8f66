"""One network on every device."""

from __future__ import annotations

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines.survey.survey_result import SurveyOptions
from webapp.api.shapes.base import answer
from webapp.api.shapes.surveys import SurveyAnswer
from webapp.api.views.common import BUSY, NOT_FOUND, REFUSED, query
from webapp.api.views.documents import OF_VERSION, entry_of
from webapp.catalogue.surveys import survey_of


class SurveyView(APIView):
    """A network on every device."""

    @extend_schema(
        operation_id="workloads_survey",
        parameters=[
            *OF_VERSION,
            query(
                "bits",
                OpenApiTypes.STR,
                "Bits of weights and activations, such as w4a16; those of each device by default.",
            ),
            query("power_mode", OpenApiTypes.STR, "Name of a power mode; devices without it get no estimate."),
        ],
        responses={200: SurveyAnswer, **REFUSED, **NOT_FOUND, **BUSY},
        tags=["catalogue"],
    )
    def get(self, request: Request, workload: str) -> Response:
        """Return latency and energy of one sample on every board and package that you see, and why the others cannot run it."""
        given = {name: request.query_params.get(name, "") for name in ("bits", "power_mode")}
        return answer(
            SurveyAnswer, survey_of(request.user, entry_of(request, "workload", workload), SurveyOptions(**given))
        )
