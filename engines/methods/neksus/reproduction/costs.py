"""Costs, yields and micro-bumps (sections 6.1, 6.2.4, 6.3 and 6.5.1, Table 6.8)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from engines.cost.silicon.costs import (
    Chiplets,
    LargeDies,
    Money,
    assembly_yield,
    interposer_mm2,
    large_die_money,
    package_money,
    startup_ratio,
)
from engines.cost.silicon.yields import yield_of
from engines.methods.neksus.package_cost import chiplet_bumps
from engines.methods.neksus.reproduction.common import (
    MORE_AREA,
    ONE_SET,
    PUBLICATION,
    READINGS,
    SHARE,
    published_package,
    silicon,
    system,
)
from engines.reproduction.comparisons import Comparison, Kind

_BLOCKS, _CHIPLET_MM2, _HUB_MM2 = 64, 4.0, 8.0
_ONCE_ONLY = (
    "The publication does not say for how many systems its ratio holds. The computed value covers only what is paid "
    "once."
)
_UNIT = "The publication gives 2,000 defects per mm2, of which no die would work; per m2 the published yield follows."
_PRINTED_YIELD = (
    "The ratio with perfect yields, over the yields: 66.9 % by eq. 6.1 and the published 93 %. A ratio of 5.2 would "
    "need 88 %."
)
_AREA = "Computed with the area that the text gives for redundant micro-bumps."


def costs() -> Iterator[Comparison]:
    """Yield every printed figure of the cost model."""
    yield from _yields()
    rows = PUBLICATION.rows("Costs", why=_ONCE_ONLY)
    for reading in READINGS:
        for reuse in (90, 70):
            name = f"Paid once, monolithic die over package, {reuse} % bought, perfect yield"
            kind: Kind = "fitted" if reading == MORE_AREA else "predicted"
            ratio = float(startup_ratio(*_both(reading, reuse / 100))[0])
            key = f"startup_cost_ratio_ideal_{reuse}"
            yield rows(name, key, ratio, reading=reading, kind=kind, same_side=ratio > 1)
        for reuse in (90, 70):
            name = f"Paid once, monolithic die over package, {reuse} % bought, with yields"
            kind = "fitted" if reading == MORE_AREA else "predicted"
            good = PUBLICATION.value("sip_yield") / 100
            ratio = float(startup_ratio(*_both(reading, reuse / 100), _die_yield(), good)[0])
            key, why = f"startup_cost_ratio_real_{reuse}", _AREA if reading == MORE_AREA else _PRINTED_YIELD
            yield rows(
                name, key, ratio, reading=reading, kind=kind, same_side=ratio > 1, why=why, inputs=("sip_yield",)
            )
            if reuse == 90:
                name = "Table 6.8: cost of the package, the monolithic die being 1"
                yield rows(
                    name, "table6.8.cost.neksus_sip", 1 / ratio, reading=reading, kind="repeated", same_side=ratio > 1, why=why,
                    inputs=("sip_yield",),
                )  # fmt: skip
    yield from _bumps()
    rows = PUBLICATION.rows("Figures put together", kind="arithmetic")
    gain = 100 * (PUBLICATION.value("bandwidth.active") / PUBLICATION.value("bandwidth.passive") - 1)
    name, why = (
        "Active interposer: performance by bandwidth, 37 over 32 GB/s",
        "The publication gives a potential of about 15 %.",
    )
    yield rows(
        name, "active_interposer_performance_gain", gain, why=why, inputs=("bandwidth.active", "bandwidth.passive")
    )
    die, package = (PUBLICATION.value(f"table6.8.EDP.neksus_{where}") for where in ("soc", "sip"))
    name, why = (
        "Monolithic die over package: energy saved, from the rounded products of energy and delay",
        "Both are rounded.",
    )
    yield rows(name, "soc_energy_advantage_over_sip", 100 * (1 - die / package), why=why)


def _yields() -> Iterator[Comparison]:
    rows = PUBLICATION.rows("Yields", why=_UNIT)
    yield rows("Monolithic die of 256 mm²", "soc_yield_256mm2", 100 * _die_yield(), kind="chosen", reading=SHARE)
    why = "Which chiplets count is not said, nor how much of the interposer."
    for reading in (SHARE, ONE_SET):
        yield rows(
            "Package of 64 chiplets", "sip_yield", 100 * _package_yield(reading), reading=reading, why=why, baseline=100
        )


def _die_yield() -> float:
    return float(_yield(_BLOCKS * _CHIPLET_MM2))


def _yield(area_mm2: float) -> float:
    process = silicon().processes["28nm"]
    return float(yield_of(area_mm2, process.defects_per_mm2, process.critical_share, silicon().clustering))


def _package_yield(reading: str) -> float:
    """Return the yield of 64 chiplets of which a tenth is new."""
    one = silicon()
    bonds = float(assembly_yield(one, _BLOCKS))
    area = float(interposer_mm2(one, np.array([_BLOCKS * _CHIPLET_MM2]))[0])
    critical = one.interposer.critical_share if reading == ONE_SET else 1.0
    interposer = float(yield_of(area, one.interposer.defects_per_mm2, critical, one.clustering))
    if reading == ONE_SET:
        new = float(np.prod(np.full(7, _yield(_CHIPLET_MM2))))  # 6.4 of 64, as whole chiplets
        return new * _yield(_HUB_MM2) * bonds * interposer
    return _yield(_CHIPLET_MM2) * bonds * interposer


def _both(reading: str, reuse: float) -> tuple[Money, Money]:
    """Return the monolithic die and package of 64 blocks of 4 mm²."""
    one, new = silicon(), _BLOCKS * (1 - reuse)
    die = large_die_money(
        one,
        LargeDies("28nm", np.array([_BLOCKS * _CHIPLET_MM2]), np.array([new]), np.array([_BLOCKS - new])),
    )
    rule = replace(one, chiplet_masks="one-set") if reading == ONE_SET else one
    chiplets = Chiplets(("28nm",), np.array([[_CHIPLET_MM2]]), np.array([[float(_BLOCKS)]]), np.array([[new]]))
    package = package_money(rule, chiplets)
    if reading == MORE_AREA:  # verification stays: it is the same for both (section 6.3.2)
        larger = package_money(replace(rule, chiplet_area_overhead=0.1), chiplets)
        package = replace(package, design_usd=larger.design_usd)
    return die, package


def _bumps() -> Iterator[Comparison]:
    rows = PUBLICATION.rows("Micro-bumps and wires", kind="arithmetic", reading=SHARE)
    one = system()
    yield rows("Area of a port of 256 bits", "microbumps.port_area", 256 * one.channel.bump_mm2)
    name, why = "Micro-bumps of a port with SerDes", "43 for 256 at 6:1, and one for the hand-shake."
    bumps = chiplet_bumps(one, published_package("youtube", "direct"))
    yield rows(name, "microbumps.port_with_serdes", bumps, why=why)
    why = "The delay of a multiplexer follows from the published 94 ps of a channel, and that from these 470 ps."
    name, delay_ps = "Delay over a mini-chain, 5 channels", 5 * one.channel.hop_s * 1e12
    yield rows(name, "chain.delay_5_hops", delay_ps, why=why)
