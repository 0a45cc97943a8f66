"""The pages. Each module registers itself (`dash.register_page(__name__, ...)`) and its callbacks when it is imported."""

from __future__ import annotations

import importlib

MODULES = (
    "frontend.pages.home",
    "frontend.pages.new",
    "frontend.pages.run",
    "frontend.pages.run_import",
    "frontend.pages.study_list",
    "frontend.pages.study_new",
    "frontend.pages.study",
    "frontend.pages.catalogue",
    "frontend.pages.catalogue_hardware",
    "frontend.pages.hardware_form",
    "frontend.pages.catalogue_workload",
    "frontend.pages.calibration",
    "frontend.pages.catalogue_series",
    "frontend.pages.calibrate",
    "frontend.pages.upload",
    "frontend.pages.scenario",
    "frontend.pages.compare",
    "frontend.pages.reproductions",
    "frontend.pages.reproduction",
)


def register_pages() -> None:
    """Import every page module. Dash must have been created before, with `use_pages=True`."""
    for name in MODULES:
        importlib.import_module(name)
