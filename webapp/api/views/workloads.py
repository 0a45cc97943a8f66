"""Workloads layer by layer, and what differs between documents."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines.contract.errors import ProblemError
from engines.cost.calibration.words import error_words, inheritance_note
from engines.cost.dataflow.model import MAPPINGS
from engines.cost.preferences import DEFAULT_MAPPINGS, QUANTITIES, LayerPreferences, Quantity, layer_preferences
from engines.cost.unit_preferences import NOWHERE, UnitPreferences, unit_preferences
from engines.documents import families
from engines.workloads.layer_table import layer_rows, network_totals
from engines.workloads.network import Network, ScenarioModel
from hardware.package.model import ChipletPackage
from hardware.soc.model import Soc
from webapp.api import arguments
from webapp.api.shapes import workloads as shapes
from webapp.api.shapes.base import answer
from webapp.api.views.common import NOT_FOUND, REFUSED, number, numbers, query
from webapp.api.views.documents import OF_VERSION, entry_of
from webapp.catalogue import service
from webapp.catalogue.command_line import clocks
from webapp.catalogue.differences import differences

_LARGEST_WORD_BYTES = 16
_OF_WORKLOAD = [*OF_VERSION, number("model", "Which model of a scenario, from 1 on; the first by default.")]
_TABLES = ("latency_s", "compute_j", "level1_j", "level2_j", "utilisation", "buffer_need_bytes")
_COLUMNS = ("package_network_j", "off_chip_j", "moved_bytes", "buffer_bytes")


class DifferencesView(APIView):
    """The differences of two documents of a kind."""

    @extend_schema(
        operation_id="documents_differences",
        parameters=[
            *OF_VERSION,
            number("from", "Number of the version to compare with; the one before by default."),
            query("other", OpenApiTypes.STR, "Name of another document of the kind to compare with instead."),
        ],
        responses={200: shapes.Differences, **REFUSED, **NOT_FOUND},
        tags=["catalogue"],
    )
    def get(self, request: Request, kind: str, slug: str) -> Response:
        """Return every key that differs; entries of lists that have a name are matched by it."""
        entry = entry_of(request, kind, slug)
        before = _compared_with(request, entry)
        found = differences(before.content, entry.content) if before else []
        names = [f"{each.name}@{each.version}" if each else None for each in (before, entry)]
        return answer(shapes.Differences, {"before": names[0], "after": names[1], "differences": found})


class LayersView(APIView):
    """The layers of a workload."""

    @extend_schema(
        operation_id="workloads_layers",
        parameters=[*_OF_WORKLOAD, number("word_bytes", "Bytes per element; 1 by default.")],
        responses={200: shapes.Layers, **REFUSED, **NOT_FOUND},
        tags=["catalogue"],
    )
    def get(self, request: Request, workload: str) -> Response:
        """Return operation, shapes, work and bytes of every layer, and the totals; of one sample."""
        model, word = _model(request, workload), arguments.integer(request, "word_bytes", 1, 1, _LARGEST_WORD_BYTES)
        found = {
            "network": model.network.slug,
            "batch": model.batch,
            "word_bytes": word,
            "totals": network_totals(model.network, word),
            "layers": layer_rows(model.network, word),
        }
        return answer(shapes.Layers, found)


class DataflowsView(APIView):
    """Which dataflow and array size suits which layer."""

    @extend_schema(
        operation_id="workloads_dataflows",
        parameters=[
            *_OF_WORKLOAD,
            query("hardware", OpenApiTypes.STR, "Name of the chiplet package whose figures are used."),
            query("mapping", OpenApiTypes.STR, "Mappings, separated by commas.", many=True, choices=tuple(MAPPINGS)),
            query("processing_elements", OpenApiTypes.STR, "Array sizes; the package's own by default.", many=True),
            query("quantity", OpenApiTypes.STR, "Metric that a layer prefers by; edp by default.", choices=QUANTITIES),
        ],
        responses={200: shapes.Dataflows, **REFUSED, **NOT_FOUND},
        tags=["catalogue"],
    )
    def get(self, request: Request, workload: str) -> Response:
        """Return latency, energy by level, utilisation and buffer need of every layer under every choice; of one sample."""
        network = _model(request, workload).network
        package = _package(request)
        quantity: Any = (arguments.words(request, "quantity", QUANTITIES) or ("edp",))[0]
        mappings = arguments.words(request, "mapping", tuple(MAPPINGS)) or DEFAULT_MAPPINGS
        found = layer_preferences(network, package, mappings, _sizes(request))
        return answer(shapes.Dataflows, _answer(found, quantity))


class UnitsView(APIView):
    """Which unit of a system on a chip suits which operation."""

    @extend_schema(
        operation_id="workloads_units",
        parameters=[
            *_OF_WORKLOAD,
            query("hardware", OpenApiTypes.STR, "Name of the system on a chip; jetson-agx-xavier by default."),
            query(
                "calibration",
                OpenApiTypes.STR,
                "Name of a calibration of it or of its lineage; xavier-magnas by default.",
            ),
            query(
                "clock",
                OpenApiTypes.STR,
                "NAME=MHZ, separated by commas; what is left out is at its highest.",
                many=True,
            ),
            query(
                "quantity", OpenApiTypes.STR, "Metric that an operator prefers by; edp by default.", choices=QUANTITIES
            ),
            query("own", OpenApiTypes.BOOL, "Only what a unit runs itself, without fall-back."),
        ],
        responses={200: shapes.Units, **REFUSED, **NOT_FOUND},
        tags=["catalogue"],
    )
    def get(self, request: Request, workload: str) -> Response:
        """Return the latency and energy of every operation that runs on every unit.

        Null, with the reason, where there is no figure.
        """
        network = _model(request, workload).network
        soc_name = request.query_params.get("hardware", "jetson-agx-xavier")
        soc = families.load(service.get_entry(request.user, "hardware", soc_name).content, "hardware")
        if not isinstance(soc, Soc):
            raise ProblemError("hardware", soc_name, "the name of a system on a chip")
        name = request.query_params.get("calibration", "xavier-magnas")
        calibration = families.load(service.get_entry(request.user, "calibration", name).content, "calibration")
        quantity: Any = (arguments.words(request, "quantity", QUANTITIES) or ("edp",))[0]
        set_clocks, own = (
            clocks(arguments.words(request, "clock")),
            request.query_params.get("own", "") in ("1", "true"),
        )
        found = unit_preferences(network, soc, calibration, set_clocks, fallback=not own)
        return answer(shapes.Units, _units_answer(found, quantity))


def _units_answer(found: UnitPreferences, quantity: Quantity) -> dict[str, Any]:
    return {
        "network": found.network.slug,
        "hardware": found.soc.slug,
        "calibration": found.calibration.slug,
        "quantity": quantity,
        "clocks_mhz": {name: hertz / 1e6 for name, hertz in found.clocks.at(0).items()},
        "units": list(found.units),
        "operations": list(found.operations.names),
        "latency_s": [numbers(row) for row in found.latency_s],
        "energy_j": [numbers(row) for row in found.energy_j],
        "best": [None if place == NOWHERE else found.units[place] for place in found.best(quantity)],
        "margin": numbers(found.margins(quantity)),
        "band": found.band(quantity),
        "precision": found.calibration.precision,
        "measured_in_public": found.public_words,
        "measured_on": " ".join(
            (error_words(found.calibration), *(note.text for note in inheritance_note(found.calibration, found.soc)))
        ),
        "totals": {
            **found.totals(quantity),
            "preferred": found.preferred(quantity, handovers=False),
            "preferred_with_handovers": found.preferred(quantity, handovers=True),
        },
        "reasons": [
            {"operation": found.operations.names[row], "unit": unit, "reason": why}
            for (row, unit), why in found.reasons.items()
        ],
    }


def _answer(found: LayerPreferences, quantity: Quantity) -> dict[str, Any]:
    tables = {name: [numbers(row) for row in getattr(found, name)] for name in _TABLES}
    columns = {name: numbers(getattr(found, name)) for name in _COLUMNS}
    return {
        "network": found.network.slug,
        "hardware": found.package.slug,
        "quantity": quantity,
        "choices": found.choices,
        "layers": [layer.name for layer in found.network.layers],
        "best": numbers(found.best(quantity)),
        "margin": numbers(found.margins(quantity)),
        **tables,
        **columns,
    }


def _compared_with(request: Request, entry: service.DocumentEntry) -> service.DocumentEntry | None:
    other = request.query_params.get("other")
    if other:
        return service.get_entry(request.user, entry.kind, other)
    before = arguments.integer(request, "from", entry.version - 1)
    return service.get_entry(request.user, entry.kind, entry.name, before) if before else None


def _model(request: Request, slug: str) -> ScenarioModel:
    """Return the network of a workload, or the picked model of a scenario."""
    value = families.load(entry_of(request, "workload", slug).content, "workload")
    if isinstance(value, Network):
        return ScenarioModel(value, 1)
    model: ScenarioModel = value.models[arguments.integer(request, "model", 1, 1, len(value.models)) - 1]
    return model


def _package(request: Request) -> ChipletPackage:
    name = request.query_params.get("hardware", "simba-3x3-het-sides")
    package = families.load(service.get_entry(request.user, "hardware", name).content, "hardware")
    if not isinstance(package, ChipletPackage):
        raise ProblemError("hardware", name, "the name of a chiplet package")
    return package


def _sizes(request: Request) -> tuple[int, ...]:
    words = arguments.words(request, "processing_elements")
    for word in words:
        if not (word.isascii() and word.isdigit() and len(word) < 10):
            raise ProblemError("processing_elements", word, "whole numbers, separated by commas")
    return tuple(map(int, words))
