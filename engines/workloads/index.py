"""The index of the zoo: what lists show of every built-in workload, so that a list neither reads tables nor draws networks.

`zoo/index.csv` is written by `tools/make_zoo_index.py`; a test compares every line with what the workload itself gives.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

import numpy as np

from engines.workloads.layer_table import network_totals
from engines.workloads.network import Network, Scenario
from engines.workloads.summary import network_in_words, scenario_in_words

INDEX = Path(__file__).parent / "zoo" / "index.csv"
PROFILE_BARS = 32
_PER_MILLE = 1000


@dataclass(frozen=True)
class WorkloadFigures:
    """A workload in a list; figures of one pass, of a scenario of all its batches, at one byte per element.

    Attributes:
        words: a few of them about what it is made of.
        parameters: weights and rows of embedding tables; each network of a scenario counts once.
        activation_peak_bytes: as in `NetworkTotals`; of a scenario the largest.
        intensity_macs_per_byte: as in `NetworkTotals`; None for a scenario.
        profile: MACs along the layers in at most `PROFILE_BARS` parts, each as a share of the largest.
    """

    words: str
    layers: int
    macs: int
    parameters: int
    activation_peak_bytes: int
    intensity_macs_per_byte: float | None
    profile: tuple[float, ...]


@dataclass(frozen=True)
class IndexLine:
    """One line of the index: the figures, and SHA-256 (hex) of the content of a network ("" for a scenario)."""

    figures: WorkloadFigures
    content_sha256: str


def figures_of(workload: Network | Scenario) -> WorkloadFigures:
    """Return the figures of a loaded network or scenario."""
    if isinstance(workload, Network):
        totals = network_totals(workload)
        intensity = round(totals.intensity_macs_per_byte, 3)
        macs = [layer.macs for layer in workload.layers]
        work = (totals.layers, totals.macs, totals.parameters, totals.activation_peak_bytes, intensity)
        return WorkloadFigures(network_in_words(workload), *work, work_profile(macs))
    each = {model.network.slug: network_totals(model.network) for model in workload.models}
    return WorkloadFigures(
        words=scenario_in_words(workload),
        layers=sum(len(model.network.layers) for model in workload.models),
        macs=sum(model.batch * model.network.macs for model in workload.models),
        parameters=sum(totals.parameters for totals in each.values()),
        activation_peak_bytes=max(totals.activation_peak_bytes for totals in each.values()),
        intensity_macs_per_byte=None,
        profile=work_profile([layer.macs * model.batch for model in workload.models for layer in model.network.layers]),
    )


def work_profile(macs: Sequence[float]) -> tuple[float, ...]:
    """Return MACs along the layers in at most `PROFILE_BARS` parts, each as a share of the largest."""
    parts = np.array_split(np.asarray(macs, dtype=np.float64), min(PROFILE_BARS, len(macs)))
    means = np.array([part.mean() for part in parts])
    return tuple(np.round(means / max(float(means.max(initial=0.0)), 1.0), 3).tolist())


@cache
def read_index() -> Mapping[str, IndexLine]:
    """Return slug -> line of every workload in the index."""
    with INDEX.open(encoding="utf-8", newline="") as file:
        return MappingProxyType({row["slug"]: _line(row) for row in csv.DictReader(file)})


def write_index(lines: Mapping[str, IndexLine]) -> None:
    """Replace the index by these lines."""
    with INDEX.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(
            ("slug", "words", "layers", "macs", "parameters", "activation_peak_bytes", "intensity_macs_per_byte",
             "profile_per_mille", "content_sha256")
        )  # fmt: skip
        for slug, line in lines.items():
            found = line.figures
            intensity = "" if found.intensity_macs_per_byte is None else found.intensity_macs_per_byte
            profile = " ".join(str(round(share * _PER_MILLE)) for share in found.profile)
            work = (found.layers, found.macs, found.parameters, found.activation_peak_bytes, intensity)
            writer.writerow((slug, found.words, *work, profile, line.content_sha256))


def _line(row: Mapping[str, str]) -> IndexLine:
    layers, macs, parameters, peak = (
        int(row[name]) for name in ("layers", "macs", "parameters", "activation_peak_bytes")
    )
    intensity = float(row["intensity_macs_per_byte"]) if row["intensity_macs_per_byte"] else None
    profile = tuple(int(share) / _PER_MILLE for share in row["profile_per_mille"].split())
    figures = WorkloadFigures(row["words"], layers, macs, parameters, peak, intensity, profile)
    return IndexLine(figures, row["content_sha256"])
