"""Rows of Tables A.1 and A.3 and of Figure A.8: what needs no images of the publication."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import nan
from pathlib import Path

from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.privynas.instance import instance_of
from engines.methods.privynas.mechanism import budget_of
from engines.reproduction.comparisons import Comparison
from engines.reproduction.frame import Case, OutcomeReader
from engines.reproduction.rows import Publication

PUBLICATION = Publication(Path(__file__).parent, "odema-2024")
_LAYERS = {"MP_C": "after the third pooling", "Conv_E1": "after the first convolution of block 5"}
VARIANTS = ("VGG11", "VGG13", "VGG16", "VGG19")
_SAVED = "figA.8.latency_reduction"
DEVICES = {"hardware": "jetson-tx2", "radio": "wifi-smartphone"}
_SCALE = "study1.laplace_scale_b"
_MODELS = {
    "MobileNetv2": "MobileNetV2",
    "MobileNetv2_ret": "MobileNetV2, retrained",
    "ProxylessNAS_wl0": "ProxylessNAS",
    "ProxylessNAS_ret_wl0": "ProxylessNAS, retrained",
    "PrivacyAware_wl0": "Privacy-aware",
    "PrivacyAware_wl0.05": "Privacy-aware, with latency",
}


@dataclass(frozen=True)
class EarlierCut(Case[float]):
    """How long the device computes up to layer 8, of how long up to layer 12, in the published space on images of CIFAR-10's size.

    Of the mean over all operations of each block, on Jetson TX2, without sending.
    """

    def run(self) -> float:
        """Return the ratio."""
        inputs = {name: get_builtin("hardware", slug) for name, slug in DEVICES.items()}
        costs = instance_of(make_problem("privynas", inputs, {"space": "published", "image_side": 32})).costs
        seconds = [float(costs.stem[0]), *(float(block[0].mean()) for block in costs.blocks)]
        return sum(seconds[:9]) / sum(seconds[:13])

    def blank(self) -> float:
        """Return no ratio."""
        return nan


def cuts(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the same network at layers 8 and 12: 53 ms are 35.2 % less than the first, the second is printed."""
    why = "The published network, its images' size and the runtime are not published; the computed value is the mean of the "
    "space on 32 x 32."
    rows = PUBLICATION.rows("Figure A.8, ProxylessNAS", why=why)
    names = ("figA.8.proxyless_layer12_local_latency", "figA.8.privacy_aware_layer8_local_latency", _SAVED)
    later, private, saved = (PUBLICATION.value(name) for name in names)
    printed = PUBLICATION.derived(private / (1 - saved / 100) / later, "x", *names)
    yield rows("Latency up to layer 8 over that up to layer 12", printed, look(EarlierCut()))


def budgets(_: OutcomeReader) -> Iterator[Comparison]:
    """Yield epsilon = 2 B / b of published bounds at b = 0.5."""
    rows = PUBLICATION.rows(
        "Table A.1", kind="arithmetic", why="Published to one digit, of a bound that is rounded too."
    )
    for layer, words in _LAYERS.items():
        for variant in VARIANTS:
            bound = f"tableA.1.{layer}.bound.{variant}"
            ours = budget_of(PUBLICATION.value(bound), PUBLICATION.value(_SCALE))
            name = f"{variant} {words}: epsilon at b = 0.5"
            yield rows(name, f"tableA.1.{layer}.epsilon.{variant}", ours, inputs=(bound, _SCALE))


def arithmetic(_: OutcomeReader) -> Iterator[Comparison]:
    """Yield the means of clean and noisy, their gap, and the saving of latency."""
    why = "Total is measured with fresh noise. It is therefore near the mean of clean and noisy and not equal to it."
    rows = PUBLICATION.rows("Table A.3", kind="arithmetic", why=why)
    for model, words in _MODELS.items():
        parts = tuple(f"tableA.3.{model}.{part}_test" for part in ("clean", "noisy"))
        mean = sum(PUBLICATION.value(part) for part in parts) / 2
        yield rows(f"{words}: mean of clean and noisy", f"tableA.3.{model}.total_test", mean, inputs=parts)
    both = tuple(f"tableA.3.PrivacyAware_wl0.{part}_test" for part in ("clean", "noisy"))
    clean, noisy = (PUBLICATION.value(part) for part in both)
    yield rows("Privacy-aware: clean less noisy", "privacy_aware_clean_noisy_gap", clean - noisy, inputs=both)
    why = (
        "The two published latencies are of different layers (8 and 12) and give 47.6 %. The published 35.2 % is "
        "against ProxylessNAS at layer 8 too. Its latency there is not published: 53 / (1 - 0.352) = 81.8 ms."
    )
    rows = PUBLICATION.rows("Figure A.8", kind="arithmetic", why=why)
    layers = ("figA.8.proxyless_layer12_local_latency", "figA.8.privacy_aware_layer8_local_latency")
    before, after = (PUBLICATION.value(layer) for layer in layers)
    yield rows("Latency saved", _SAVED, 100 * (1 - after / before), inputs=layers)
