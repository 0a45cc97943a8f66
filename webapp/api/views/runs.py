"""Plan, start, watch, stop and continue runs."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from django.db.models import Prefetch, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines.contract.encoding.plan_json import plan_to_json
from engines.contract.errors import ProblemError
from webapp.api.idempotency import once
from webapp.api.pagination import Pages
from webapp.api.preconditions import CHANGED, SEEN, TAG, as_seen, tag_of, tagged
from webapp.api.shapes import runs as shapes
from webapp.api.shapes.base import answer, many, paginated, read, written
from webapp.api.views.common import (
    BUSY,
    CONFLICT,
    ENGINES,
    KEY_USED,
    NOT_ALLOWED,
    NOT_FOUND,
    ONCE,
    PROJECTS,
    REFUSED,
    ListFilter,
    ListQuery,
    RunView,
)
from webapp.deletions import service as deletions
from webapp.runs import service
from webapp.runs.inputs.documents import problem_from_document
from webapp.runs.inputs.planning import plan_of
from webapp.runs.models import Run, RunInput

_RUNS = ListQuery(
    ListFilter("status", "status", "Only these, separated by commas.", Run.Status.values),
    ListFilter("outcome", "outcome", "Only these.", Run.Outcome.values[1:]),
    ENGINES,
    PROJECTS,
    kind="run",
    plural="runs",
)
_INPUTS = Prefetch("inputs", RunInput.objects.defer("content"))


class PlanView(APIView):
    """The plan of a problem."""

    @extend_schema(
        operation_id="plan",
        request=shapes.Problem,
        responses={200: shapes.Plan, **REFUSED, **CONFLICT, **BUSY},
        tags=["runs"],
    )
    def post(self, request: Request) -> Response:
        """Check a problem and estimate the effort of its run; nothing is stored."""
        problem = problem_from_document(request.user, _mapping(request.data))
        plan = plan_to_json(plan_of(problem))
        return answer(shapes.Plan, {"problem_hash": problem.hash(), **plan})


class RunListView(GenericAPIView[Run]):
    """The runs that the user may see."""

    for_guests = True

    pagination_class = Pages

    def get_queryset(self) -> QuerySet[Run]:
        """Return the visible runs, filtered by the query."""
        runs = service.visible_runs(self.request.user).prefetch_related(_INPUTS)
        runs = runs.defer("problem", "plan", "platform", "attempt_reasons", "outcome_detail", "params")
        return _RUNS.rows(self.request, runs)

    @extend_schema(
        operation_id="runs_list",
        parameters=_RUNS.parameters,
        responses={200: paginated(shapes.Run), **REFUSED},
        tags=["runs"],
    )
    def get(self, request: Request) -> Response:
        """Return runs, newest first."""
        page = self.paginate_queryset(self.get_queryset())
        return self.get_paginated_response(written(many(shapes.Run), page))

    @extend_schema(
        operation_id="runs_create",
        parameters=[ONCE],
        request=shapes.NewRun,
        responses={201: shapes.RunDetail, **REFUSED, **NOT_ALLOWED, **NOT_FOUND, **CONFLICT, **BUSY, **KEY_USED},
        tags=["runs"],
    )
    def post(self, request: Request) -> Response:
        """Start a run from the same problem document that the command line takes."""
        document = dict(_mapping(request.data))
        number_of_parent = document.pop("parent", None)
        parent = None
        if number_of_parent is not None:
            parent = service.get_run(request.user, _whole(number_of_parent, "parent"))
        run, headers = once(
            request,
            lambda stored: service.start(request.user, document, parent=parent, stored=stored),
            lambda number: service.get_run(request.user, number),
        )
        return answer(shapes.RunDetail, reread(run), status.HTTP_201_CREATED, headers)


class RunDetailView(RunView):
    """One run."""

    for_guests = True

    @extend_schema(
        operation_id="runs_read", parameters=[TAG], responses={200: shapes.RunDetail, **NOT_FOUND}, tags=["runs"]
    )
    def get(self, request: Request, run_id: int) -> Response:
        """Return one run: its problem, progress, metrics and outcome."""
        return tagged(request, answer(shapes.RunDetail, reread(self.run_of(request, run_id))))

    @extend_schema(
        operation_id="runs_stop",
        parameters=[SEEN],
        request=shapes.Wish,
        responses={200: shapes.RunDetail, **REFUSED, **NOT_ALLOWED, **NOT_FOUND, **CHANGED},
        tags=["runs"],
    )
    def patch(self, request: Request, run_id: int) -> Response:
        """Wish that the run stops. A waiting one stops at once, a running one within two seconds."""
        run = self.run_of(request, run_id)
        read(shapes.Wish, request)
        with seen_run(request, run):
            run = service.request_stop(request.user, run)
        return answer(shapes.RunDetail, reread(run))

    @extend_schema(
        operation_id="runs_delete",
        parameters=[SEEN],
        responses={204: None, **NOT_ALLOWED, **NOT_FOUND, **CHANGED},
        tags=["runs"],
    )
    def delete(self, request: Request, run_id: int) -> Response:
        """Delete the run; one that waits or computes stops. It can be brought back for 30 days."""
        with seen_run(request, self.run_of(request, run_id)):
            deletions.delete(request.user, "run", run_id)
        return Response(status=status.HTTP_204_NO_CONTENT)


class RunContinueView(RunView):
    """A stopped or failed run continues."""

    @extend_schema(
        operation_id="runs_continue",
        parameters=[SEEN],
        request=shapes.MoreTime,
        responses={200: shapes.Continuation, **REFUSED, **NOT_ALLOWED, **NOT_FOUND, **CONFLICT, **CHANGED},
        tags=["runs"],
    )
    def post(self, request: Request, run_id: int) -> Response:
        """Queue the run again; it resumes from its last checkpoint. A run that reached its time limit gets more time."""
        body = read(shapes.MoreTime, request)
        without_limit = "more_minutes" in body.model_fields_set and body.more_minutes is None
        run = self.run_of(request, run_id)
        with seen_run(request, run):
            found = service.continue_run(request.user, run, body.more_minutes, without_limit=without_limit)
        return answer(shapes.Continuation, replace(found, run=reread(found.run)))


def seen_run(request: Request, run: Run) -> AbstractContextManager[None]:
    """Return a block that changes a run as it was seen."""
    return as_seen(request, Run.objects.filter(pk=run.pk), lambda: tag_of(written(shapes.RunDetail, reread(run))))


def reread(run: Run) -> Run:
    """Return the run as stored now, with what is shown of it."""
    return Run.objects.select_related("owner", "project").prefetch_related(_INPUTS).get(pk=run.pk)


def _mapping(body: Any) -> Mapping[str, Any]:
    if not isinstance(body, Mapping):
        raise ProblemError("problem", type(body).__name__, "a mapping with the keys engine, inputs, params, seed")
    return body


def _whole(value: Any, field: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ProblemError(field, value, "the number of a run")
    return value
