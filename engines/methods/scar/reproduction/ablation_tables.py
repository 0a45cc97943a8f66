"""Section 4.5.4 of the thesis and the article's tables: windows, packing, 6 x 6 chiplets, and every layout of Table IV."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engines.methods.scar.reproduction.rows import (
    ARTICLE,
    CHECKERBOARD,
    DATACENTRE,
    DEFAULT_SPLITS,
    OTHER_WINDOWS,
    SIDES,
    THESIS,
    Rows,
    percent_less,
)
from engines.reproduction.comparisons import Comparison, Kind
from engines.reproduction.rows import Publication

_LAYOUTS = ("Standalone Shi-diannao", "Standalone NVDLA", "Simba Shi-diannao", "Simba NVDLA", "Het-CB")


def ablations(rows: Rows) -> Iterator[Comparison]:
    """Yield the rows of section 4.5.4: scenario 4 with other numbers of windows, other packing, and on 6 x 6 chiplets."""
    group = "Windows, packing and 6 x 6, scenario 4"
    name = "EDP on Het-Sides: 4 window boundaries over 5"
    yield rows.sided(
        name, THESIS.printed("fig4.11.edp_gain_nsplits4_to_5"), rows.split_gain(4, 5), group, OTHER_WINDOWS
    )
    yield from _packing(rows, THESIS, group, "predicted")
    large = rows.large()
    for metric, column, title in (("edp", "edp_js", "EDP"), ("latency", "latency_s", "latency")):
        for key, baseline in (("simba_shi", "Simba Shi-diannao"), ("simba_nvdla", "Simba NVDLA")):
            name = f"6 x 6, {title}: {baseline} over Het-Cross"
            ours = large.figures(baseline)[column] / large.package[column]
            yield rows.sided(name, THESIS.printed(f"fig4.12.{metric}_vs_{key}"), ours, group)


def article(rows: Rows) -> Iterator[Comparison]:
    """Yield the rows of MICRO 2024, Table IV: every layout over Het-Sides in latency and energy-delay product; the ablations."""
    for column, title in (("edp_js", "EDP"), ("latency_s", "latency")):
        for position, scenario in enumerate(DATACENTRE):
            sides, checkerboard = (rows.outcome(scenario, package) for package in (SIDES, CHECKERBOARD))
            for layout in _LAYOUTS:
                ours = (checkerboard if layout == "Het-CB" else sides).figures(layout)[column] / sides.package[column]
                name = f"Scenario {scenario}, {title}: {layout} over Het-Sides"
                sources = [f"table_iv.{one}.{column}[{position}]" for one in (layout, "Het-Sides")]
                theirs, sides_own = (ARTICLE.value(source) for source in sources)
                over = ARTICLE.derived(theirs / sides_own, "x", *sources)
                yield rows.sided(name, over, ours, f"Table IV, {title} in the EDP search")
    group = "Windows, packing and 6 x 6, scenario 4"
    per_split = float(np.prod([rows.split_gain(n, n + 1) for n in range(1, DEFAULT_SPLITS)])) ** (1 / 3)
    name = "EDP on Het-Sides: gain per window boundary from 1 to 4"
    yield rows.sided(name, ARTICLE.printed("splits_edp_gain_up_to_4"), per_split, group, OTHER_WINDOWS)
    name = "EDP on Het-Sides: 4 window boundaries over 5"
    ours = rows.split_gain(4, 5)
    # What follows is printed in the thesis too, whose rows are counted.
    yield rows.sided(name, ARTICLE.printed("splits_edp_gain_4_to_5"), ours, group, OTHER_WINDOWS, "repeated")
    yield from _packing(rows, ARTICLE, group, "repeated")
    large = rows.large()
    for key, baseline in (("simba_shi", "Simba Shi-diannao"), ("simba_nvdla", "Simba NVDLA")):
        name = f"6 x 6, EDP: {baseline} over Het-Cross"
        ours = large.figures(baseline)["edp_js"] / large.package["edp_js"]
        yield rows.sided(name, ARTICLE.printed(f"6x6.edp_vs_{key}"), ours, group, kind="repeated")


def _packing(rows: Rows, publication: Publication, group: str, kind: Kind) -> Iterator[Comparison]:
    greedy, uniform = (rows.outcome(4, SIDES, packing=packing).package for packing in ("greedy", "uniform"))
    faster = 100 * (uniform["latency_s"] / greedy["latency_s"] - 1)
    name = "Greedy against uniform packing on Het-Sides"
    yield rows.sided(
        f"{name}: speed", publication.printed("greedy_vs_uniform.speedup"), faster, group, OTHER_WINDOWS, kind
    )
    saved = percent_less(greedy, uniform, "energy_j")
    yield rows.sided(
        f"{name}: energy saved", publication.printed("greedy_vs_uniform.energy"), saved, group, OTHER_WINDOWS, kind
    )
