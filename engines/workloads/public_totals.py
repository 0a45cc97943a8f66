"""The zoo next to the totals that authors publish: MACs and parameters, with the reason wherever they differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any, Literal

from engines.workloads.builtins import ZOO, builtin_networks
from engines.workloads.loader import builtin_network
from hardware.documents import load_yaml

TOLERANCE = 0.01
Verdict = Literal["within 1 %", "as published", "exception", "off", "no public total"]


@dataclass(frozen=True)
class TotalComparison:
    """One total of one network.

    Attributes:
        figure: "GMACs" or "M parameters".
        public: as published; None without a publication.
        ours: of the network in the zoo, with parameters of layers that never run.
        verdict: "as published" where the computed value rounds to the published digits; "off" where it differs without a reason.
        words: source, or the reason.
    """

    slug: str
    figure: str
    public: float | None
    ours: float
    verdict: Verdict
    words: str

    @property
    def error(self) -> float | None:
        """Relative difference of ours."""
        return None if self.public is None else self.ours / self.public - 1


@cache
def public_totals() -> Mapping[str, Mapping[str, Any]]:
    """Return slug -> published totals and their source."""
    return load_yaml(ZOO / "public-totals.yaml")


def compare_totals() -> list[TotalComparison]:
    """Return every network of the zoo, in its order; two comparisons where both totals are published."""
    return [comparison for slug in builtin_networks() for comparison in compare_network(slug)]


def compare_network(slug: str) -> list[TotalComparison]:
    """Return the comparisons of one network; one without public figure if it has none."""
    network, public = builtin_network(slug), public_totals().get(slug, {})
    parameters = network.parameters + public.get("never_executed_parameters", 0)
    found = []
    for key, figure, ours in (
        ("gmacs", "GMACs", network.macs / 1e9),
        ("parameters_m", "M parameters", parameters / 1e6),
    ):
        if key in public:
            verdict, words = _verdict(public[key], ours, public)
            found.append(TotalComparison(slug, figure, float(public[key]), ours, verdict, words))
    if not found:
        words = str(public.get("source", "built from its definition"))
        found.append(TotalComparison(slug, "GMACs", None, network.macs / 1e9, "no public total", words))
    return found


def _verdict(public: float, ours: float, totals: Mapping[str, Any]) -> tuple[Verdict, str]:
    source = str(totals["source"]) + ("; recalled, not read again" if totals.get("recalled") else "")
    if abs(ours / public - 1) <= TOLERANCE:
        return "within 1 %", source
    digits = -int(Decimal(str(public)).as_tuple().exponent)
    if round(ours, digits) == public:
        return "as published", source
    return ("exception", str(totals["because"])) if "because" in totals else ("off", source)
