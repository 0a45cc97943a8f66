"""Ids of the pages of reports."""

from __future__ import annotations

from enum import StrEnum


class ReportIds(StrEnum):
    """Components of the page on which a report is written, and of the one on which something is added to one."""

    LOCATION = "report-location"
    NUMBER = "report-number"
    SEEN = "report-seen"
    TITLE = "report-title"
    PROJECT = "report-project"
    TEXT = "report-text"
    KIND = "report-kind"
    RUN = "report-run"
    INSERT = "report-insert"
    PREVIEW = "report-preview"
    SHOW = "report-show"
    SAVE = "report-save"
    CHOICE_TYPE = "report-choice"
    SAVED = "report-saved"
    ADDED = "report-added"
    TARGET = "report-target"
    ADD = "report-add"
    TOLD = "report-told"
