"""Devices and what is measured on them, for the people of their projects."""

from __future__ import annotations

from typing import get_args

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from webapp.api import arguments
from webapp.api.pagination import PAGE, PageNumbers
from webapp.api.preconditions import CHANGED, SEEN, TAG, as_seen, tag_of
from webapp.api.shapes import agents as shapes
from webapp.api.shapes.base import answer, many, paginated, read, written
from webapp.api.views.common import BUSY, CONFLICT, NOT_ALLOWED, NOT_FOUND, PAGES, REFUSED, RunView, number, query
from webapp.measuring import devices, jobs
from webapp.measuring.designs import ask_designs
from webapp.measuring.measured_designs import SORTS, State, measured_designs, narrowed
from webapp.measuring.models import AgentDevice, Measurement
from webapp.teams.visibility import require_visible

_ERRORS = {**REFUSED, **NOT_ALLOWED, **NOT_FOUND}
_TAGS = ["devices"]


class DeviceListView(APIView):
    """The devices that have an agent."""

    @extend_schema(operation_id="devices_list", responses={200: many(shapes.Device), **REFUSED}, tags=_TAGS)
    def get(self, request: Request) -> Response:
        """Return the devices of your projects, oldest first."""
        arguments.only(request)
        return answer(many(shapes.Device), list(devices.devices_of(request.user)))


class DeviceView(APIView):
    """One device."""

    @extend_schema(
        operation_id="devices_read", parameters=[TAG], responses={200: shapes.Device, **NOT_FOUND}, tags=_TAGS
    )
    def get(self, request: Request, device: int) -> Response:
        """Return one device. Its `ETag` ignores when its agent was last seen."""
        found = device_of(request, device)
        return answer(shapes.Device, found, headers={"ETag": _tag(found)})

    @extend_schema(
        operation_id="devices_change",
        parameters=[SEEN],
        request=shapes.DeviceChange,
        responses={200: shapes.Device, **_ERRORS, **CHANGED},
        tags=_TAGS,
    )
    def patch(self, request: Request, device: int) -> Response:
        """Revoke the agent of a device, or allow the next agent that registers. Measurements stay."""
        body = read(shapes.DeviceChange, request)
        change = devices.revoke if body.revoked else devices.allow_again
        rows = AgentDevice.objects.filter(pk=device_of(request, device).pk)
        with as_seen(request, rows, lambda: _tag(device_of(request, device))):
            return answer(shapes.Device, change(request.user, device))

    @extend_schema(
        operation_id="devices_delete", parameters=[SEEN], responses={204: None, **_ERRORS, **CHANGED}, tags=_TAGS
    )
    def delete(self, request: Request, device: int) -> Response:
        """Delete a device whose agent is revoked, with what was measured on it. Its calibrations and hardware stay."""
        rows = AgentDevice.objects.filter(pk=device_of(request, device).pk)
        with as_seen(request, rows, lambda: _tag(device_of(request, device))):
            devices.delete(request.user, device)
        return Response(status=status.HTTP_204_NO_CONTENT)


class DeviceMeasurementsView(GenericAPIView[Measurement]):
    """Measurements of a device: finished and planned ones."""

    pagination_class = PageNumbers

    @extend_schema(
        operation_id="device_measurements",
        parameters=PAGES,
        responses={200: paginated(shapes.NetworkMeasurement), **_ERRORS},
        tags=_TAGS,
    )
    def get(self, request: Request, device: int) -> Response:
        """Return the measurements of the device, oldest first, without the times of nodes, of which calibrations are made."""
        arguments.only(request, *PAGE)
        rows = device_of(request, device).measurements.select_related("network").defer("network__onnx")
        page = self.paginate_queryset(rows)
        return self.get_paginated_response(written(many(shapes.NetworkMeasurement), page))

    @extend_schema(
        operation_id="device_measure",
        request=shapes.MeasurementWish,
        responses={200: shapes.MeasurementWishAnswer, **_ERRORS, **BUSY},
        tags=_TAGS,
    )
    def post(self, request: Request, device: int) -> Response:
        """Ask the device's agent to measure networks; what is known already is given back instead."""
        body = read(shapes.MeasurementWish, request)
        found = device_of(request, device)
        asked = jobs.ask(request.user, found, body.networks, body.threads, body.again)
        return answer(shapes.MeasurementWishAnswer, {"waiting": list(asked.waiting), "known": list(asked.known)})


def device_of(request: Request, number: int) -> AgentDevice:
    """Return the device of a URL; raises `NotVisible` (404) for one that the principal may not see."""
    return require_visible(request.user, devices.devices_of(request.user), pk=number)


def _tag(device: AgentDevice) -> str:
    return tag_of(written(shapes.Device, device) | {"last_seen": None})


class RunMeasurementsView(RunView):
    """Designs of a run as devices measured them."""

    @extend_schema(
        operation_id="run_measurements",
        parameters=[
            query("state", OpenApiTypes.STR, "Only these: measured, waiting, failed.", many=True),
            number("threads", "Only with as many threads."),
            query("at_least_s", OpenApiTypes.NUMBER, "Only what took at least so long."),
            query("at_most_s", OpenApiTypes.NUMBER, "Only what took at most so long."),
            query("sort", OpenApiTypes.STR, "number, latency or -latency; by place and number where it is left out."),
        ],
        responses={200: many(shapes.DesignOnDevice), **REFUSED, **NOT_FOUND},
        tags=_TAGS,
    )
    def get(self, request: Request, run_id: int) -> Response:
        """Return the measurements of this run's designs, done and waiting, sorted and filtered by the query."""
        arguments.only(request, "state", "threads", "at_least_s", "at_most_s", "sort")
        sort = arguments.words(request, "sort", SORTS)
        found = narrowed(
            measured_designs(request.user, self.run_of(request, run_id)),
            states=arguments.words(request, "state", get_args(State)),
            threads=arguments.integer(request, "threads", 0),
            at_least_s=arguments.decimal(request, "at_least_s"),
            at_most_s=arguments.decimal(request, "at_most_s"),
            sort=sort[0] if sort else "",
        )
        return answer(many(shapes.DesignOnDevice), found)

    @extend_schema(
        operation_id="run_measure",
        request=shapes.DesignsWish,
        responses={200: shapes.DesignsWishAnswer, **_ERRORS, **BUSY, **CONFLICT},
        tags=_TAGS,
    )
    def post(self, request: Request, run_id: int) -> Response:
        """Ask the agent of a device to measure designs; what is known already is not measured again."""
        body = read(shapes.DesignsWish, request)
        run = self.run_of(request, run_id)
        device = device_of(request, body.device)
        found = ask_designs(request.user, run, body.designs, device, body.threads, body.again, body.provider)
        return answer(shapes.DesignsWishAnswer, found)
