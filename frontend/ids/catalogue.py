"""Ids of the catalogue's pages. Those ending in `_TYPE` are the `type` of pattern-matching ids."""

from __future__ import annotations

from enum import StrEnum


class BrowseIds(StrEnum):
    """Components of the list of hardware and workloads."""

    KIND = "catalogue-kind"
    SEARCH = "catalogue-search"
    FILTER_TYPE = "catalogue-filter"
    RESULTS = "catalogue-results"
    COUNT = "catalogue-count"
    TABLE = "catalogue-table"


class DocumentIds(StrEnum):
    """Components that the pages of a document share."""

    DOCUMENT = "document-name"
    LIST_SEARCH = "document-list-search"
    LIST = "document-list"
    ASKED_TYPE = "document-asked"
    TAB = "document-tab"
    TAB_TYPE = "document-tab-button"
    OVERVIEW = "document-overview"
    PANEL = "document-panel"
    VERSUS = "document-versus"
    DIFFERENCES = "document-differences"
    PICTURE = "document-picture"
    MODE = "document-mode"
    LADDER = "document-ladder"
    GRAPH = "document-graph"
    AGAIN_TYPE = "document-again"
    AGAIN_SAID = "document-again-said"


class BoardIds(StrEnum):
    """Components that the page of a system on a chip has besides."""

    MODE = "board-mode"
    ROOFLINE = "board-roofline"
    REPORT_KEY = "board-report-key"
    REPORT_VALUE = "board-report-value"
    REPORT_SOURCE = "board-report-source"
    REPORT = "board-report"
    REPORT_ANSWER = "board-report-answer"
    REPORTS = "board-reports"
    MEASURED = "board-measured"
    MEASURED_RUNTIME = "board-measured-runtime"
    MEASURED_PRECISION = "board-measured-precision"
    IMPORT_TYPE = "board-import"
    IMPORT_GONE = "board-import-gone"


class LayerIds(StrEnum):
    """Components of the comparison of dataflows, layer by layer."""

    MODEL = "layers-model"
    PACKAGE = "layers-package"
    SIZES = "layers-sizes"
    MAPPINGS = "layers-mappings"
    SHOW = "layers-show"
    REFERENCE = "layers-reference"
    HEAT = "layers-heat"
    GRAPH = "layers-graph"
    LEGEND = "layers-legend"
    LAYER = "layers-layer"
    STEP_TYPE = "layers-step"
    DETAIL = "layers-detail"
    TOTALS = "layers-totals"
    TABLE = "layers-table"


class SeriesIds(StrEnum):
    """Components of the pages of environments and recordings."""

    DOCUMENT = "series-document"
    PICTURE = "series-picture"
