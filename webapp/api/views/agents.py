"""Requests of agents: register, next job, its network, answer. A token of the scope agent opens these and nothing else."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines.contract.errors import ProblemError
from webapp.api import arguments
from webapp.api.shapes import agents as shapes
from webapp.api.shapes.base import answer, read
from webapp.api.views.common import NOT_ALLOWED, NOT_FOUND, REFUSED, query
from webapp.measuring import devices, jobs

_ERRORS = {**REFUSED, **NOT_ALLOWED, **NOT_FOUND}
_TAGS = ["agents"]


class AgentRegisterView(APIView):
    """Devices, as their agents make them."""

    for_agents = True

    @extend_schema(
        operation_id="agent_register",
        request=shapes.NewDevice,
        responses={201: shapes.RegisteredDevice, **_ERRORS},
        tags=_TAGS,
    )
    def post(self, request: Request) -> Response:
        """Say what this machine is. It becomes a device of the token's project, and a document for each measured peak."""
        body = read(shapes.NewDevice, request)
        device, key = devices.register(request.user, body.name, body.machine.model_dump(), body.agent)
        found = {"device": device.pk, "slug": device.slug, "key": key}
        return answer(shapes.RegisteredDevice, found, status.HTTP_201_CREATED)


class AgentNextView(APIView):
    """The queue of a device."""

    for_agents = True

    @extend_schema(
        operation_id="agent_next", request=None, responses={200: shapes.Job, 204: None, **_ERRORS}, tags=_TAGS
    )
    def post(self, request: Request, device: int) -> Response:
        """Take the next job (204: none). It is handed out again unless it is answered in five minutes."""
        found = jobs.take(devices.agent_device(request.user, device))
        if found is None:
            return Response(status=status.HTTP_204_NO_CONTENT)
        return answer(shapes.Job, {"manifest": found[0], "signature": found[1]})


class AgentNetworkView(APIView):
    """The network of a job."""

    for_agents = True

    @extend_schema(
        operation_id="agent_network",
        parameters=[query("lease", OpenApiTypes.STR, "Signature of the job's manifest.")],
        responses={(200, "application/octet-stream"): OpenApiResponse(OpenApiTypes.BINARY), **_ERRORS},
        tags=_TAGS,
    )
    def get(self, request: Request, job: int) -> HttpResponse:
        """Return the ONNX file, without weights: the manifest says how they are drawn."""
        arguments.only(request, "lease")
        found = jobs.leased(request.user, job, request.query_params.get("lease", ""))
        return HttpResponse(bytes(found.network.onnx), content_type="application/octet-stream")


class AgentAnswerView(APIView):
    """The answer to a job."""

    for_agents = True

    @extend_schema(operation_id="agent_answer", request=shapes.JobAnswer, responses={204: None, **_ERRORS}, tags=_TAGS)
    def post(self, request: Request, job: int) -> Response:
        """Store the outcome of a measurement job: result, refusal, or a busy device."""
        body = read(shapes.JobAnswer, request)
        if sum(bool(each) for each in (body.result, body.refused, body.loaded)) != 1:
            raise ProblemError("result", "none or several", "one of result, refused and loaded")
        found = jobs.leased(request.user, job, body.lease)
        result = None
        if body.result is not None:
            result = {**body.result.model_dump(), "load_before_cores": body.load_before_cores}
        jobs.answer(found, result=result, refused=body.refused, loaded=body.loaded)
        return Response(status=status.HTTP_204_NO_CONTENT)
