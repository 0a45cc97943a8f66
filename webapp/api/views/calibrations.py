"""Measurements that become calibrations of systems on a chip."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines.cost.calibration.files import MAX_BYTES
from hardware.calibration.model import SocCalibration
from webapp.api.parsers import FormParser
from webapp.api.shapes.base import answer, read_form
from webapp.api.shapes.calibrations import Fit, Measurements
from webapp.api.views.common import BUSY, CONFLICT, NOT_ALLOWED, NOT_FOUND, REFUSED, project_of, small_enough
from webapp.catalogue import service
from webapp.catalogue.calibration_files import MeasurementFiles, OwnCalibration, about_of, calibrate
from webapp.catalogue.command_line import clocks
from webapp.teams.visibility import require_edit


class CalibrationFitView(APIView):
    """Measurements in, a calibration out."""

    parser_classes = [FormParser]

    @extend_schema(
        operation_id="calibrations_fit",
        request={"multipart/form-data": Measurements},
        responses={200: Fit, 201: Fit, **REFUSED, **NOT_ALLOWED, **NOT_FOUND, **CONFLICT, **BUSY},
        tags=["catalogue"],
    )
    def post(self, request: Request) -> Response:
        """Fit a calibration to measurements in a limited process; `store=true` stores it (201), otherwise it is only shown."""
        form = read_form(Measurements, request)
        project = project_of(request, form.project)
        require_edit(request.user, project)  # before a process is started
        author = form.author or request.user.get_username()
        about = about_of(
            files := _files(form), author=author, precision=form.precision, title=form.title, slug=form.slug
        )
        found = calibrate(request.user, files, about)
        reference, created = None, False
        if form.store:
            version, created = service.store(
                request.user, project, "calibration", dict(found.content), unasked=form.next_version
            )
            reference = f"{project.slug}/{version.document.slug}@{version.number}"
        state = status.HTTP_201_CREATED if created else status.HTTP_200_OK
        return answer(Fit, _answer(found, reference, created), state)


def _files(form: Measurements) -> MeasurementFiles:
    for name, each in (("file", form.file), ("tegrastats", form.tegrastats)):
        if each is not None:
            small_enough(name, each, MAX_BYTES)
    return MeasurementFiles(
        soc=form.soc,
        data=form.file.read(),
        file=str(form.file.name)[:200],
        workload=form.workload,
        unit=form.unit,
        clocks_mhz=clocks(form.clock),
        tegrastats=form.tegrastats.read() if form.tegrastats is not None else b"",
        rails=form.rail,
        prior=form.prior,
        scales=form.scale,
    )


def _answer(found: OwnCalibration, reference: str | None, created: bool) -> dict[str, Any]:
    calibration: SocCalibration = found.calibration
    errors = {
        "fitted": calibration.errors(),
        "left_out": calibration.errors(left_out=True),
        "predicted": calibration.errors("predicted"),
    }
    return {
        "reference": reference,
        "created": created,
        "errors": errors,
        "report": found.report,
        "content": found.content,
    }
