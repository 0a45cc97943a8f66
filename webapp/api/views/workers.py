"""Requests of pull workers. A token of the scope worker opens these and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

import msgpack
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines.contract.errors import ProblemError
from webapp.api import arguments
from webapp.api.large_bodies import await_turn
from webapp.api.shapes import workers as shapes
from webapp.api.shapes.base import answer, read
from webapp.api.views.common import CONFLICT, NOT_ALLOWED, NOT_FOUND, REFUSED
from webapp.runs.pull import attempt_calls
from webapp.runs.storage.lease import LEASE_S

MEDIA_TYPE = "application/x-msgpack"
_ERRORS = {**REFUSED, **NOT_ALLOWED, **NOT_FOUND, **CONFLICT}
_TAGS = ["workers"]


class CallParser(BaseParser):
    """`Content-Type: application/x-msgpack`: the values of a call."""

    media_type = MEDIA_TYPE

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return the mapping in the body.

        Raises:
            ProblemError: it is none.
        """
        data = stream.read()
        await_turn(parser_context, len(data))
        try:
            found = msgpack.unpackb(data, strict_map_key=False)
            if not isinstance(found, dict) or not all(isinstance(key, str) for key in found):
                raise ValueError(type(found).__name__)
        except (ValueError, msgpack.UnpackException) as error:
            raise ProblemError("body", f"{error!r:.100}", "a mapping in MessagePack") from error
        return found


class WorkerClaimView(APIView):
    """The queue, as a worker outside sees it."""

    for_workers = True

    @extend_schema(
        operation_id="worker_claim",
        request=shapes.WorkerClaim,
        responses={200: shapes.ClaimedRun, 204: None, **_ERRORS},
        tags=_TAGS,
    )
    def post(self, request: Request) -> Response:
        """Give a sign of life and take the next run of the token's projects (204: none), or count those that wait."""
        body = read(shapes.WorkerClaim, request)
        if body.wish == "leave":
            attempt_calls.leave(request.user, body.name)
            return Response(status=status.HTTP_204_NO_CONTENT)
        facts = attempt_calls.WorkerFacts(**body.model_dump(exclude={"wish"}))
        if body.wish == "count":
            return answer(shapes.ClaimedRun, {"waiting": attempt_calls.waiting(request.user, facts)})
        found = attempt_calls.take(request.user, facts)
        if found is None:
            return Response(status=status.HTTP_204_NO_CONTENT)
        return answer(shapes.ClaimedRun, {"run": found.run_id, "attempt": found.attempt, "lease_s": LEASE_S})


class WorkerCallView(APIView):
    """The calls by which a worker reads and stores a run that it took."""

    for_workers = True
    parser_classes = (CallParser,)

    @extend_schema(
        operation_id="worker_call",
        request={MEDIA_TYPE: OpenApiTypes.BINARY},
        responses={(200, MEDIA_TYPE): OpenApiResponse(OpenApiTypes.BINARY), **_ERRORS},
        tags=_TAGS,
    )
    def post(self, request: Request, run_id: int, attempt: int, call: str) -> HttpResponse:
        """Answer a call of `webapp.runs.pull.attempt_calls.CALLS`; its answer also says whether the run is to stop."""
        arguments.only(request)
        values = dict(request.data)
        computed_s = values.pop("computed_s", None)
        if not isinstance(computed_s, float | None):
            raise ProblemError("computed_s", computed_s, "seconds as a number with a decimal point, or null")
        calls = attempt_calls.AttemptCalls(request.user, run_id, attempt)
        found = {**calls.answer(call, computed_s, values), "stop": calls.stop_wished}
        return HttpResponse(msgpack.packb(found), content_type=MEDIA_TYPE)
