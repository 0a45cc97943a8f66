"""Table 10 and Figure 10 (b) of networks drawn from the published search spaces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import nan

import numpy as np

from engines.contract.engine import Executor
from engines.methods.sbrs.reproduction.rows import APPLICATIONS, row
from engines.methods.sbrs.reproduction.runs import ADAPTIVE, DRAWS, Drawn, drawn_application
from engines.reproduction.comparisons import Comparison

_OTHER_NETWORKS = (
    f"The published networks came out of days of search and are not published. Ours: mean of {DRAWS} applications of networks "
    "drawn at random from the published space, each trained apart, so that no two layers share weights. Buffers within one network "
    "are shared as Algorithm 2 says; every tensor has 4 bytes per element."
)
_OTHER_INPUT = " Images are taken as 224 x 224, which the paper does not print."
_OTHER_TIMES = (
    "Layer times of the published networks are not printed. Ours: mean over all pairs of networks drawn from the space, on the "
    "Jetson TX2 under the calibration tx2-hadas; only the order of the three is comparable."
)
_BLANK = dict.fromkeys(ADAPTIVE, nan)
BLANK = (Drawn(nan, _BLANK, nan, _BLANK),)


def draw(application: str, executor: Executor) -> Sequence[Drawn]:
    """As many applications of networks drawn at random as are averaged over."""
    return executor.map(drawn_application, application, list(range(DRAWS)))


def drawn_networks(application: str, drawn: Sequence[Drawn]) -> Iterator[Comparison]:
    """Table 10 of one application, and Figure 10 (b)."""
    group = "Memory and switching of networks drawn from the published spaces"
    title = APPLICATIONS[application]
    why = _OTHER_NETWORKS + (_OTHER_INPUT if application == "voc" else "")
    naive_mb = float(np.mean([each.naive_mb for each in drawn]))
    yield row(f"table10.{application}.A_IO.M_naive", f"{title}: separate networks", group, naive_mb, "predicted", why)
    for name, adaptive in ADAPTIVE.items():
        words = f"{title}, A = {{{', '.join(adaptive)}}}"
        shared = float(np.mean([each.shared_mb[name] for each in drawn]))
        saved = float(np.mean([100 * (1 - each.shared_mb[name] / each.naive_mb) for each in drawn]))
        right = all(each.shared_mb["A_IOpar"] <= each.shared_mb["A_IO"] <= each.naive_mb for each in drawn)
        yield row(f"table10.{application}.{name}.M_sbrs", f"{words}: memory", group, shared, "predicted", why)
        yield row(
            f"table10.{application}.{name}.reduction", f"{words}: memory saved", group, saved, "predicted", why,
            ordering=right,
        )  # fmt: skip
    if application == "pamap2":
        yield from _delays(drawn, group)


def _delays(drawn: Sequence[Drawn], group: str) -> Iterator[Comparison]:
    naive_ms = float(np.mean([each.naive_ms for each in drawn]))
    yield row("fig10b.switch_2_1.naive", "PAMAP2: naive switching", group, naive_ms, "predicted", _OTHER_TIMES)
    for key, name in (("sbrs_IOpar", "A_IOpar"), ("sbrs_IO", "A_IO")):
        ours = float(np.mean([each.delay_ms[name] for each in drawn]))
        right = all(each.delay_ms["A_IO"] <= each.delay_ms["A_IOpar"] <= each.naive_ms for each in drawn)
        words = f"PAMAP2, A = {{{', '.join(ADAPTIVE[name])}}}: SBRS-TP"
        yield row(f"fig10b.switch_2_1.{key}", words, group, ours, "predicted", _OTHER_TIMES, ordering=right)
