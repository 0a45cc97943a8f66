"""Records of a run besides its designs: results, convergence, log, provenance."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from engines.contract.encoding.result_json import to_json
from webapp.api import arguments
from webapp.api.shapes import designs as shapes
from webapp.api.shapes.base import answer
from webapp.api.shapes.runs import Log
from webapp.api.views.common import CONFLICT, NOT_FOUND, REFUSED, RunView, number, numbers
from webapp.runs.results import readers

MOST_RESULTS = 50  # of at most 1 MB each
MOST_STEPS = 20_000


def _page(request: Request, most: int) -> tuple[int, int]:
    """Return `first` and `limit` of a request."""
    arguments.only(request, "first", "limit")
    return arguments.integer(request, "first", 0), arguments.integer(request, "limit", most, 1, most)


class ResultsView(RunView):
    """The run's own results."""

    @extend_schema(
        operation_id="results",
        parameters=[
            number("first", "How many to leave out, in the order of their names."),
            number("limit", f"How many at most; {MOST_RESULTS} by default and at most."),
        ],
        responses={200: shapes.RunResults, **REFUSED, **NOT_FOUND},
        tags=["runs"],
    )
    def get(self, request: Request, run_id: int) -> Response:
        """Return the results of the run as a whole, by name, page by page; those of one design are under `design/<n>/explain/`."""
        first, limit = _page(request, MOST_RESULTS)
        run = self.run_of(request, run_id)
        names = sorted(readers.result_steps(run))
        found = readers.results(run, names[first : first + limit])
        results = [to_json(result) for result in found.values()]
        return answer(shapes.RunResults, {"run": run.pk, "count": len(names), "results": results})


class ConvergenceView(RunView):
    """How the run went."""

    @extend_schema(
        operation_id="convergence",
        parameters=[
            number("first", "How many steps to leave out."),
            number("limit", f"How many steps at most; {MOST_STEPS} by default and at most."),
        ],
        responses={200: shapes.Convergence, **REFUSED, **NOT_FOUND},
        tags=["runs"],
    )
    def get(self, request: Request, run_id: int) -> Response:
        """Return evaluations, designs, hypervolume and metrics after each step, page by page."""
        first, limit = _page(request, MOST_STEPS)
        run = self.run_of(request, run_id)
        found = asdict(readers.convergence(run))
        count, shown = len(found["step"]), slice(first, first + limit)
        metrics = {name: numbers(values[shown]) for name, values in found.pop("metrics").items()}
        arrays = {
            name: numbers(value[shown]) if isinstance(value, np.ndarray) else list(value)
            for name, value in found.items()
        }
        return answer(shapes.Convergence, {"run": run.pk, "count": count, **arrays, "metrics": metrics})


class LogView(RunView):
    """The run's log."""

    @extend_schema(
        operation_id="log",
        parameters=[
            number("after", "`last` of an earlier answer: only what is newer."),
            number("limit", "How many lines at most, the newest; 1000 by default and at most."),
        ],
        responses={200: Log, **REFUSED, **NOT_FOUND},
        tags=["runs"],
    )
    def get(self, request: Request, run_id: int) -> Response:
        """Return the lines of the log, oldest first."""
        arguments.only(request, "after", "limit")
        run = self.run_of(request, run_id)
        after = arguments.integer(request, "after", 0)
        lines = readers.log_lines(run, after, arguments.integer(request, "limit", 1000, 1, 1000))
        last = lines[-1].number if lines else after
        return answer(Log, {"run": run.pk, "last": last, "lines": lines})


class ProvenanceView(RunView):
    """Where the run's figures come from."""

    @extend_schema(
        operation_id="provenance", responses={200: OpenApiTypes.OBJECT, **NOT_FOUND, **CONFLICT}, tags=["runs"]
    )
    def get(self, request: Request, run_id: int) -> Response:
        """Return everything needed to repeat the run and to judge its figures."""
        return Response(readers.provenance(self.run_of(request, run_id)))
