"""The designs that a run found."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pyarrow as pa
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from engines.contract.encoding.result_json import to_json
from engines.contract.integer_format import many as plural
from engines.contract.quantities import Quantity
from webapp.api import arguments
from webapp.api.shapes import designs as shapes
from webapp.api.shapes.base import answer, read
from webapp.api.views.common import BUSY, CONFLICT, NOT_FOUND, REFUSED, RunView, number, numbers, query
from webapp.runs import exports
from webapp.runs.models import Run
from webapp.runs.results import readers
from webapp.runs.results.evaluation import score_decisions

MAX_LIMIT = 20_000
_COLUMNS = query("columns", OpenApiTypes.STR, "Only these metrics, separated by commas.", many=True)


class DesignListView(RunView):
    """Designs in the order of being found."""

    for_guests = True

    @extend_schema(
        operation_id="designs_list",
        parameters=[
            _COLUMNS,
            number("first", "Number of the first design wanted."),
            number("limit", f"How many at most; 1000 by default, {MAX_LIMIT} at most."),
            number("after", "`last_chunk` of an earlier answer: only what is newer."),
        ],
        responses={200: shapes.Designs, **REFUSED, **NOT_FOUND, **CONFLICT},
        tags=["designs"],
    )
    def get(self, request: Request, run_id: int) -> Response:
        """Return the designs as columns, page by page (`first`, `limit`) or as they come in (`after`)."""
        arguments.only(request, "columns", "first", "limit", "after")
        run = self.run_of(request, run_id)
        wanted = _wanted(request, run)
        after = arguments.integer(request, "after", 0)
        first = max(arguments.integer(request, "first", 0), after)
        limit = arguments.integer(request, "limit", 1000, 1, MAX_LIMIT)
        tables = list(exports.design_tables(run, first, first + limit))
        table = pa.concat_tables(tables) if tables else exports.design_schema(run).empty_table()
        last = first + table.num_rows if table.num_rows else after
        columns = [_column(quantity, table[quantity.name].to_numpy()) for quantity in wanted]
        return answer(shapes.Designs, _designs(run, table, columns, last))


class FrontView(RunView):
    """The designs of the Pareto front."""

    for_guests = True

    @extend_schema(
        operation_id="front",
        parameters=[
            _COLUMNS,
            number("first", "How many of the front to leave out: `count` of the earlier answers together."),
            number("limit", f"How many at most; {MAX_LIMIT} by default and at most."),
        ],
        responses={200: shapes.Front, **REFUSED, **NOT_FOUND, **CONFLICT},
        tags=["designs"],
    )
    def get(self, request: Request, run_id: int) -> Response:
        """Return the non-dominated designs of the search that meet every constraint, in the order of being found, page by page."""
        arguments.only(request, "columns", "first", "limit")
        run = self.run_of(request, run_id)
        wanted = _wanted(request, run)
        first = arguments.integer(request, "first", 0)
        limit = arguments.integer(request, "limit", MAX_LIMIT, 1, MAX_LIMIT)
        everything = readers.load_designs(run)
        front = everything.front(readers.quantities_of(run))
        shown = front[first : first + limit]
        designs = everything.take(shown)
        table = designs.scalars_table().append_column(exports.INDEX, pa.array(shown))
        columns = [_column(quantity, designs.columns[quantity.name]) for quantity in wanted]
        return answer(shapes.Front, _designs(run, table, columns, len(everything)) | {"front_count": len(front)})


class DesignView(RunView):
    """One design."""

    for_guests = True

    @extend_schema(operation_id="designs_read", responses={200: shapes.Design, **NOT_FOUND}, tags=["designs"])
    def get(self, request: Request, run_id: int, design: int) -> Response:
        """Return one design: its metrics and the decision that rebuilds it."""
        run = self.run_of(request, run_id)
        table = next(iter(exports.design_tables(run, design, design + 1, decisions=True)), None)
        if table is None:
            raise _no_design(run, design)
        row = table.to_pylist()[0]
        values = {
            field.name: numbers(np.array([row[field.name]]))[0]
            for field in table.schema
            if pa.types.is_floating(field.type)
        }
        facts = {name: row[name] for name in ("found_at_evaluation", "origin", "label")}
        decision = json.loads(row[exports.DECISION])
        return answer(shapes.Design, {"run": run.pk, "design": design, "values": values, **facts, "decision": decision})


class ExplainView(RunView):
    """All results of one design."""

    @extend_schema(
        operation_id="designs_explain",
        responses={200: shapes.Results, **REFUSED, **NOT_FOUND, **CONFLICT, **BUSY},
        tags=["designs"],
    )
    def get(self, request: Request, run_id: int, design: int) -> Response:
        """Return grid, schedule, breakdowns of one design, computed again from its decision."""
        run = self.run_of(request, run_id)
        try:
            results = readers.explain_design(run, design)
        except LookupError as error:
            raise _no_design(run, design) from error
        return answer(shapes.Results, {"run": run.pk, "results": [to_json(result) for result in results]})


class EvaluateView(RunView):
    """Designs of one's own."""

    @extend_schema(
        operation_id="designs_evaluate",
        request=shapes.Decisions,
        responses={200: shapes.DecisionScores, **REFUSED, **NOT_FOUND, **CONFLICT, **BUSY},
        tags=["designs"],
    )
    def post(self, request: Request, run_id: int) -> Response:
        """Score decisions by the run's own problem, in a limited process; nothing is stored."""
        run = self.run_of(request, run_id)
        scored = score_decisions(run, read(shapes.Decisions, request).decisions)
        columns = [_column(quantity, scored.designs.columns[quantity.name]) for quantity in scored.quantities]
        found = {
            "run": run.pk,
            "count": len(scored.designs),
            "columns": columns,
            "feasible": [not broken for broken in scored.broken],
            "broken": [[quantity.name for quantity in broken] for broken in scored.broken],
            "decision": scored.designs.decisions,
        }
        return answer(shapes.DecisionScores, found)


def _no_design(run: Run, design: int) -> NotFound:
    return NotFound(
        f"Run {run.pk} has {plural(run.design_count, 'design')}, numbered from 0 on. There is no design {design}."
    )


def _wanted(request: Request, run: Run) -> list[Quantity]:
    quantities = readers.quantities_of(run)
    names = arguments.words(request, "columns", [quantity.name for quantity in quantities])
    return [quantity for quantity in quantities if not names or quantity.name in names]


def _column(quantity: Quantity, values: Any) -> dict[str, Any]:
    facts = {name: getattr(quantity, name) for name in ("name", "title", "unit", "sense", "role")}
    return {**facts, "values": numbers(np.asarray(values))}


def _designs(run: Run, table: pa.Table, columns: list[dict[str, Any]], last: int) -> dict[str, Any]:
    names = ("found_at_evaluation", "origin", "label")
    return {
        "run": run.pk,
        "status": run.status,
        "total": run.design_count,
        "count": table.num_rows,
        "last_chunk": last,
        "design": table[exports.INDEX].to_pylist(),
        **{name: table[name].to_pylist() for name in names},
        "columns": columns,
    }
