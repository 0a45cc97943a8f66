"""Parameters of Map-and-Conquer."""

from __future__ import annotations

from typing import Literal

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import choice, for_experts, for_paper, limit, number, switch
from engines.cost.calibration.unmeasured import Unmeasured, unmeasured_field
from engines.cost.device_fields import (
    BitsName,
    bits_field,
    clock_choices_field,
    clock_steps_field,
    clocks_field,
    power_mode_field,
)
from engines.cost.memory_capacity import ignore_memory_field
from engines.mapping.problem.options import Clocks
from engines.search.search_fields import evaluations_field, population_field

Method = Literal["layers", "published", "nsga2"]
Estimates = Literal["model", "boosted"]


class MapAndConquerParams(EngineParams):
    """How the network is cut, how that is searched, within which limits, at which clocks."""

    method: Method = choice(
        "nsga2",
        "Search",
        "Search",
        {
            "layers": "Layer by layer",
            "published": "Evolution, as published",
            "nsga2": "NSGA-II",
        },
        "Layer by layer: every best partial configuration is kept, exact while they fit. Evolution as published: ranked by the one "
        "figure P, elites of 10 %. NSGA-II: by accuracy, latency and energy, started from even cuts.",
    )
    evaluations: int = evaluations_field(
        12_000,
        (10, 1_000_000),
        "configurations",
        "Configurations that the evolution or NSGA-II scores: 200 generations of 60 as published. Layer by layer ends by itself.",
    )
    population: int = for_paper(population_field(60, (4, 2000), "configurations", "Configurations of a generation."))
    labels: int = number(
        200,
        (10, 20_000),
        "configurations",
        "Partial configurations kept",
        "Search",
        "Layer by layer: for each mapping and clock setting. Beyond that the best so far are kept, and a note says so.",
        advanced=True,
    )
    stages: int | None = number(
        None, (2, 6), "stages", "Stages", "Network",
        "Number of stages, each on its own unit. Empty: one for every unit that can run the network.",
    )  # fmt: skip
    partition_steps: int = for_experts(
        number(
            8,
            (2, 16),
            "parts",
            "Parts of a layer",
            "Network",
            "Every layer is cut into this many equal parts of its width, of which each stage gets at least one.",
        )
    )
    base_accuracy_percent: float = for_paper(
        number(
            88.09,
            (1.0, 100.0),
            "%",
            "Accuracy of the whole network",
            "Accuracy",
            "Accuracy of the undivided network. Visformer on CIFAR-100 as published: 88.09 %.",
        )
    )
    accuracy_loss_points: float = for_paper(
        number(
            10.0,
            (0.0, 100.0),
            "points",
            "Accuracy that width is worth",
            "Accuracy",
            "Loss of a stage that sees nothing of the network. A stage that sees a share m of what matters "
            "loses this value times (1 - m)^1.5. Assumed: the publication does not give it.",
        )
    )
    finalists: int = for_experts(
        number(
            0,
            (0, 20),
            "configurations",
            "Trained and measured",
            "Accuracy",
            "This many configurations of the front are built, fine-tuned on the data and measured at the end. 0: none. The network "
            "must be a chain of convolutions.",
        )
    )
    epochs: int = for_paper(
        number(
            15,
            (1, 500),
            "epochs",
            "Training",
            "Accuracy",
            "Training epochs of the whole network, whose weights initialise the stages.",
        )
    )
    fine_tuning_epochs: int = for_paper(
        number(8, (0, 500), "epochs", "Fine-tuning", "Accuracy", "Training epochs of each design, all stages together.")
    )
    estimates: Estimates = for_experts(
        choice(
            "model",
            "Costs of parts",
            "Device",
            {"model": "Cost model", "boosted": "Boosted trees"},
            "Boosted trees: trained on random layers that the cost model estimates; the publication trains "
            "XGBoost on benchmarks. A table shows their error.",
        )
    )
    unmeasured: Unmeasured = for_experts(unmeasured_field("Device"))
    bits: BitsName = for_experts(bits_field("Device"))
    ignore_memory: bool = ignore_memory_field("Device")
    clocks: Clocks = clocks_field("searched", "Searched with the cut", "configuration", "Device")
    clock_steps: int = for_experts(clock_steps_field(3, "Device"))
    clock_choices: str = clock_choices_field("Device")
    power_mode: str = power_mode_field("Device", advanced=True)
    reuse_most_percent: float | None = for_experts(
        limit(
            "%",
            100,
            "Reuse of features, at most",
            "Share of the layers' features that later stages read. 75 or 50 as published.",
        )
    )
    reuse_least_percent: float | None = limit("%", 100, "Reuse of features, at least", advanced=True)
    latency_limit_s: float | None = limit(
        "s", 1e6, "Latency, at most", "Mean over inputs. Configurations that take longer count as infeasible."
    )
    energy_limit_j: float | None = limit(
        "J", 1e6, "Energy, at most", "Mean over inputs. Configurations that need more count as infeasible."
    )
    memory_limit_mb: float | None = for_experts(
        limit("MB", 1e6, "Features kept, at most", "Features that wait in memory for later stages.")
    )
    accuracy_least_percent: float | None = limit("%", 100, "Accuracy, at least", "Least accuracy of the last stage.")
    baselines: bool = for_experts(
        switch(
            True,
            "Baselines",
            "Search",
            "Also score the whole network on each unit alone, at the highest of the clocks.",
        )
    )
