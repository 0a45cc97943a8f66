"""The form of the page that makes a calibration of measurements: device, network, clocks, files. No callbacks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component

from engines.cost.calibration.files import MAX_BYTES
from engines.cost.soc.clocks import clock_names
from frontend.components.button import button
from frontend.components.card import card
from frontend.components.clock_select import clock_select
from frontend.ids.calibrate import CalibrateIds
from frontend.pages.catalogue.document_cache import loaded
from hardware.soc.model import PRECISIONS, Soc
from webapp.catalogue.service import DocumentEntry, list_documents
from webapp.teams.visibility import Principal

FIT, SCALE = "fit", "scale"
_HOW = {FIT: "Fit parameters", SCALE: "Scale to totals"}
_BASE_WORDS = {
    FIT: "Parameters that the measurements do not determine keep these values; without a calibration, general values",
    SCALE: "Measured totals of whole networks become its factors, without a fit",
}
# Name of a file's field -> label, help, endings.
_FILES = {
    "file": (
        "Measurements",
        "CSV of layers, or a profile of TensorRT, onnxruntime, LiteRT, Rockchip or AI Hub",
        ".csv,.json,.txt",
    ),
    "tegrastats": ("Power log, if there is one", "Output of tegrastats during the same run", ".log,.txt"),
}


@dataclass(frozen=True)
class Choices:
    """The choices of the form's fields."""

    socs: tuple[DocumentEntry, ...]
    networks: tuple[DocumentEntry, ...]
    calibrations: tuple[DocumentEntry, ...]

    @classmethod
    def of(cls, principal: Principal) -> Choices:
        """Return the choices that `principal` may use."""
        socs = [entry for entry in list_documents(principal, "hardware") if _calibratable(entry)]
        networks = [e for e in list_documents(principal, "workload") if e.schema.startswith("network/")]
        return cls(tuple(socs), tuple(networks), tuple(list_documents(principal, "calibration")))

    def soc(self, name: str | None) -> Soc | None:
        """Return the device of that name; None where there is none."""
        entry = next((entry for entry in self.socs if entry.name == name), None)
        return None if entry is None else loaded(entry)


def _calibratable(entry: DocumentEntry) -> bool:
    """Check that the device has a shared memory and a unit with a clock, which the cost model needs."""
    if not entry.schema.startswith("soc/"):
        return False
    soc = loaded(entry)
    return isinstance(soc, Soc) and soc.memory is not None and len(clock_names(soc)) > 1


def form(choices: Choices, soc_name: str | None, workload: str | None, base: str | None) -> Component:
    """Return the whole form, filled in as an address asks."""
    soc = choices.soc(soc_name)
    return card(
        "Measurements",
        html.Div(
            [
                _field("Device", _select(CalibrateIds.SOC, _options(choices.socs), soc_name, "Device")),
                _field(
                    "Network",
                    _select(CalibrateIds.WORKLOAD, _options(choices.networks), workload, "Network", clearable=True,
                            placeholder="as the file states"),
                    "For rows without a network; a column workload comes first",
                ),
                _field(
                    "Unit",
                    _select(CalibrateIds.UNIT, unit_options(soc), None, "Unit", clearable=True, placeholder="as the file states"),
                    "For rows without a unit, such as those of a TensorRT profile",
                ),
                _field("Precision", dmc.SegmentedControl(
                    id=CalibrateIds.PRECISION, data=list(PRECISIONS), value="fp16", size="xs", **{"aria-label": "Precision"})),
            ],
            className="calibrate-grid",
        ),
        html.Div(
            [
                html.Div("Clocks during the measurements", className="sm b"),
                html.Div(clock_fields(soc), id=CalibrateIds.CLOCKS, className="calibrate-clocks"),
            ],
            className="stack",
        ),
        _files(),
        html.Div(
            [
                _field("Do", dmc.SegmentedControl(
                    id=CalibrateIds.HOW, data=[{"value": key, "label": words} for key, words in _HOW.items()], value=FIT, size="xs",
                    **{"aria-label": "Progress"})),
                html.Div(
                    [
                        html.Label("Starting from", htmlFor=CalibrateIds.BASE),
                        _select(CalibrateIds.BASE, base_options(choices, soc), base, "Starting from", clearable=True,
                                placeholder="general values"),
                        html.Span(base_words(FIT), id=CalibrateIds.BASE_HELP, className="h"),
                    ],
                    className="field",
                ),
            ],
            className="calibrate-grid",
        ),
        html.Div([button("Show the fit", id=CalibrateIds.FIT, icon="chart-scatter", kind="primary"), _progress()],
                 className="row wrap g16"),
        class_name="calibrate-form",
    )  # fmt: skip


def unit_options(soc: Soc | None) -> list[dict[str, str]]:
    """Return the units that have a clock."""
    return [{"value": name, "label": name} for name, unit in soc.units.items() if unit.frequencies_hz] if soc else []


def base_options(choices: Choices, soc: Soc | None) -> list[dict[str, str]]:
    """Return the calibrations of the device and of those that it was copied from."""
    return _options(each for each in choices.calibrations if soc and each.content.get("soc") in soc.names)


def base_words(how: str | None) -> str:
    """Return the explanation of the calibration to start from."""
    return _BASE_WORDS.get(how or FIT, "")


def clock_fields(soc: Soc | None) -> list[Component]:
    """Return one choice of a published step per clock; left empty, it stood at its highest."""
    if soc is None:
        return [html.Span("Choose a device", className="sm t3")]
    return [_field(name, control) for name, control in clock_select(soc, CalibrateIds.CLOCK_TYPE)]


def _files() -> Component:
    parts = []
    for name, (label, words, endings) in _FILES.items():
        chosen = html.Span("no file", id=f"calibrate-name-{name}", className="sm el", **{"aria-live": "polite"})
        given = {"data-calibrate-file": name, "data-accept": endings}
        choose = html.Button(
            "Choose a file", type="button", className="btn small", **given, **{"aria-label": f"Choose: {label}"}
        )
        remove = html.Button(
            "Remove", type="button", id=f"calibrate-remove-{name}", className="link", hidden=True,
            **{"data-calibrate-remove": name},
        )  # fmt: skip
        parts.append(
            _field(
                label,
                html.Div([choose, chosen, remove], className="row"),
                f"{words}; at most {MAX_BYTES // 1_000_000} MB",
            )
        )
    return html.Div(parts, id=CalibrateIds.FILES, className="calibrate-files")


def _progress() -> Component:
    told = [html.Span(className="m5 el"), html.Span(className="sp"), html.Span(className="num t2 nw")]
    return html.Div(
        [html.Div(told, className="row sm"), html.Div(html.Div(), className="bar")],
        id=CalibrateIds.PROGRESS,
        className="stack upload-progress",
        hidden=True,
        role="status",
    )


def _field(label: str, control: Component, words: str = "") -> Component:
    return html.Div(
        [html.Label(label, className="lab"), control, html.Span(words, className="h") if words else None],
        className="field",
    )


def _select(
    control_id: str,
    data: list[dict[str, str]],
    value: str | None,
    label: str,
    *,
    clearable: bool = False,
    placeholder: str = "",
) -> Component:
    control: Component = dmc.Select(
        id=control_id, data=data, value=value if value in {each["value"] for each in data} else None, searchable=True,
        clearable=clearable, allowDeselect=clearable, placeholder=placeholder, size="xs",
        nothingFoundMessage="Nothing has this name",
        **{"aria-label": label},
    )  # fmt: skip
    return control


def _options(entries: Iterable[DocumentEntry]) -> list[dict[str, str]]:
    return [{"value": entry.name, "label": entry.title} for entry in entries]
