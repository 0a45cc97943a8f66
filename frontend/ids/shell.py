"""Ids of the frame around every page."""

from __future__ import annotations

from enum import StrEnum


class ShellIds(StrEnum):
    """Components of the frame. `SCHEME` and `VIEWPORT` are stores that figures' callbacks take as inputs or states."""

    SCHEME = "scheme"
    VIEWPORT = "viewport"
    SCHEME_TOGGLE = "scheme-toggle"
    LIVE = "live-region"
    TERMS = "terms-here"
    CONNECTION = "connection-strip"
    MENU = "bar-menu"
    SEARCH = "search"
    SEARCH_RESULTS = "search-results"
    WORKERS = "workers"
    WORKERS_TICK = "workers-tick"
    NOTICES = "notices"
    SHORTCUTS = "shortcuts"
    NAV_HOME = "nav-home"
    NAV_SURVEY = "nav-survey"
    NAV_EXPLORE = "nav-explore"
    NAV_STUDIES = "nav-studies"
    NAV_CATALOGUE = "nav-catalogue"
    NAV_COMPARE = "nav-compare"
    NAV_REPORTS = "nav-reports"
    NAV_REPRODUCTIONS = "nav-reproductions"
    MAIN = "main"
