"""One network on every device."""

from __future__ import annotations

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines.contract.errors import ProblemError
from engines.survey.language.work import MOST_TOKENS, Conversation
from engines.survey.survey_result import SurveyOptions
from webapp.api.arguments import decimal, integer
from webapp.api.shapes.base import answer
from webapp.api.shapes.surveys import ConversationSurvey, SurveyAnswer, WorkloadSurvey
from webapp.api.views.common import BUSY, NOT_FOUND, REFUSED, number, query
from webapp.api.views.documents import OF_VERSION, entry_of
from webapp.catalogue.language_surveys import is_language_workload, language_survey_of
from webapp.catalogue.surveys import survey_of

_CONVERSATION = ("prompt", "answer", "cache_bits", "battery_wh", "flash_mb_per_s")


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
            number("prompt", "Tokens of the prompt of a language model; 512 by default."),
            number("answer", "Tokens of the answer of a language model; 128 by default."),
            number("battery_wh", "Energy of the battery in Wh, for the conversations of a language model per charge."),
            number(
                "flash_mb_per_s", "Rate of the flash in MB/s, for the time in which a language model is loaded first."
            ),
            number("cache_bits", "Bits of an element of keys and values of a language model; 16 by default."),
        ],
        responses={200: WorkloadSurvey, **REFUSED, **NOT_FOUND, **BUSY},
        tags=["catalogue"],
    )
    def get(self, request: Request, workload: str) -> Response:
        """Return latency and energy of one sample on every board and package that you see, and why the others cannot run it.

        Of a language model, return time to the first token, tokens per second, memory and energy of a conversation.
        """
        given = {name: request.query_params.get(name, "") for name in ("bits", "power_mode")}
        entry, options = entry_of(request, "workload", workload), SurveyOptions(**given)
        if not is_language_workload(entry):
            for name in _CONVERSATION:
                if name in request.query_params:
                    raise ProblemError(
                        name, request.query_params[name], "left out for other workloads than language models"
                    )
            return answer(SurveyAnswer, survey_of(request.user, entry, options))
        usual = Conversation()
        conversation = Conversation(
            integer(request, "prompt", usual.prompt_tokens, 1, MOST_TOKENS),
            integer(request, "answer", usual.answer_tokens, 1, MOST_TOKENS),
            usual.cache_bits if (bits := decimal(request, "cache_bits")) is None else bits,
            decimal(request, "battery_wh"),
            decimal(request, "flash_mb_per_s"),
        )
        return answer(ConversationSurvey, language_survey_of(request.user, entry, conversation, options))
