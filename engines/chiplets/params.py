"""Parameters of schedules on a package: those of an engine extend them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import choice, for_experts, for_paper, number, text
from engines.cost.device_fields import BitsName, array_bits_field
from engines.cost.estimators.registry import CostModelName, cost_model_field, cost_table_field
from engines.cost.memory_capacity import ignore_memory_field
from engines.cost.package.model import DramRule, LatencyReading
from engines.search.search_fields import population_field

Objective = Literal["edp", "latency", "energy", "weighted", "expression"]
Packing = Literal["greedy", "uniform"]
RootRule = Literal["published", "free"]
Contention = Literal["none", "between_models"]
SplitSearch = Literal["fixed", "range"]
NodeRule = Literal["provisioned", "free"]
Search = Literal["exact", "greedy", "evolutionary"]
WeightLoading = Literal["once_per_window", "every_mini_batch"]
OutputStationaryMapping = Literal["ykp_os", "ykp_os_rows", "ykp_os_kept", "yxp_os"]


class ScheduleParams(EngineParams):
    """Parameters of a schedule search: objective, method, windows, and the reading of latency."""

    objective: Objective = choice(
        "edp",
        "Objective",
        "Search",
        {
            "edp": "Energy-delay product",
            "latency": "Latency",
            "energy": "Energy",
            "weighted": "Weighted sum",
            "expression": "Own expression",
        },
        "Objective by which the schedule of each time window is chosen, as published.",
    )
    latency_weight_per_s: float = number(
        1.0,
        (0, 1e12),
        "1/s",
        "Weight of latency",
        "Search",
        "Weight of one second in the weighted sum.",
        advanced=True,
    )
    energy_weight_per_j: float = number(
        1.0, (0, 1e12), "1/J", "Weight of energy", "Search", "Weight of one joule in the weighted sum.", advanced=True
    )
    objective_expression: str = Field(
        "latency_s**2 * energy_j",
        title="Own expression",
        description="Expression for the own objective, from latency_s, energy_j, edp_js, numbers, + * / **, min, max "
        "and sqrt. It must rise with latency and energy and must never be negative.",
        json_schema_extra={"group": "Search", "tier": "expert"},
    )
    search: Search = choice(
        "exact",
        "Search of a window",
        "Search",
        {
            "exact": "Exact, with a proof",
            "greedy": "Greedy, as published",
            "evolutionary": "Evolutionary, as published for 6 x 6",
        },
        "Exact: all segmentations and paths, with a proof (a beam over a spread of paths beyond 12 chiplets). "
        "Greedy: as published, the best few segmentations. Evolutionary: as published for 6 x 6 chiplets.",
    )
    n_splits: int = number(
        4,
        (0, 8),
        "splits",
        "Window boundaries",
        "Windows",
        "Equally spaced boundaries over the slowest model's expected time; n boundaries make n + 1 time windows.",
    )
    n_splits_search: SplitSearch = for_experts(
        choice(
            "fixed",
            "Number of boundaries",
            "Windows",
            {"fixed": "Value above", "range": "Best of a range"},
            "Value above: the number above. Best of a range: the search covers every number from the "
            "smallest to the value above.",
        )
    )
    n_splits_least: int = number(
        0,
        (0, 8),
        "splits",
        "Least window boundaries",
        "Windows",
        "Where the range to search begins; it ends with the number above.",
        advanced=True,
    )
    packing: Packing = for_paper(
        choice(
            "greedy",
            "Layers to windows",
            "Windows",
            {"greedy": "Greedy packing (Algorithm 1)", "uniform": "Equal numbers of layers"},
            "Greedy: Algorithm 1, by expected time. Uniform: equal numbers of layers, the published ablation.",
        )
    )
    top_k: int = for_experts(
        number(
            4,
            (1, 64),
            "segmentations",
            "Segmentations kept per model",
            "Search",
            "Best segmentations of each model alone that are combined with those of the others (heuristic 1); greedy search only.",
        )
    )
    latency_reading: LatencyReading = for_paper(
        choice(
            "fill_drain",
            "Latency of a pipeline",
            "Windows",
            {
                "fill_drain": "Fill and drain with mini-batches",
                "pipelined_maximum": "Slowest segment",
                "end_to_end": "Sum of all segments",
            },
            "How the latencies of a network's segments in a time window add up.",
        )
    )
    mini_batch: int = for_experts(
        number(
            1,
            (1, 1024),
            "samples",
            "Mini-batch",
            "Windows",
            "Samples that move through the pipeline together (fill and drain only); larger than a batch means the batch.",
        )
    )
    weight_loading: WeightLoading = for_paper(
        choice(
            "once_per_window",
            "Weights are loaded",
            "Windows",
            {"once_per_window": "Once per window", "every_mini_batch": "With every mini-batch"},
            "Once per window, as the chapter assumes enough buffer, or again with every mini-batch.",
        )
    )
    output_stationary_mapping: OutputStationaryMapping = for_paper(
        choice(
            "ykp_os",
            "Mapping of Shi-diannao chiplets",
            "Cost model",
            {
                "ykp_os": "ykp_os",
                "ykp_os_rows": "One row per cluster",
                "ykp_os_kept": "Sums kept",
                "yxp_os": "yxp_os",
            },
            "Loop nest of an output-stationary chiplet. ykp_os equals the tables of MAESTRO; the others "
            "are not checked against it. One variant uses one output row per cluster for every stride. "
            "Another keeps partial sums in the PEs; yxp_os spreads outputs over rows and columns.",
        )
    )
    dram_rule: DramRule = for_paper(
        choice(
            "package",
            "Time of off-chip transfers",
            "Cost model",
            {"package": "Equations of the package", "maestro": "MAESTRO's off-chip rule"},
            "The package's equations: bytes over the bandwidth of an interface, once per transfer. MAESTRO's rule: no step of "
            "a layer is shorter than moving its first working set at that bandwidth.",
        )
    )
    bits: BitsName = for_experts(array_bits_field("Cost model"))
    cost_model: CostModelName = cost_model_field()
    cost_table: str = cost_table_field()
    ignore_memory: bool = ignore_memory_field("Cost model")
    contention: Contention = choice(
        "none",
        "Traffic conflicts",
        "Cost model",
        {"none": "None", "between_models": "Models wait for each other"},
        "None: every transfer has its links to itself. Otherwise transfers wait for those of other models "
        "on the same links and memory interfaces. The bound then assumes no conflicts.",
        advanced=True,
    )
    root_rule: RootRule = for_paper(
        choice(
            "published",
            "Chiplets where a model may start",
            "Search",
            {"published": "Interface chiplets and earlier ends", "free": "Any chiplet"},
            "Published: chiplets with an off-chip interface and those where a model ended in the window before.",
        )
    )
    node_rule: NodeRule = for_paper(
        choice(
            "provisioned",
            "Chiplets per model",
            "Search",
            {"provisioned": "Shared by expected effort, summed over layers", "free": "Any number"},
            "Shared: at most what the expected effort gives (eq 4.2, read as a sum over a window's layers). Any: as many as help.",
        )
    )
    model_chiplets: str = for_experts(
        text(
            "",
            "Chiplets of models",
            "Search",
            'Chiplets allowed for each model, as in "GPT-2 L: 0 1 2; U-Net: not 4 7-8". Chiplets count '
            "from 0 at the top left, row by row. Models without an entry may use all chiplets.",
        )
    )
    population: int = for_paper(
        population_field(
            10, (2, 1000), "segmentations", "Segmentations per generation of the evolutionary search of a window."
        )
    )
    generations: int = for_paper(
        number(
            4,
            (1, 1000),
            "generations",
            "Generations",
            "Search",
            "Generations of the evolutionary search of a window, the first population included.",
        )
    )
    joint_states: int = number(
        200_000_000,
        (0, 1_000_000_000),
        "states",
        "States of the joint search",
        "Search",
        "Number of states after which the exact search over all time windows ends with a gap instead of a "
        "proof. It counts for each number of window boundaries separately.",
        advanced=True,
    )
    path_limit: int = number(
        2000,
        (16, 100_000),
        "paths",
        "Paths per model and window",
        "Search",
        "Paths of chiplets that are considered for one model in one window; a note says when more exist.",
        advanced=True,
    )
