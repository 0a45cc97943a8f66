"""Parameters of run-time controllers of split computing. Defaults are those of odema-2024 section 5.5."""

from __future__ import annotations

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import for_experts, for_paper, limit, number, switch, text
from engines.simulation.radio_link import (
    ChannelKind,
    QueueKind,
    bandwidth_field,
    capacity_field,
    channel_field,
    load_field,
    queue_delay_field,
    queue_field,
    round_trip_field,
    task_field,
)


class SplitComputingParams(EngineParams):
    """Parameters of car, channel and server, the information in the context, and the controllers to evaluate."""

    pipelines: int = number(
        4, (2, 64), "pipelines", "Sensor pipelines", "Car", "Networks that run in every window, one per sensor."
    )
    offloadable: str = for_experts(text(
        "2 3", "Offloaded at once", "Car",
        "Numbers of pipelines that a controller may send, in addition to none; spaces separate them. At "
            "least one stays in the car.",
        longest=200,
    ))  # fmt: skip
    encoder_ms: float = for_experts(
        number(
            3.78, (0, 1e5), "ms", "Encoder", "Car", "Time of one pipeline up to the bottleneck, in the car.", above=True
        )
    )
    tail_ms: float = for_experts(
        number(
            13.25,
            (0, 1e5),
            "ms",
            "Rest of a pipeline",
            "Car",
            "Time of the layers after the bottleneck, in the car.",
            above=True,
        )
    )
    local_power_w: float = for_experts(
        number(7.05, (0, 1e5), "W", "Power", "Car", "Power of the car's computer while it computes.", above=True)
    )
    payload_bytes: int = for_experts(
        number(
            11844,
            (1, 10**9),
            "B",
            "Payload",
            "Car",
            "Data of one pipeline: 84 x 47 values of three channels in 8 bits.",
        )
    )
    accuracy_given_up_percent: float = for_experts(number(
        2.0, (0, 100), "points", "Accuracy given up, at most", "Car",
        "Largest loss of a trained bottleneck, if bottlenecks are given. Among those that lose no more, "
            "the one that sends least is used.",
    ))  # fmt: skip
    deadline_ms: float | None = number(
        None,
        (0, 1e6),
        "ms",
        "Deadline",
        "Car",
        "Deadline of a time window. Empty: the time of all pipelines in the car.",
        above=True,
    )
    channel: ChannelKind = channel_field(
        "rayleigh", "Channel and server", "Model of the variation, if no trace is given."
    )
    bandwidth_mbps: float = bandwidth_field(
        8.0, "Channel and server", "Bandwidth of the upload: the scale of the Rayleigh distribution, or the value."
    )
    queue: QueueKind = for_experts(
        queue_field("geometric", "Channel and server", "Model of the variation, if no trace is given.")
    )
    load: float = for_experts(load_field("Channel and server"))
    capacity: int = capacity_field("Channel and server")
    task_ms: float = task_field(1.0, "Channel and server")
    round_trip_ms: float | None = round_trip_field("Channel and server")
    queue_ms: float = for_experts(
        queue_delay_field(15.0, "Channel and server", "Waiting time at the server, for a constant delay.")
    )
    quality_threshold: float = for_experts(number(
        0.68, (0, 1), "mAP", "Robust from", "Scenes",
        "Detection quality (mAP) below which a window is risky to offload.", above=True,
    ))  # fmt: skip
    context_share: float = for_experts(number(
        0.1, (0, 1), "of 1", "Context share", "Scenes",
        "Share of the variance of robustness that the previous scene explains, 0 to 1. The default is fitted to the "
            "published controller.",
    ))  # fmt: skip
    penalty: float = for_paper(number(
        -2.0, (-1e6, -1e-6), "", "Penalty P", "Published controller",
        "Penalty in the reward for risky windows and missed deadlines.",
    ))  # fmt: skip
    dqn: bool = for_paper(switch(
        True, "Train the double DQN", "Published controller",
        "Also train the published controller, a double DQN. It takes half a minute and needs torch.",
    ))  # fmt: skip
    dqn_updates: int = for_paper(number(
        20_000, (10, 1_000_000), "updates", "Updates", "Published controller",
        "Updates of its weights, each after eight more time windows.",
    ))  # fmt: skip
    hidden: int = for_paper(
        number(
            64,
            (2, 128),
            "neurons",
            "Hidden neurons",
            "Published controller",
            "Neurons of each of the two hidden layers.",
        )
    )
    learning_rate: float = for_paper(
        number(1e-3, (1e-6, 1), "", "Learning rate", "Published controller", "Learning rate of Adam.")
    )
    discount: float = for_paper(number(
        0.0, (0, 0.99), "", "Discount", "Published controller",
        "Discount factor of future rewards. Windows are independent, so looking ahead gains nothing.",
    ))  # fmt: skip
    windows: int = for_experts(number(
        50_000, (100, 1_000_000), "windows", "Windows", "Evaluation",
        "Number of sampled windows, the same for all controllers.",
    ))  # fmt: skip
    energy_limit_j: float | None = limit(
        "J", 1e6, "Energy of a window, at most", "Largest mean energy of the car per window."
    )
    risky_limit_percent: float | None = limit(
        "%", 100, "Risky windows, at most", "Largest share of windows that are offloaded though not robust."
    )
    missed_limit_percent: float | None = for_experts(
        limit("%", 100, "Missed deadlines, at most", "Largest share of windows that end after the deadline.")
    )
