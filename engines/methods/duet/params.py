"""Parameters of a recommender that is split between a device and the datacentre."""

from __future__ import annotations

from typing import Literal

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import choice, for_experts, for_paper, limit, number, switch, text
from engines.methods.duet.costs import FITTED_LOOKUP_NS

_MODEL, _QUERIES, _LINK = "Model", "Queries", "Link"
_EDGE, _SERVER, _SPACE, _ACCURACY = "Device", "Datacentre", "Search space", "Accuracy"
OBJECTIVE_COLUMNS = {
    "aim_latency": "latency_s",
    "aim_edge_energy": "edge_energy_j",
    "aim_datacentre_energy": "datacentre_energy_j",
    "aim_area": "area_mm2",
    "aim_accuracy": "accuracy_loss_percent",
}


class DuetParams(EngineParams):
    """Model, queries, device, link, datacentre, and what is tried."""

    model: Literal["rm1", "rm2", "rm3", "rm4", "rm5", "own"] = choice(
        "rm1", "Recommender", _MODEL,
        {
            "rm1": "RM1: embeddings dominate", "rm2": "RM2: embeddings dominate, wider", "rm3": "RM3: bottom MLP dominates",
            "rm4": "RM4: top MLP dominates", "rm5": "RM5: tables shared by user and item", "own": "One of your own",
        },
        "RM1 to RM5 are the models of goyal-2023, Table 5.1. The fields below describe your own model.",
    )  # fmt: skip
    own_bottom_mlp: str = text(
        "128-64-32", "Bottom MLP", _MODEL,
        "Bottom MLP of your own model: widths of the dense input and of each layer. The last width is the "
            "embedding dimension. Empty: none.",
        longest=200, advanced=True,
    )  # fmt: skip
    own_top_mlp: str = text(
        "256-64-1",
        "Top MLP",
        _MODEL,
        "Top MLP of your own model: widths of its layers, the output last.",
        longest=200,
        advanced=True,
    )
    own_dimension: int = number(
        32, (1, 4096), "values", "Embedding", _MODEL, "Values of one embedding of your own model.", advanced=True
    )
    own_user_tables: int = number(
        6,
        (0, 1024),
        "tables",
        "User tables",
        _MODEL,
        "Tables of your own model that the user's history looks up.",
        advanced=True,
    )
    own_item_tables: int = number(
        2,
        (0, 1024),
        "tables",
        "Item tables",
        _MODEL,
        "Tables of your own model that a candidate looks up.",
        advanced=True,
    )
    own_shared_tables: int = number(
        0, (0, 1024), "tables", "Shared tables", _MODEL,
        "Tables of your own model that history and candidate look up; one lookup of each is the candidate.", advanced=True,
    )  # fmt: skip
    own_lookups: int = number(
        80,
        (1, 10_000),
        "lookups",
        "Lookups per table",
        _MODEL,
        "Lookups of one inference of your own model.",
        advanced=True,
    )
    own_static_share: float = number(
        0.875, (0.01, 0.99), "of 1", "Static inputs", _MODEL,
        "Share of the dense inputs of your own model that does not change from query to query.", advanced=True,
    )  # fmt: skip
    own_yaml: str = text(
        "", "Own model as YAML", _MODEL,
        "In place of the fields above: title, bottom_mlp, top_mlp, embedding_dimension, tables (side, count, lookups, entries).",
        longest=20_000, advanced=True,
    )  # fmt: skip
    query_size: int = number(1024, (1, 1_000_000), "candidates", "Query", _QUERIES, "Candidates that a query ranks.")
    queries_per_hour: float = for_experts(number(
        60.0, (0, 1e6), "1/h", "Queries of a user", _QUERIES,
        "Queries per hour, which drain the battery of the device.",
    ))  # fmt: skip
    upload_mbps: float | None = number(
        None, (0, 1e6), "Mbit/s", "Upload", _LINK,
        "Bandwidth of the uplink. Empty: the typical value of the radio description.", above=True,
    )  # fmt: skip
    delay_ms: float | None = for_experts(number(
        None, (0, 1e5), "ms", "Delay", _LINK,
        "Network round trip of every query, split or not. Empty: the typical value of the radio description. Published: 0.",
    ))  # fmt: skip
    edge_energy: Literal["published", "computed"] = for_paper(choice(
        "computed", "Energy of the device", _EDGE,
        {"computed": "Power x time", "published": "Scaled to the publication's measurement"},
        "Scaled: 2,870 x power x time, a factor fitted to one published share. It reproduces the publication; no phone draws 8 kW.",
    ))  # fmt: skip
    edge_power_w: float = number(
        3.5, (1e-3, 1e3), "W", "Power", _EDGE, "Power of the device while it computes.", advanced=True
    )
    edge_efficiency: float = number(
        0.2, (0, 1), "of 1", "Peak reached", _EDGE, "Share of the peak of all its CPU cores in 32-bit numbers.", above=True,
        advanced=True,
    )  # fmt: skip
    edge_row_ns: float = number(
        100.0, (0, 1e6), "ns", "DRAM access", _EDGE,
        "Time of an access to a row of an embedding table, without the hardware unit.", advanced=True,
    )  # fmt: skip
    idle_life_h: float = for_experts(number(
        24.0, (0.01, 1e5), "h", "Battery life otherwise", _EDGE,
        "Battery life of the device in its usual use, without these queries.",
    ))  # fmt: skip
    server_bandwidth_gb_per_s: float = number(
        80.0, (0, 1e5), "GB/s", "Memory bandwidth", _SERVER, "Memory bandwidth of a server.", above=True, advanced=True
    )
    server_peak_gflops: float = number(
        4262.4,
        (0, 1e9),
        "Gop/s",
        "Peak",
        _SERVER,
        "18 cores x 3.7 GHz x 64 operations of AVX-512.",
        above=True,
        advanced=True,
    )
    server_efficiency: float = number(
        0.25, (0, 1), "of 1", "Peak reached", _SERVER,
        "Share of the peak that the layers reach on a server.", above=True, advanced=True,
    )  # fmt: skip
    lookup_ns: float = number(
        FITTED_LOOKUP_NS, (0, 1e6), "ns", "Embedding lookup", _SERVER,
        "Time in addition to moving its bytes, with all cores busy. The default is fitted to latency "
            "shares of the publication.", advanced=True,
    )  # fmt: skip
    server_power_w: float = number(
        150.0, (1e-3, 1e5), "W", "Power", _SERVER, "Power of a server while it computes.", advanced=True
    )
    batch_overhead_us: float = number(
        0.0, (0, 1e6), "µs", "Overhead of a batch", _SERVER,
        "Time before a server starts to compute a batch.", advanced=True,
    )  # fmt: skip
    near_memory: Literal["none", "recnmp", "trim", "any"] = for_experts(choice(
        "none", "Near-memory processing", _SERVER,
        {"none": "None", "recnmp": "RecNMP", "trim": "TRiM", "any": "Try all"},
        "Lookups of candidates 10 x (RecNMP) or 39 x (TRiM) as fast. The cost of such memory is not in the model.",
    ))  # fmt: skip
    edge_near_memory: Literal["none", "recnmp", "trim", "any"] = for_experts(choice(
        "none", "Near-memory processing", _EDGE,
        {"none": "None", "recnmp": "Try RecNMP", "trim": "Try TRiM", "any": "Try both"},
        "Reads and sums of the user's own tables in DRAM 10 x (RecNMP) or 39 x (TRiM) as fast. Not with a scratchpad.",
    ))  # fmt: skip
    edge_near_memory_mm2: float = number(
        0.0,
        (0, 1e4),
        "mm²",
        "Silicon of near-memory units",
        _EDGE,
        "Power of the device. The publication gives none.",
        advanced=True,
    )
    memory: Literal["any", "scratchpad", "dram"] = for_experts(choice(
        "any", "User's own tables", _SPACE,
        {"any": "Try both", "scratchpad": "Scratchpad", "dram": "DRAM"},
        "The scratchpad's hardware unit also remembers what the static bottom MLP gave. In DRAM there is no such unit.",
    ))  # fmt: skip
    scratchpad_kib: float | None = for_experts(number(
        None, (0, 1e6), "KiB", "Scratchpad", _SPACE, "Size of an existing scratchpad. Empty: as large as the history needs.",
        above=True,
    ))  # fmt: skip
    history_share: float | None = for_experts(number(
        None, (0, 1), "of 1", "History", _SPACE,
        "Share of the model's lookups that the device keeps. Empty: the search evaluates all eighths.", above=True,
    ))  # fmt: skip
    quantise: bool = for_experts(switch(
        True, "Try int8", _SPACE,
        "Evaluate int8 for the bottom MLP, the user's tables and the user's top MLP separately.",
    ))  # fmt: skip
    loss_split_percent: float | None = for_paper(number(
        None, (-100, 100), "%", "Lost by splitting", _ACCURACY,
        "Percentage points that the model loses with all layers split and trained again. Empty: Table 5.3, or the mean "
            "of RM1 to RM3.",
    ))  # fmt: skip
    loss_int8_percent: float | None = for_paper(number(
        None, (-100, 100), "%", "Lost by int8", _ACCURACY,
        "Additional percentage points with the user's top MLP in int8; assumed for the other parts too. Empty: Table "
            "5.3, or the mean of RM1 to RM3.",
    ))  # fmt: skip
    loss_history_percent: float = for_paper(number(
        1.0, (0, 100), "%", "Lost without history", _ACCURACY,
        "Percentage points without any history, in proportion to the omitted share. Assumed.",
    ))  # fmt: skip
    loss_ratio_percent: float = for_paper(number(
        0.2, (0, 100), "%", "Lost by another ratio", _ACCURACY,
        "Percentage points per unit of distance between the split ratio and the user's share of the features. Assumed.",
    ))  # fmt: skip
    aim_latency: bool = switch(True, "Minimise latency", "Objectives", "On: an objective of the Pareto front.")
    aim_edge_energy: bool = switch(
        True, "Minimise energy of the device", "Objectives", "On: an objective of the Pareto front."
    )
    aim_datacentre_energy: bool = switch(
        False, "Minimise energy of the datacentre", "Objectives", "On: an objective of the Pareto front."
    )
    aim_area: bool = switch(False, "Minimise silicon area", "Objectives", "On: an objective of the Pareto front.")
    aim_accuracy: bool = switch(True, "Minimise accuracy lost", "Objectives", "On: an objective of the Pareto front.")
    latency_limit_s: float | None = limit("s", 1e4, "Latency, at most", "Largest latency of a query.")
    edge_energy_limit_j: float | None = limit(
        "J", 1e6, "Energy of the device, at most", "Largest device energy of a query."
    )
    area_limit_mm2: float | None = for_experts(
        limit("mm²", 1e6, "Silicon, at most", "Largest area of the hardware unit.")
    )
    accuracy_loss_limit_percent: float | None = limit(
        "%", 100, "Accuracy lost, at most", "Largest loss in percentage points. The publication stops splitting at 0.1."
    )
