"""Which mapping and array size a layer prefers."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.cost.dataflow.inputs import ArrayFigures
from engines.cost.dataflow.model import MAPPING_OF_DATAFLOW, MAPPINGS, layer_costs
from engines.cost.preferences import DEFAULT_MAPPINGS, QUANTITIES, LayerPreferences, layer_preferences
from engines.documents.builtin import get_builtin
from engines.workloads.loader import builtin_network, load_network
from hardware.package.loader import load_package
from hardware.package.model import ChipletPackage
from tests.engines.methods.scar.problems import tiny_network
from tests.hardware.documents_for_tests import package_content


@pytest.fixture(scope="module")
def package() -> ChipletPackage:
    return load_package(get_builtin("hardware", "simba-3x3-het-sides").content)


@pytest.fixture(scope="module")
def found(package: ChipletPackage) -> LayerPreferences:
    return layer_preferences(builtin_network("resnet50"), package, DEFAULT_MAPPINGS, (256, 1024, 4096))


@pytest.mark.parametrize("dataflow", ["nvdla", "shi-diannao"])
def test_its_figures_are_those_that_an_engine_schedules_with(
    package: ChipletPackage, found: LayerPreferences, dataflow: str
) -> None:
    column = next(i for i, c in enumerate(found.choices) if c.dataflow == dataflow and c.on_package)
    costs = layer_costs(found.network.layers, dataflow, ArrayFigures(4096, 256.0, 1.0, 1.68, 18.61))
    np.testing.assert_array_equal(found.latency_s[:, column], costs.latency_s(package.clock_hz))
    np.testing.assert_allclose(found.energy_j[:, column], costs.energy_j(package.arithmetic.mac_energy_pj), rtol=1e-12)


def test_the_best_choice_has_the_ratio_one(found: LayerPreferences) -> None:
    rows = np.arange(len(found.network.layers))
    for quantity in QUANTITIES:
        values, ratios = found.values(quantity), found.ratios(quantity)
        assert (ratios >= 1).all() and (ratios[rows, found.best(quantity)] == 1).all()
        np.testing.assert_allclose(values, ratios * values.min(axis=1, keepdims=True))


def test_within_one_array_size_each_size_has_a_best(found: LayerPreferences) -> None:
    ratios = found.ratios("latency", same_size=True)
    for size in (256, 1024, 4096):
        of_size = [i for i, choice in enumerate(found.choices) if choice.processing_elements == size]
        assert (ratios[:, of_size].min(axis=1) == 1).all()


def test_the_margin_is_to_the_next_best_mapping_and_not_to_another_size(found: LayerPreferences) -> None:
    margins, values, best = found.margins("edp"), found.values("edp"), found.best("edp")
    layer = 0
    others = [values[layer, i] for i, c in enumerate(found.choices) if c.mapping != found.choices[best[layer]].mapping]
    assert margins[layer] == pytest.approx(min(others) / values[layer, best[layer]])
    assert np.isnan(layer_preferences(found.network, found.package, ["kcp_ws"]).margins("edp")).all()


def test_a_depthwise_layer_prefers_no_mapping(package: ChipletPackage) -> None:
    network = builtin_network("mobilenet-v2")
    margins = layer_preferences(network, package).margins("latency")
    assert {margins[layer.index] for layer in network.layers if layer.depthwise} == {1.0}


def test_sizes_are_the_packages_own_by_default_and_each_dataflow_keeps_its_chiplets_figures() -> None:
    package = load_package(package_content())
    found = layer_preferences(load_network(tiny_network("tiny", (8, 16, 16), 12)), package, list(MAPPINGS))
    assert {c.processing_elements for c in found.choices} == {256, 1024}
    nvdla, shi_diannao = MAPPING_OF_DATAFLOW["nvdla"], MAPPING_OF_DATAFLOW["shi-diannao"]
    present = {(c.mapping, c.processing_elements) for c in found.choices if c.on_package}
    assert present == {(nvdla, 256), (shi_diannao, 1024)}
    assert {c.mapping for c in found.choices if c.checked} == {"kcp_ws", "ykp_os", "dpt"}
    buffers = {c.mapping: size for c, size in zip(found.choices, found.buffer_bytes, strict=True)}
    assert (buffers[nvdla], buffers[shi_diannao]) == (2**19, 2**21)


def test_what_a_layer_moves_is_flagged_where_it_does_not_fit(found: LayerPreferences) -> None:
    layer = found.network.layers[0]
    moved = layer.weight_elements + layer.input_elements + layer.output_elements
    assert found.moved_bytes[0] == moved
    assert found.off_chip_j[0] == pytest.approx(moved * 8 * 14.8e-12)
    # The outer columns have the interfaces, so that only the middle one of three is a link away.
    assert found.package_network_j[0] == pytest.approx(moved * 8 * 2.04e-12 / 3)
    assert not found.exceeds_whole().any() and not found.exceeds_buffer().any()
    vgg = layer_preferences(builtin_network("vgg16"), found.package)
    assert [vgg.network.layers[i].kind for i in np.flatnonzero(vgg.exceeds_whole())] == ["gemm", "gemm"]


@pytest.mark.parametrize(
    ("mappings", "sizes", "field"),
    [
        (["kcp"], (256,), "mappings[0]"),
        ([], (256,), "mappings"),
        (["dpt", "dpt"], (256,), "mappings"),
        (["dpt"], (256, 256), "processing_elements"),
        (["dpt"], (0,), "array.processing_elements"),
        (["dpt"], tuple(range(1, 20)), "processing_elements"),
    ],
)
def test_it_names_what_it_cannot_use(
    package: ChipletPackage, mappings: list[str], sizes: tuple[int, ...], field: str
) -> None:
    with pytest.raises(ProblemError) as error:
        layer_preferences(builtin_network("resnet50"), package, mappings, sizes)
    assert error.value.field == field
