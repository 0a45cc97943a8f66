"""Table 10 and Figure 10 (b) of networks drawn from the published search spaces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np

from engines.methods.sbrs.reproduction.runs import (
    ADAPTIVE,
    APPLICATIONS,
    DEFAULT,
    DRAWS,
    PUBLICATION,
    SampledApplication,
    drawn_application,
)
from engines.reproduction.comparisons import Comparison
from engines.reproduction.frame import Case, OutcomeReader, Part
from engines.reproduction.rows import row

_OTHER_NETWORKS = (
    f"The published networks came out of days of search and are not published. Computed: mean of {DRAWS} "
    "applications of networks drawn at random from the published space. Each network is trained apart, so that no "
    "two layers share weights. Buffers within one network are shared as Algorithm 2 says; every tensor has 4 bytes "
    "per element."
)
_OTHER_INPUT = " Images are taken as 224 x 224, which the paper does not state."
_OTHER_TIMES = (
    "Layer times of the published networks are not published. Computed: mean over all pairs of networks drawn from "
    "the space, on the Jetson TX2 under the calibration tx2-hadas. Only the order of the three is comparable."
)
_BLANK = dict.fromkeys(ADAPTIVE, nan)


@dataclass(frozen=True)
class Draw(Case[SampledApplication]):
    """An application of networks drawn at random."""

    application: str
    seed: int

    def run(self) -> SampledApplication:
        """Return its memories and delays."""
        return drawn_application(self.application, self.seed)

    def blank(self) -> SampledApplication:
        """Return None of them."""
        return SampledApplication(nan, _BLANK, nan, _BLANK)


def part(application: str, quick: bool) -> Part:
    """Return the rows of one application, means over as many draws."""

    def rows(look: OutcomeReader) -> Iterator[Comparison]:
        return drawn_networks(application, [look(Draw(application, seed)) for seed in range(DRAWS)])

    return Part(f"networks drawn for {APPLICATIONS[application]}", rows, quick)


def drawn_networks(application: str, drawn: Sequence[SampledApplication]) -> Iterator[Comparison]:
    """Yield the rows of Table 10 of one application, and Figure 10 (b)."""
    group = "Memory and switching of networks drawn from the published spaces"
    title = APPLICATIONS[application]
    why = _OTHER_NETWORKS + (_OTHER_INPUT if application == "voc" else "")
    naive_mb = float(np.mean([each.naive_mb for each in drawn]))
    table = f"table10.{application}"
    naive = PUBLICATION.printed(f"{table}.A_IO.M_naive")
    yield row(f"{title}: separate networks", naive, naive_mb, group, reading=DEFAULT, why=why)
    for name, adaptive in ADAPTIVE.items():
        words = f"{title}, A = {{{', '.join(adaptive)}}}"
        shared = float(np.mean([each.shared_mb[name] for each in drawn]))
        saved = float(np.mean([100 * (1 - each.shared_mb[name] / each.naive_mb) for each in drawn]))
        right = all(each.shared_mb["A_IOpar"] <= each.shared_mb["A_IO"] <= each.naive_mb for each in drawn)
        held, less = (PUBLICATION.printed(f"{table}.{name}.{key}") for key in ("M_sbrs", "reduction"))
        yield row(f"{words}: memory", held, shared, group, reading=DEFAULT, why=why)
        yield row(f"{words}: memory saved", less, saved, group, reading=DEFAULT, same_side=right, why=why)
    if application == "pamap2":
        yield from _delays(drawn, group)


def _delays(drawn: Sequence[SampledApplication], group: str) -> Iterator[Comparison]:
    naive_ms = float(np.mean([each.naive_ms for each in drawn]))
    printed = PUBLICATION.printed("fig10b.switch_2_1.naive")
    yield row("PAMAP2: naive switching", printed, naive_ms, group, reading=DEFAULT, why=_OTHER_TIMES)
    for key, name in (("sbrs_IOpar", "A_IOpar"), ("sbrs_IO", "A_IO")):
        ours = float(np.mean([each.delay_ms[name] for each in drawn]))
        right = all(each.delay_ms["A_IO"] <= each.delay_ms["A_IOpar"] <= each.naive_ms for each in drawn)
        words = f"PAMAP2, A = {{{', '.join(ADAPTIVE[name])}}}: SBRS-TP"
        printed = PUBLICATION.printed(f"fig10b.switch_2_1.{key}")
        yield row(words, printed, ours, group, reading=DEFAULT, same_side=right, why=_OTHER_TIMES)
