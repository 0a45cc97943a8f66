"""The pages, a folder per feature. Importing a page registers it (`dash.register_page(__name__, ...)`), as callbacks do."""

from __future__ import annotations

import importlib

MODULES = (
    "frontend.pages.home.page",
    "frontend.pages.home.first_steps",
    "frontend.pages.survey.page",
    "frontend.pages.new.page",
    "frontend.pages.new.callbacks",
    "frontend.pages.run.page",
    "frontend.pages.run.callbacks",
    "frontend.pages.run.design_callbacks",
    "frontend.pages.run.front.callbacks",
    "frontend.pages.run.states.callbacks",
    "frontend.pages.run.tabs.callbacks",
    "frontend.pages.run.import_page",
    "frontend.pages.study.listing",
    "frontend.pages.study.new.page",
    "frontend.pages.study.new.callbacks",
    "frontend.pages.study.page",
    "frontend.pages.study.callbacks",
    "frontend.pages.catalogue.page",
    "frontend.pages.catalogue.hardware.page",
    "frontend.pages.catalogue.callbacks",
    "frontend.pages.catalogue.hardware.board_callbacks",
    "frontend.pages.catalogue.document.outdated_callbacks",
    "frontend.pages.hardware_form.page",
    "frontend.pages.hardware_form.callbacks",
    "frontend.pages.hardware_form.draft_callbacks",
    "frontend.pages.hardware_form.unit_callbacks",
    "frontend.pages.hardware_form.saving_callbacks",
    "frontend.pages.catalogue.workload.page",
    "frontend.pages.catalogue.workload.layers.callbacks",
    "frontend.pages.catalogue.workload.units.callbacks",
    "frontend.pages.calibration.page",
    "frontend.pages.catalogue.series.page",
    "frontend.pages.calibration.new.page",
    "frontend.pages.measured_values.page",
    "frontend.pages.upload.page",
    "frontend.pages.scenario.page",
    "frontend.pages.scenario.callbacks",
    "frontend.pages.compare.page",
    "frontend.pages.compare.callbacks",
    "frontend.pages.report.page",
    "frontend.pages.report.editor",
    "frontend.pages.report.add_page",
    "frontend.pages.report.callbacks",
    "frontend.pages.reproduction.listing",
    "frontend.pages.reproduction.page",
    "frontend.pages.reproduction.callbacks",
    "frontend.pages.language_models.page",
    "frontend.pages.move.page",
    "frontend.pages.share.callbacks",
    "frontend.pages.annotations.callbacks",
    "frontend.pages.notices.page",
    "frontend.pages.workers.page",
    "frontend.pages.team.page",
    "frontend.pages.team.callbacks",
    "frontend.pages.team.webhook_callbacks",
    "frontend.pages.changes.page",
    "frontend.pages.glossary.page",
    "frontend.pages.deleted.page",
    "frontend.pages.devices.page",
    "frontend.pages.not_found_404",
)


def register_pages() -> None:
    """Import every page and its callbacks. Dash must have been created before, with `use_pages=True`."""
    for name in MODULES:
        importlib.import_module(name)
