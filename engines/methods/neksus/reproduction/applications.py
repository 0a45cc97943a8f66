"""Applications of Table 6.6 (Figures 6.10 and 6.11, Table 6.8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import nan

from engines.methods.neksus.dataflow import ENERGY_PARTS, traffic_of
from engines.methods.neksus.reproduction.common import PUBLICATION, SHARE, published_package, system
from engines.reproduction.comparisons import Comparison, Kind
from engines.reproduction.frame import Case, OutcomeReader

_APPLICATIONS = ("youtube", "video-record", "photo-capture", "audio-record", "gallery", "skype")
_FRAMES = (
    "The blocks have the cycles that GemDroid gives. Once the network can carry 60 frames/s, the blocks set the "
    "time of a frame. The traces behind the published figure, and their other reads from memory, are not available."
)
_ENERGY = (
    "Mean over applications of the energy saved per bit. The labels of the power table are lost. Blocks take the "
    "same in all flows. They and the parts that are always on have a larger share here."
)
_EDP = (
    "Mean over applications of energy times the time of the slowest chain. The monolithic die via memory is 1. The "
    "time of a frame differs less between data flows here, as blocks set it."
)
_DONUT = "ButterDonut as the network of the hub, every chiplet with a port of its own. " + _FRAMES


@dataclass(frozen=True)
class Run(Case[Mapping[str, float]]):
    """An application on the published package: frames on time, energy per bit, time of a frame, share of SerDes."""

    application: str
    flow: str
    topology: str = "crossbar"
    serdes_ratio: int = 6

    def run(self) -> Mapping[str, float]:
        """Return the values by the model of the engine."""
        design = published_package(self.application, self.flow, self.topology, self.serdes_ratio)
        traffic = traffic_of(system(), system().applications[self.application].chains, design)
        serdes = float(traffic.energy_w[ENERGY_PARTS.index("SerDes")] / traffic.energy_w.sum())
        return {
            "frames": traffic.on_time, "energy": traffic.joules_per_bit, "latency": traffic.latency_s, "serdes": 100 * serdes,
        }  # fmt: skip

    def blank(self) -> Mapping[str, float]:
        """Return the published rows with NaN as computed values."""
        return dict.fromkeys(("frames", "energy", "latency", "serdes"), nan)


def applications(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield frames, energy, and both together."""
    direct, buffer, memory = (
        [look(Run(name, flow)) for name in _APPLICATIONS] for flow in ("direct", "buffer", "memory")
    )
    donut, donut_buffer = (
        [look(Run(name, flow, "butter-donut")) for name in _APPLICATIONS] for flow in ("direct", "buffer")
    )
    rows = PUBLICATION.rows("Figure 6.10: frames in their deadline", reading=SHARE, why=_FRAMES)
    for key, other, title in (("vs_via_buf", buffer, "via buffer"), ("vs_via_mem", memory, "via memory")):
        gain = _mean([own["frames"] / each["frames"] for own, each in zip(direct, other, strict=True)])
        yield rows(f"Block to block over {title}, mean of applications", f"fig6.10.{key}", gain, same_side=gain > 1)
    gains = [100 * (own["frames"] / each["frames"] - 1) for own, each in zip(direct, donut, strict=True)]
    average, peak = _mean(gains), max(gains)
    name = "Block to block over ButterDonut"
    yield rows(f"{name}, mean of applications", "fig6.10.vs_bd_average", average, same_side=average > 0, why=_DONUT)
    for key in ("fig6.10.vs_bd_peak", "sip_performance"):
        where = ", best of applications" + (" (introduction)" if key == "sip_performance" else "")
        kind: Kind = "repeated" if key == "sip_performance" else "predicted"
        yield rows(name + where, key, peak, same_side=peak > 0, why=_DONUT, kind=kind)
    rows = PUBLICATION.rows("Figure 6.11: energy per bit", reading=SHARE, why=_ENERGY)
    for keys, other, title in (
        (("fig6.11.energy_vs_buf",), buffer, "via buffer"),
        (("fig6.11.energy_vs_mem",), memory, "via memory"),
        (("fig6.11.energy_vs_bd_buf",), donut_buffer, "ButterDonut via buffer"),
        (("fig6.11.energy_vs_bd_direct", "sip_energy"), donut, "ButterDonut block to block"),
    ):
        less = _mean([100 * (1 - own["energy"] / each["energy"]) for own, each in zip(direct, other, strict=True)])
        for key in keys:
            where = " (introduction)" if key == "sip_energy" else ""
            kind = "repeated" if key == "sip_energy" else "predicted"
            whole = 100 if key == "fig6.11.energy_vs_mem" else None  # 88 % less: what is left is compared
            yield rows(
                f"Block to block, less than {title}{where}", key, less, same_side=less > 0, kind=kind, baseline=whole
            )
    share = _mean([own["serdes"] for own in direct])
    why = "Mean over applications; the label of its energy is lost."
    yield rows("Share of SerDes in the power", "serdes_power_share", share, why=why)
    yield from _products(look)


def _products(look: OutcomeReader) -> Iterator[Comparison]:
    rows = PUBLICATION.rows("Table 6.8: energy times delay", reading=SHARE, why=_EDP)
    base = [look(Run(name, "memory", serdes_ratio=1)) for name in _APPLICATIONS]
    for key, title, flow, serdes in (
        ("neksus_sip", "Package, block to block", "direct", 6),
        ("neksus_soc", "Monolithic die, block to block", "direct", 1),
        ("soc_with_buf", "Monolithic die, via buffer", "buffer", 1),
    ):
        found = [look(Run(name, flow, serdes_ratio=serdes)) for name in _APPLICATIONS]
        ratio = _mean([_product(own) / _product(other) for own, other in zip(found, base, strict=True)])
        yield rows(f"{title}, over the monolithic die via memory", f"table6.8.EDP.{key}", ratio, same_side=ratio < 1)


def _product(run: Mapping[str, float]) -> float:
    return run["energy"] * run["latency"]


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
