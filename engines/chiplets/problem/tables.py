"""Look-up tables of search and scorer: costs of every layer on every class of chiplet, as prefix sums.

A prefix sum turns the cost of any segment into one subtraction; arrays start with 0, so `table[b] - table[a]` covers the
layers a..b-1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from engines.chiplets.params import ScheduleParams
from engines.chiplets.problem.constraints import Allowed, parse_model_chiplets
from engines.contract.arrays import FloatArray, IntArray
from engines.cost.dataflow.element_widths import ElementWidths, element_widths
from engines.cost.dataflow.model import MAPPING_OF_DATAFLOW, MAPPINGS, ArrayFigures, elements_per_cycle
from engines.cost.estimators.protocol import ArrayUnit
from engines.cost.estimators.registry import DEFAULT, array_estimator, estimator_class
from engines.cost.package.model import BatchSplit, PackageModel, split_batch
from engines.cost.soc.model import bits_of
from engines.workloads.network import Layer, Scenario, ScenarioModel
from hardware.package.model import Chiplet, ChipletPackage

ChipletClass = tuple[str, int, float, float]


@dataclass(frozen=True)
class SharedUse:
    """A weight of `size_bytes` that `layer` uses, and last before it the layer of number `before`."""

    before: int
    layer: int
    size_bytes: float


@dataclass(frozen=True)
class ModelTables:
    """One model of the scenario; `L` layers, `K` kinds of chiplets. Figures are of one sample.

    Attributes:
        title: short name, unique within the scenario.
        layers: `L`.
        batch: samples.
        split: way of the batch through a pipeline.
        compute_s, compute_j: prefix sums of the time and energy on a chiplet, shape `K x (L + 1)`.
        weight_bytes: prefix sums of the weights of each layer, shape `L + 1`.
        shared: weights that a layer before uses as well.
        deadline_s: within which the batch must be done; None where nothing asks for one.
        input_bytes: bytes that each layer reads except weights, shape `L`.
        layer_activation_bytes: input and output of each layer together, shape `L`.
        output_bytes: bytes that the last layer writes.
    """

    title: str
    layers: int
    batch: int
    split: BatchSplit
    compute_s: FloatArray
    compute_j: FloatArray
    weight_bytes: FloatArray
    input_bytes: FloatArray
    layer_activation_bytes: FloatArray
    output_bytes: float
    shared: tuple[SharedUse, ...] = ()
    deadline_s: float | None = None

    def segment_weight_bytes(self, starts: IntArray | int, ends: IntArray | int) -> FloatArray:
        """Return the bytes of the weights of segments, each weight once in each of them.

        Args:
            starts: first layers.
            ends: layers behind the last ones; of a shape that broadcasts with that of `starts`.
        """
        found = np.asarray(self.weight_bytes[ends] - self.weight_bytes[starts])
        for use in self.shared:
            found = found - np.where((starts <= use.before) & (ends > use.layer), use.size_bytes, 0.0)
        return found

    def layer_weight_bytes(self, first: int, end: int) -> FloatArray:
        """Return the bytes of the weights of each layer of a segment, shape `layers`.

        A shared one is that of the first that uses it.
        """
        found = np.diff(self.weight_bytes[first : end + 1])
        for use in self.shared:
            if first <= use.before and use.layer < end:
                found[use.layer - first] -= use.size_bytes
        return found


@dataclass(frozen=True)
class ScenarioTables:
    """A scenario on a package.

    Attributes:
        package_model: distances and transfers.
        models: one per model of the scenario.
        class_of: kind of each chiplet, shape `chiplets`.
        class_share: n_df / |C| of each kind (eq 4.1), shape `K`.
        params: rules for latency and the loading of weights.
    """

    package_model: PackageModel
    models: tuple[ModelTables, ...]
    class_of: IntArray
    class_share: FloatArray
    params: ScheduleParams

    @property
    def chiplets(self) -> int:
        """Chiplets of the package."""
        return len(self.class_of)

    @cached_property
    def allowed(self) -> Allowed:
        """Chiplets that each model may use.

        Raises:
            ProblemError: the constraints cannot be read or name what does not exist.
        """
        titles = [model.title for model in self.models]
        return parse_model_chiplets(self.params.model_chiplets, titles, self.chiplets)


def with_dataflow(package: ChipletPackage, dataflow: str) -> ChipletPackage:
    """Return the same package with every chiplet of one dataflow."""
    return replace(package, chiplets=tuple(replace(chiplet, dataflow=dataflow) for chiplet in package.chiplets))


def mapping_of_dataflow(params: ScheduleParams) -> dict[str, str]:
    """Return dataflow -> its mapping in `engines.cost.dataflow.model`."""
    return {**MAPPING_OF_DATAFLOW, "shi-diannao": params.output_stationary_mapping}


def mapping_words(params: ScheduleParams) -> str:
    """Return the mapping of Shi-diannao chiplets, and whether it was compared with MAESTRO's own figures.

    Under another cost model than the default one, return what its costs come from.
    """
    name = params.output_stationary_mapping
    if params.cost_model != DEFAULT:
        return f"{name}, by {estimator_class(params.cost_model).words}"
    return f"{name}, checked against MAESTRO" if MAPPINGS[name].checked else f"{name}, not checked against MAESTRO"


def build_tables(package: ChipletPackage, scenario: Scenario, params: ScheduleParams) -> ScenarioTables:
    """Cost tables of `scenario` on `package`; milliseconds."""
    kinds = sorted({_class_of(chiplet) for chiplet in package.chiplets})
    class_of = np.array([kinds.index(_class_of(chiplet)) for chiplet in package.chiplets], dtype=np.int64)
    share = np.bincount(class_of, minlength=len(kinds)) / len(package.chiplets)
    titles = unique_titles(scenario.models)
    models = tuple(
        _model_tables(model, title, package, params) for model, title in zip(scenario.models, titles, strict=True)
    )
    return ScenarioTables(PackageModel(package, params.dram_rule), models, class_of, share, params)


def unique_titles(models: Sequence[ScenarioModel]) -> tuple[str, ...]:
    """Return the short titles of the models; a network that occurs more than once gets numbers."""
    counts = Counter(model.network.short_title for model in models)
    seen: Counter[str] = Counter()
    titles = []
    for model in models:
        title = model.network.short_title
        seen[title] += 1
        titles.append(f"{title} {seen[title]}" if counts[title] > 1 else title)
    return tuple(titles)


def _class_of(chiplet: Chiplet) -> ChipletClass:
    return (
        chiplet.dataflow,
        chiplet.processing_elements,
        chiplet.noc_bandwidth_elements_per_cycle,
        chiplet.noc_hop_latency_cycles,
    )


def array_units(
    package: ChipletPackage, params: ScheduleParams, widths: ElementWidths | None = None
) -> tuple[ArrayUnit, ...]:
    """Return the kinds of chiplets of a package as cost models take them, in the order of `ScenarioTables.class_share`."""
    kinds = sorted({_class_of(chiplet) for chiplet in package.chiplets})
    buffers = {_class_of(chiplet): chiplet.buffer_bytes for chiplet in package.chiplets}
    mappings, units = mapping_of_dataflow(params), []
    for kind in kinds:
        figures = _array_figures(kind, package, params)
        units.append(
            ArrayUnit(
                f"{kind[0]}-{kind[1]}",
                mappings[kind[0]],
                figures if widths is None else widths.on(figures),
                package.clock_hz,
                package.arithmetic.mac_energy_pj,
                package.word_bytes,
                buffers[kind],
            )
        )
    return tuple(units)


def _array_figures(kind: ChipletClass, package: ChipletPackage, params: ScheduleParams) -> ArrayFigures:
    off_chip = None
    if params.dram_rule == "maestro":
        off_chip = elements_per_cycle(package.memory.bandwidth_bytes_per_s, 8 * package.word_bytes, package.clock_hz)
    arithmetic = package.arithmetic
    return ArrayFigures(*kind[1:], arithmetic.level1_access_energy_macs, arithmetic.level2_access_energy_macs, off_chip)


def _model_tables(model: ScenarioModel, title: str, package: ChipletPackage, params: ScheduleParams) -> ModelTables:
    layers = model.network.layers
    asked = bits_of(params.bits, "params.bits") if params.bits else None
    widths = element_widths(model.network, [layer.name for layer in layers], package.bits, asked)
    estimator = array_estimator(params.cost_model, params.cost_table)
    costs = [estimator.estimate(model.network, unit) for unit in array_units(package, params, widths)]
    inputs = np.array([layer.input_elements for layer in layers], dtype=np.float64) * widths.activation_bytes
    outputs = np.array([layer.output_elements for layer in layers], dtype=np.float64) * widths.activation_bytes
    weights = np.array([layer.weight_elements for layer in layers], dtype=np.float64) * widths.weight_bytes
    return ModelTables(
        title=title,
        layers=len(layers),
        batch=model.batch,
        split=split_batch(model.batch, params.mini_batch, params.latency_reading),
        compute_s=_prefix_sums(np.array([cost.latency_s for cost in costs])),
        compute_j=_prefix_sums(np.array([cost.energy_j for cost in costs])),
        weight_bytes=_prefix_sums(weights[None, :])[0],
        input_bytes=inputs,
        layer_activation_bytes=inputs + outputs,
        output_bytes=float(outputs[-1]),
        shared=_shared_uses(layers, widths.weight_bytes),
        deadline_s=model.deadline_s,
    )


def _shared_uses(layers: Sequence[Layer], weight_bytes: FloatArray) -> tuple[SharedUse, ...]:
    """Return every use of a weight but the first one."""
    found = []
    last: dict[str, int] = {}
    for layer, size in zip(layers, weight_bytes.tolist(), strict=True):
        for name, elements in layer.shared_weights:
            if name in last:
                found.append(SharedUse(last[name], layer.index, elements * size))
            last[name] = layer.index
    return tuple(found)


def _prefix_sums(values: FloatArray) -> FloatArray:
    """Return the sums of the first 0..L columns of `values` (`K x L`), shape `K x (L + 1)`."""
    return np.concatenate([np.zeros((len(values), 1)), np.cumsum(values, axis=1)], axis=1)
