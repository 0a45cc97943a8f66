"""Parameters of the search of packages."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import field_validator

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import choice, for_experts, for_paper, limit, number, switch, text
from engines.search.search_fields import evaluations_field, population_field

TOPOLOGIES = {
    "crossbar": "Crossbar",
    "mesh": "Mesh",
    "concentrated-mesh": "Concentrated mesh",
    "star": "Star",
    "flattened-butterfly": "Flattened butterfly",
    "butter-donut": "ButterDonut",
}
FLOWS = {"memory": "Via memory", "buffer": "Via buffer", "direct": "Block to block"}
REUSE = {"for-sale": "Buy what is for sale", "none": "Design all", "each": "Block by block"}
_MOST_VALUES = 16


def split_list(words: str) -> list[str]:
    """Return the parts of a list in one text, without blanks and empty ones."""
    return [part.strip() for part in words.split(",") if part.strip()]


def whole_numbers(words: str) -> list[int]:
    """Return the numbers of a list in one text."""
    return [int(part) for part in split_list(words)]


class NeksusParams(EngineParams):
    """Applications, what may vary, volume, objectives."""

    applications: str = text(
        "youtube", "Applications", "Applications",
        "Names of the document's applications that run at the same time, apart by commas. Empty: only own chains.",
    )  # fmt: skip
    own_chains: str = for_experts(text(
        "", "Own chains", "Applications",
        "Additional chains of your own: blocks joined by hyphens, then MB per frame, frames/s and deadline "
            "in ms. Semicolons separate chains, as in: cam-img-dc 26.5 60 15; mic-ae 0.016 60 15",
    ))  # fmt: skip
    topologies: str = text(
        "crossbar, mesh, concentrated-mesh, star, flattened-butterfly", "Networks of the hub", "Package",
        "Tried: crossbar, mesh, concentrated-mesh, star, flattened-butterfly, butter-donut; apart by commas.",
    )  # fmt: skip
    chain_lengths: str = for_experts(
        text("1, 2, 3, 4", "Chiplets of a mini-chain", "Package", "Tried; 1: every chiplet has a port of its own.")
    )
    serdes_ratios: str = for_experts(
        text("1, 4, 6", "SerDes ratios", "Package", "Bits of the channel that share a wire. The search tries each.")
    )
    channel_widths: str = for_experts(text("64, 128", "Channel widths", "Package", "Tried: bits of each direction."))
    flows: str = for_experts(
        text("direct, buffer, memory", "Data flows", "Package", "Tried: direct, buffer, memory; apart by commas.")
    )
    granularities: str = for_experts(
        text(
            "1, 2",
            "Blocks of a chiplet",
            "Package",
            "Tried: this many neighbours in the order become one chiplet, where one process makes them.",
        )
    )
    reuse: str = for_experts(
        text(
            "for-sale, none",
            "Reuse",
            "Package",
            "Tried: for-sale buys every block that is for sale, none designs all. Each, in their place, decides block by block.",
        )
    )
    reuse_blocks: str = for_experts(
        text(
            "",
            "Decided block by block",
            "Package",
            "With each: the blocks that are bought or designed, apart by commas. Others are bought if they are for sale. "
            "Empty: all that are for sale.",
        )
    )
    orders: int = for_experts(number(
        4, (1, 200), "orders", "Orders of the chiplets", "Package",
        "Tried: by traffic for each length of mini-chains, as in the document, then drawn at random.",
    ))  # fmt: skip
    most_ports: int = for_experts(
        number(16, (1, 256), "ports", "Ports, at most", "Package", "Largest number of ports of the hub.")
    )
    systems: float = number(
        1e6, (1, 1e12), "systems", "Systems made", "Cost", "Number of working systems that share the one-time costs."
    )
    method: Literal["auto", "exhaustive", "evolutionary"] = choice(
        "auto", "Search", "Search",
        {"auto": "By the number of packages", "exhaustive": "All packages", "evolutionary": "NSGA-II"},
        "Every package is evaluated, except those whose bounds cannot reach the front; or NSGA-II.",
    )  # fmt: skip
    most_packages: int = number(
        20_000, (1, 2_000_000), "packages", "All packages up to", "Search",
        "Largest number of packages that the method auto evaluates completely; above it uses NSGA-II.", advanced=True,
    )  # fmt: skip
    evaluations: int = evaluations_field(4000, (10, 1_000_000), "packages", "Packages that NSGA-II evaluates.")
    population: int = for_paper(population_field(80, (4, 1000), "packages", "Packages of a generation of NSGA-II."))
    minimise_cost: bool = switch(True, "Cost", "Objectives", "On: minimise the cost of a system.")
    maximise_frames: bool = switch(
        True, "Frames on time", "Objectives", "On: maximise the share of frames that meet their deadline."
    )
    minimise_energy: bool = switch(True, "Energy per bit", "Objectives", "On: minimise the energy per bit.")
    minimise_latency: bool = for_experts(
        switch(False, "Latency", "Objectives", "On: minimise the frame time of the slowest chain.")
    )
    minimise_micro_bumps: bool = for_experts(
        switch(False, "Micro-bumps", "Objectives", "On: minimise the number of micro-bumps.")
    )
    simulate_network: bool = for_experts(switch(
        True, "Simulate the picked package", "Network",
        "Simulate packets of the selected package over load, cycle by cycle. It takes seconds and does not affect the search.",
    ))  # fmt: skip
    cost_limit_usd: float | None = limit("USD", 1e9, "Cost, at most", "Largest cost of a system.")
    latency_limit_s: float | None = limit("s", 1e4, "Latency, at most", "Largest latency of a frame.")
    least_frames_percent: float | None = limit(
        "%", 100, "Frames on time, at least", "Least share of frames on time, mean over chains."
    )
    micro_bump_limit: float | None = for_experts(
        limit("", 1e9, "Micro-bumps, at most", "Largest number of micro-bumps of the package.")
    )

    @field_validator("chain_lengths", "serdes_ratios", "channel_widths", "granularities", mode="before")
    @classmethod
    def _whole(cls, value: Any) -> Any:
        words = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        for part in split_list(words):
            if not part.isdigit() or not 1 <= int(part) <= 4096:
                raise ValueError(f"whole numbers from 1 to 4096, apart by commas; {part!r} is none")
        return _some(words)

    @field_validator("topologies")
    @classmethod
    def _topologies(cls, value: str) -> str:
        return _named(value, TOPOLOGIES)

    @field_validator("flows")
    @classmethod
    def _flows(cls, value: str) -> str:
        return _named(value, FLOWS)

    @field_validator("reuse")
    @classmethod
    def _reuse(cls, value: str) -> str:
        return _named(value, REUSE)


def _named(value: str, known: dict[str, str]) -> str:
    for part in split_list(value):
        if part not in known:
            raise ValueError(f"out of {', '.join(known)}, apart by commas; {part!r} is none")
    return _some(value)


def _some(value: str) -> str:
    if not 1 <= len(split_list(value)) <= _MOST_VALUES:
        raise ValueError(f"from 1 to {_MOST_VALUES} values")
    return value
