"""Files to take away."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from django.http import HttpResponse, StreamingHttpResponse
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request

from engines.contract.results import Result
from engines.exchange.export import result_table, to_csv
from engines.registry import get_engine
from engines.reproduction.citations import bibtex
from webapp.api import arguments
from webapp.api.views.common import BUSY, CONFLICT, NOT_FOUND, REFUSED, RunView, number, query
from webapp.runs import exports
from webapp.runs.models import Run
from webapp.runs.results import readers
from webapp.runs.results.summaries import primary_metric

_DECISIONS = query("decisions", OpenApiTypes.BOOL, "Whether to add each design's decision as JSON text.")


class DesignsCsvView(RunView):
    """All designs as CSV."""

    @extend_schema(
        operation_id="designs_csv",
        parameters=[_DECISIONS],
        responses={(200, "text/csv"): OpenApiTypes.STR, **REFUSED, **NOT_FOUND},
        tags=["exports"],
    )
    def get(self, request: Request, run_id: int) -> StreamingHttpResponse:
        """Return all designs as CSV, units in the head."""
        run = self.run_of(request, run_id)
        return _stream(run, "csv", exports.csv_stream(run, arguments.flag(request, "decisions")))


class DesignsParquetView(RunView):
    """All designs as Parquet."""

    @extend_schema(
        operation_id="designs_parquet",
        parameters=[_DECISIONS],
        responses={(200, exports.MEDIA_TYPES["parquet"]): OpenApiTypes.BINARY, **REFUSED, **NOT_FOUND},
        tags=["exports"],
    )
    def get(self, request: Request, run_id: int) -> StreamingHttpResponse:
        """Return all designs as Parquet, units in the fields' metadata."""
        run = self.run_of(request, run_id)
        return _stream(run, "parquet", exports.parquet_stream(run, arguments.flag(request, "decisions")))


class DesignsArrowView(RunView):
    """All designs as Arrow."""

    @extend_schema(
        operation_id="designs_arrow",
        parameters=[_DECISIONS],
        responses={(200, exports.MEDIA_TYPES["arrow"]): OpenApiTypes.BINARY, **REFUSED, **NOT_FOUND},
        tags=["exports"],
    )
    def get(self, request: Request, run_id: int) -> StreamingHttpResponse:
        """Return all designs as an Arrow IPC file, units in the fields' metadata."""
        run = self.run_of(request, run_id)
        return _stream(run, "arrow", exports.arrow_stream(run, arguments.flag(request, "decisions")))


class DesignsJsonView(RunView):
    """All designs as JSON."""

    @extend_schema(
        operation_id="designs_json",
        parameters=[_DECISIONS],
        responses={200: OpenApiTypes.OBJECT, **REFUSED, **NOT_FOUND},
        tags=["exports"],
    )
    def get(self, request: Request, run_id: int) -> StreamingHttpResponse:
        """Return all designs as one JSON document; units stand with the columns, what is not defined is null."""
        run = self.run_of(request, run_id)
        return _stream(run, "json", exports.json_stream(run, arguments.flag(request, "decisions")))


class ScheduleView(RunView):
    """The schedule of one design."""

    @extend_schema(
        operation_id="schedule",
        parameters=[number("design", "Number of the design; the best one by default.")],
        responses={200: OpenApiTypes.OBJECT, **REFUSED, **NOT_FOUND, **CONFLICT, **BUSY},
        tags=["exports"],
    )
    def get(self, request: Request, run_id: int) -> HttpResponse:
        """Return the schedule of one design as Chrome trace JSON; opens in Perfetto."""
        run = self.run_of(request, run_id)
        design = arguments.integer(request, "design", 0) if "design" in request.query_params else _best(run)
        try:
            trace = exports.schedule_trace(run, readers.explain_design(run, design), design)
        except LookupError as error:
            raise NotFound(f"Run {run.pk} has no design {design}.") from error
        if trace is None:
            raise NotFound(f"The engine {run.engine} makes no schedules.")
        return _download(run, f"design-{design}-schedule.json", "json", json.dumps(trace))


class DocumentView(RunView):
    """A document of one design."""

    @extend_schema(
        operation_id="design_document",
        responses={(200, "text/plain"): OpenApiTypes.STR, **NOT_FOUND, **CONFLICT, **BUSY},
        tags=["exports"],
    )
    def get(self, request: Request, run_id: int, design: int, name: str) -> HttpResponse:
        """Return a file that the engine makes for one design: layers to devices for TensorRT, clocks, a package as a document."""
        run = self.run_of(request, run_id)
        try:
            found = exports.documents(readers.explain_design(run, design))
        except LookupError as error:
            raise NotFound(f"Run {run.pk} has no design {design}.") from error
        if name not in found:
            raise NotFound(f"Design {design} of run {run.pk} has the documents: {', '.join(found) or 'none'}.")
        headers = _attachment(run, f"design-{design}-{name}")
        return HttpResponse(found[name], content_type="text/plain; charset=utf-8", headers=headers)


class ResultCsvView(RunView):
    """One result of a run."""

    @extend_schema(
        operation_id="result_csv", responses={(200, "text/csv"): OpenApiTypes.STR, **NOT_FOUND}, tags=["exports"]
    )
    def get(self, request: Request, run_id: int, name: str) -> HttpResponse:
        """Return one of the run's own results as CSV, units in the head."""
        run = self.run_of(request, run_id)
        return _result(run, tuple(readers.results(run).values()), name, name)


class DesignResultCsvView(RunView):
    """One result of a design."""

    @extend_schema(
        operation_id="design_result_csv",
        responses={(200, "text/csv"): OpenApiTypes.STR, **REFUSED, **NOT_FOUND, **CONFLICT, **BUSY},
        tags=["exports"],
    )
    def get(self, request: Request, run_id: int, design: int, name: str) -> HttpResponse:
        """Return grid, schedule, trace or another result of one design as CSV, units in the head."""
        run = self.run_of(request, run_id)
        try:
            results = readers.explain_design(run, design)
        except LookupError as error:
            raise NotFound(f"Run {run.pk} has no design {design}.") from error
        return _result(run, results, name, f"design-{design}-{name}")


class CitationView(RunView):
    """The citation of a run."""

    @extend_schema(
        operation_id="citation",
        responses={(200, "application/x-bibtex"): OpenApiTypes.STR, **NOT_FOUND},
        tags=["exports"],
    )
    def get(self, request: Request, run_id: int) -> HttpResponse:
        """Return the publications of the run's engine as BibTeX."""
        run = self.run_of(request, run_id)
        return _download(run, "method.bib", "bibtex", bibtex(get_engine(run.engine)))


class ProblemJsonView(RunView):
    """The problem as JSON."""

    @extend_schema(operation_id="problem_json", responses={200: OpenApiTypes.OBJECT, **NOT_FOUND}, tags=["exports"])
    def get(self, request: Request, run_id: int) -> HttpResponse:
        """Return the problem document as JSON; POST it to `runs/` to repeat the run."""
        run = self.run_of(request, run_id)
        return _download(run, "problem.json", "json", exports.problem_json(run))


class ProblemYamlView(RunView):
    """The problem as YAML."""

    @extend_schema(
        operation_id="problem_yaml",
        responses={(200, "application/yaml"): OpenApiTypes.OBJECT, **NOT_FOUND},
        tags=["exports"],
    )
    def get(self, request: Request, run_id: int) -> HttpResponse:
        """Return the problem document as YAML; POST it to `runs/` to repeat the run."""
        run = self.run_of(request, run_id)
        return _download(run, "problem.yaml", "yaml", exports.problem_yaml(run))


def _result(run: Run, results: Sequence[Result], name: str, file: str) -> HttpResponse:
    found = next((result for result in results if result.name == name), None)
    if found is None:
        raise NotFound(f"There is no result {name!r}. Results: {', '.join(result.name for result in results)}.")
    return _download(run, f"{file}.csv", "csv", to_csv(result_table(found)).decode())


def _best(run: Run) -> int:
    """Return the design that pages call the best; 0 where nothing was found yet."""
    primary, quantities = primary_metric(run), readers.quantities_of(run)
    limits = [quantity.name for quantity in quantities if quantity.role == "constraint"]
    return readers.load_designs(run, [primary.name, *limits]).best(primary, quantities) or 0


def _stream(run: Run, kind: str, pieces: Iterator[bytes]) -> StreamingHttpResponse:
    headers = _attachment(run, f"designs.{kind}")
    return StreamingHttpResponse(pieces, content_type=exports.MEDIA_TYPES[kind], headers=headers)


def _download(run: Run, name: str, kind: str, text: str) -> HttpResponse:
    return HttpResponse(text, content_type=exports.MEDIA_TYPES[kind], headers=_attachment(run, name))


def _attachment(run: Run, name: str) -> dict[str, str]:
    # Names of results and documents may come from a bundle: none of their characters may end the header or the name.
    plain = "".join(each if each.isprintable() else "_" for each in exports.filename(run, name))
    return {
        "Content-Disposition": str(content_disposition_header(True, plain)),
        "Cache-Control": "private, no-cache",
    }
