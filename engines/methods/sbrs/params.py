"""Parameters of the switching application."""

from __future__ import annotations

from typing import Literal

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import choice, for_experts, for_paper, limit, number, text
from engines.cost.calibration.unmeasured import Unmeasured, unmeasured_field
from engines.cost.device_fields import power_mode_field, precision_field, unit_field

AdaptiveSets = Literal["all", "io_par", "io", "none"]
ScenarioSets = Literal["all", "selected"]
Request = Literal["first", "mean", "worst"]
REQUIREMENTS_OF_CIFAR_10 = "r1: 1 0 0 0; r2: 0.25 0.25 0.25 0.25; r3: 0.5 0.25 0 0.25; r4: 0.5 0 0 0.5"


class SbrsParams(EngineParams):
    """Parameters: requirements of the application, sharing, switching, and conditions in flight."""

    requirements: str = text(
        REQUIREMENTS_OF_CIFAR_10,
        "Requirement sets",
        "Scenarios",
        "A name and four weights for each: accuracy, throughput, memory, energy; they sum to 1. Each set is served by the "
        "network with the lowest weighted rank. The default is that of the paper for CIFAR-10.",
    )
    accuracies: str = text(
        "",
        "Accuracies",
        "Scenarios",
        'Accuracy of each network in %, as in "resnet18: 69.8; mobilenet-v2: 71.9", on data of your own. Empty: unknown, and '
        "accuracy counts as equal in all ranks.",
    )
    scenario_sets: ScenarioSets = for_experts(
        choice(
            "all",
            "Networks in the application",
            "Scenarios",
            {"all": "Every choice of networks", "selected": "Only those that requirement sets select"},
            "Every choice: which networks the application holds is searched with what it shares. Only the selected: the "
            "paper's way.",
        )
    )
    smallest_set: int = number(
        2, (1, 12), "networks", "At least in an application", "Scenarios",
        "Least number of networks in an application. One network is a static application without switching.", advanced=True,
    )  # fmt: skip
    largest_set: int = for_experts(number(
        5, (1, 12), "networks", "At most in an application", "Scenarios",
        "Largest number of networks in an application.",
    ))  # fmt: skip
    adaptive: AdaptiveSets = choice(
        "all",
        "Adaptive attributes",
        "Sharing",
        {"all": "Every set", "io_par": "Inputs, outputs, parameters", "io": "Inputs, outputs", "none": "None"},
        "Properties of a shared layer that may change at run time (set A). A larger set shares more, and a "
        "switch may take longer.",
    )
    parameter_equality: Literal["values", "shapes"] = for_paper(
        choice(
            "values",
            "Parameters are the same",
            "Sharing",
            {"values": "Where their values are", "shapes": "Where their shapes are"},
            "Values: networks trained apart share no weights. Shapes: one set of weights serves all layers of its shape, "
            "which needs training together.",
        )
    )
    protocol: Literal["printed", "safe"] = for_paper(
        choice(
            "printed",
            "Switching",
            "Switching",
            {"printed": "As published", "safe": "Waits for shared buffers"},
            "As published: a step waits only until its layer is free. A shared buffer may then need a "
            "second copy during a switch. The other option waits until the old scenario has read the "
            "buffer.",
        )
    )
    request: Request = for_experts(choice(
        "first", "Request comes in", "Switching",
        {"first": "The first step", "mean": "Any step (mean)", "worst": "Any step (longest)"},
        "Step of the running network in which the switch is requested. The published figure shows the first.",
    ))  # fmt: skip
    precision: Literal["fp32", "fp16"] = precision_field("Device", whole=True)
    unit: str = unit_field("Device", advanced=True)
    unmeasured: Unmeasured = for_experts(unmeasured_field("Device"))
    power_mode: str = power_mode_field("Device", advanced=True)
    memory_limit_mb: float | None = limit(
        "MB",
        1e9,
        "Memory, at most",
        "Applications that need more are left out.",
        none="the memory of the device, if known",
    )
    response_limit_s: float | None = limit(
        "s", 1e9, "Response delay, at most", "Applications that take longer for a switch are left out."
    )
    budget_profile: str = text(
        "",
        "Power budget",
        "Mission",
        "Name of the profile in W of the environment that says what may be spent. Empty: its first one in W.",
        advanced=True,
    )
    powers_w: str = for_experts(
        text(
            "",
            "Measured powers",
            "Mission",
            'Power of each network while it runs in W, as in "resnet18: 11.2; mobilenet-v2: 31". Empty: as the cost model says.',
        )
    )
    reserve_percent: float = for_experts(number(
        5.0, (0, 100), "%", "Reserve", "Mission",
        "Charge above the minimum level below which only the network with the least energy runs.",
    ))  # fmt: skip
    complexity_hold_s: float = number(
        900.0, (1, 1e6), "s", "Inputs stay similar for", "Mission",
        "Time after which the complexity of inputs is drawn again, for the data-driven application.", advanced=True,
    )  # fmt: skip
