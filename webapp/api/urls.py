"""URLs of the REST interface, its documentation and the health check."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, JsonResponse
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from webapp.api import schema  # noqa: F401  (teaches the generator of the description how tokens are sent)
from webapp.api.problem_details import problem_response
from webapp.api.views import (
    agents,
    bundles,
    calibrations,
    changes,
    deletions,
    designs,
    devices,
    documents,
    engines,
    exports,
    files,
    limits,
    measured_values,
    notes_and_tags,
    official_documents,
    own_tokens,
    records,
    reports,
    reproductions,
    runs,
    search,
    studies,
    surveys,
    uploads,
    webhooks,
    workers,
    workloads,
)
from webapp.api.views.health import health, livez, readyz


@csrf_exempt  # there is nothing to protect
def unknown(request: HttpRequest, rest: str) -> JsonResponse:
    """Return a JSON error for every unknown path below `/api/`."""
    words = f"There is no address {request.path}. Addresses end in a slash. All are listed at /api/docs/."
    return problem_response(404, words)


_run_urls: list[URLPattern | URLResolver] = [
    path("", runs.RunDetailView.as_view(), name="run"),
    path("continue/", runs.RunContinueView.as_view(), name="run-continue"),
    path("designs/", designs.DesignListView.as_view(), name="designs"),
    path("front/", designs.FrontView.as_view(), name="front"),
    path("measurements/", devices.RunMeasurementsView.as_view(), name="run-measurements"),
    path("evaluate/", designs.EvaluateView.as_view(), name="evaluate"),
    path("design/<int:design>/", designs.DesignView.as_view(), name="design"),
    path("design/<int:design>/explain/", designs.ExplainView.as_view(), name="explain"),
    path("design/<int:design>/documents/<str:name>", exports.DocumentView.as_view(), name="design-document"),
    path("design/<int:design>/results/<str:name>.csv", exports.DesignResultCsvView.as_view(), name="design-result-csv"),
    path("results/<str:name>.csv", exports.ResultCsvView.as_view(), name="result-csv"),
    path("citation.bib", exports.CitationView.as_view(), name="citation"),
    path("results/", records.ResultsView.as_view(), name="results"),
    path("convergence/", records.ConvergenceView.as_view(), name="convergence"),
    path("log/", records.LogView.as_view(), name="log"),
    path("provenance/", records.ProvenanceView.as_view(), name="provenance"),
    path("files/", files.FileListView.as_view(), name="files"),
    path("files/<path:file>", files.FileView.as_view(), name="file"),
    path("designs.csv", exports.DesignsCsvView.as_view(), name="designs-csv"),
    path("designs.parquet", exports.DesignsParquetView.as_view(), name="designs-parquet"),
    path("designs.arrow", exports.DesignsArrowView.as_view(), name="designs-arrow"),
    path("designs.json", exports.DesignsJsonView.as_view(), name="designs-json"),
    path("bundle.zip", bundles.RunBundleView.as_view(), name="run-bundle"),
    path("schedule.json", exports.ScheduleView.as_view(), name="schedule"),
    path("problem.json", exports.ProblemJsonView.as_view(), name="problem-json"),
    path("problem.yaml", exports.ProblemYamlView.as_view(), name="problem-yaml"),
]

_api_urls: list[URLPattern | URLResolver] = [
    path("engines/", engines.EngineListView.as_view(), name="engines"),
    path("engines/<str:name>/", engines.EngineDetailView.as_view(), name="engine"),
    path("projects/", documents.ProjectListView.as_view(), name="projects"),
    path("documents/", documents.DocumentListView.as_view(), name="documents"),
    path("documents/upload/", uploads.UploadView.as_view(), name="documents-upload"),
    path("calibrations/fit/", calibrations.CalibrationFitView.as_view(), name="calibrations-fit"),
    path("measured-values/", measured_values.MeasuredValuesView.as_view(), name="measured-values"),
    path("schemas/", uploads.SchemaListView.as_view(), name="schemas"),
    path("schemas/<str:family>/", uploads.SchemaView.as_view(), name="json-schema"),
    path("schemas/<str:family>/example.yaml", uploads.SchemaExampleView.as_view(), name="schema-example"),
    path("documents/<str:kind>/<slug:slug>/", documents.DocumentDetailView.as_view(), name="document"),
    path(
        "documents/<str:kind>/<slug:slug>/versions/", documents.DocumentVersionsView.as_view(), name="document-versions"
    ),
    path(
        "documents/<str:kind>/<slug:slug>/official/",
        official_documents.OfficialView.as_view(),
        name="document-official",
    ),
    path("documents/hardware/<slug:slug>/values.csv", documents.DocumentValuesView.as_view(), name="document-values"),
    path(
        "documents/hardware/<slug:slug>/measured.csv",
        measured_values.DocumentMeasuredView.as_view(),
        name="document-measured",
    ),
    path("documents/<str:kind>/<slug:slug>/document.yaml", documents.DocumentYamlView.as_view(), name="document-yaml"),
    path(
        "documents/<str:kind>/<slug:slug>/differences/",
        workloads.DifferencesView.as_view(),
        name="document-differences",
    ),
    path("workloads/<slug:workload>/layers/", workloads.LayersView.as_view(), name="workload-layers"),
    path("workloads/<slug:workload>/dataflows/", workloads.DataflowsView.as_view(), name="workload-dataflows"),
    path("workloads/<slug:workload>/units/", workloads.UnitsView.as_view(), name="workload-units"),
    path("workloads/<slug:workload>/survey/", surveys.SurveyView.as_view(), name="workload-survey"),
    path("changes/", changes.ChangesView.as_view(), name="changes"),
    path("changes.csv", changes.ChangesCsvView.as_view(), name="changes-csv"),
    path("search/", search.SearchView.as_view(), name="search"),
    path("notes/<int:note>/", notes_and_tags.NoteView.as_view(), name="note"),
    path("notes/<str:kind>/<int:number>/", notes_and_tags.NotesView.as_view(), name="notes"),
    path("tags/", notes_and_tags.TagListView.as_view(), name="tags"),
    path("tags/<str:kind>/<int:number>/", notes_and_tags.TagsView.as_view(), name="tags-of"),
    path("favourites/", notes_and_tags.FavouriteListView.as_view(), name="favourites"),
    path("favourites/<str:kind>/<int:number>/", notes_and_tags.FavouriteView.as_view(), name="favourite"),
    path("deleted/", deletions.DeletedView.as_view(), name="deleted"),
    path("deleted/<str:kind>/<int:number>/restore/", deletions.RestoreView.as_view(), name="restore"),
    path("plan/", runs.PlanView.as_view(), name="plan"),
    path("runs/import/", bundles.RunImportView.as_view(), name="run-import"),
    path("runs/", runs.RunListView.as_view(), name="runs"),
    path("runs/<int:run_id>/", include(_run_urls)),
    path("reports/", reports.ReportListView.as_view(), name="reports"),
    path("reports/<int:report_id>/", reports.ReportDetailView.as_view(), name="report"),
    path("reports/<int:report_id>/versions/", reports.ReportVersionsView.as_view(), name="report-versions"),
    path("reproductions/", reproductions.ReproductionListView.as_view(), name="reproductions"),
    path("reproductions/<slug:method>/", reproductions.ReproductionView.as_view(), name="reproduction"),
    path(
        "reproductions/<slug:method>/comparisons.csv",
        reproductions.ReproductionCsvView.as_view(),
        name="reproduction-csv",
    ),
    path("limits/", limits.LimitsView.as_view(), name="limits"),
    path("tokens/", own_tokens.TokenListView.as_view(), name="tokens"),
    path("tokens/<int:token>/", own_tokens.TokenView.as_view(), name="token"),
    path("webhooks/", webhooks.WebhookListView.as_view(), name="webhooks"),
    path("webhooks/<int:webhook>/", webhooks.WebhookView.as_view(), name="webhook"),
    path("webhooks/<int:webhook>/test/", webhooks.WebhookTestView.as_view(), name="webhook-test"),
    path("webhooks/<int:webhook>/deliveries/", webhooks.DeliveryListView.as_view(), name="webhook-deliveries"),
    path(
        "webhooks/<int:webhook>/deliveries/<int:delivery>/send-again/",
        webhooks.SendAgainView.as_view(),
        name="webhook-send-again",
    ),
    path("devices/", devices.DeviceListView.as_view(), name="devices"),
    path("devices/<int:device>/", devices.DeviceView.as_view(), name="device"),
    path("devices/<int:device>/measurements/", devices.DeviceMeasurementsView.as_view(), name="device-measurements"),
    path("agent/devices/", agents.AgentRegisterView.as_view(), name="agent-register"),
    path("agent/devices/<int:device>/next/", agents.AgentNextView.as_view(), name="agent-next"),
    path("agent/jobs/<int:job>/network.onnx", agents.AgentNetworkView.as_view(), name="agent-network"),
    path("agent/jobs/<int:job>/answer/", agents.AgentAnswerView.as_view(), name="agent-answer"),
    path("worker/claim/", workers.WorkerClaimView.as_view(), name="worker-claim"),
    path(
        "worker/runs/<int:run_id>/attempts/<int:attempt>/<str:call>/",
        workers.WorkerCallView.as_view(),
        name="worker-call",
    ),
    path("studies/", studies.StudyListView.as_view(), name="studies"),
    path("studies/plan/", studies.StudyPlanView.as_view(), name="studies-plan"),
    path("studies/<int:study_id>/", studies.StudyDetailView.as_view(), name="study"),
    path("studies/<int:study_id>/continue/", studies.StudyContinueView.as_view(), name="study-continue"),
    path("studies/<int:study_id>/table/", studies.StudyTableView.as_view(), name="study-table"),
    path("studies/<int:study_id>/statistics/", studies.StudyStatisticsView.as_view(), name="study-statistics"),
    path("studies/<int:study_id>/table.csv", studies.StudyTableCsvView.as_view(), name="study-table-csv"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("health/", health, name="health"),
    path("livez", livez, name="livez"),
    path("readyz", readyz, name="readyz"),
    path("api/v1/", include((_api_urls, "api"))),
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
    # The split view keeps its script in a file of its own, as the content security policy wants it.
    path("api/docs/", login_required(SpectacularSwaggerSplitView.as_view(url_name="schema")), name="docs"),
    re_path(r"^api/(?P<rest>.*)$", unknown, name="api-unknown"),
]
