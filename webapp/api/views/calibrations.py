"""Measurements that become calibrations of systems on a chip."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, cast

from django.http import QueryDict
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines.contract.counts import counted
from engines.contract.errors import ProblemError
from engines.cost.calibration_files import MAX_BYTES
from hardware.calibration.model import SocCalibration
from webapp.api.calibration_serializers import FitSerializer, MeasurementsSerializer
from webapp.api.parsers import FormParser
from webapp.api.views.common import BUSY, NOT_ALLOWED, NOT_FOUND, REFUSED
from webapp.api.views.uploads import form_list, project_of
from webapp.catalogue import service
from webapp.catalogue.calibrating import MeasurementFiles, OwnCalibration, about_of, calibrate
from webapp.catalogue.command_line import clocks
from webapp.teams.visibility import require_edit

_FILES = ("file", "tegrastats")
_FIELDS = tuple(MeasurementsSerializer().fields)
_TRUTHS = {"true": True, "1": True, "false": False, "0": False, "": False}


class CalibrationFitView(APIView):
    """Measurements in, a calibration out."""

    parser_classes = [FormParser]

    @extend_schema(
        operation_id="calibrations_fit",
        request={"multipart/form-data": MeasurementsSerializer},
        responses={200: FitSerializer, 201: FitSerializer, **REFUSED, **NOT_ALLOWED, **NOT_FOUND, **BUSY},
        tags=["catalogue"],
    )
    def post(self, request: Request) -> Response:
        """Fit a calibration to measurements in a limited process; `store=true` stores it (201), otherwise it is only shown."""
        form = cast(QueryDict, request.data)  # as the one parser gives it
        store = _store(form)
        project = project_of(request, form.get("project"))
        require_edit(request.user, project)  # before a process is started
        files = _files(request, form)
        said = {key: form.get(key, "").strip() for key in ("title", "slug")}
        author = form.get("author", "").strip() or request.user.get_username()
        about = about_of(files, author=author, precision=form.get("precision") or "fp16", **said)
        found = calibrate(request.user, files, about)
        reference, created = None, False
        if store:
            version, created = service.store(request.user, project, "calibration", dict(found.content))
            reference = f"{project.slug}/{version.document.slug}@{version.number}"
        state = status.HTTP_201_CREATED if created else status.HTTP_200_OK
        return Response(FitSerializer(_answer(found, reference, created)).data, status=state)


def _store(form: QueryDict) -> bool:
    for key in form:
        if key not in _FIELDS:
            raise ProblemError(key, form[key], f"one of the fields {', '.join(_FIELDS)}")
    text = form.get("store", "")
    if text.lower() not in _TRUTHS:
        raise ProblemError("store", text, "true or false")
    return _TRUTHS[text.lower()]


def _files(request: Request, form: QueryDict) -> MeasurementFiles:
    given = {name: request.FILES.get(name) for name in _FILES}
    file, log = given["file"], given["tegrastats"]
    if file is None:
        raise ProblemError("file", None, "a file of a form (multipart/form-data)")
    for name, each in given.items():
        if each is not None and (each.size or 0) > MAX_BYTES:
            raise ProblemError(name, f"{each.size} bytes", f"a file of at most {counted(MAX_BYTES)} bytes")
    soc = form.get("soc", "").strip()
    if not soc:
        raise ProblemError("soc", None, "the name of a system on a chip of the catalogue")
    return MeasurementFiles(
        soc=soc,
        data=file.read(),
        file=str(file.name)[:200],
        workload=form.get("workload", "").strip(),
        unit=form.get("unit", "").strip(),
        clocks_mhz=clocks(form_list(form, "clock")),
        tegrastats=log.read() if log is not None else b"",
        rails=tuple(form_list(form, "rail")),
        prior=form.get("prior", "").strip(),
        scales=form.get("scale", "").strip(),
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
        "errors": {name: asdict(each) if each else None for name, each in errors.items()},
        "report": found.report,
        "content": found.content,
    }
