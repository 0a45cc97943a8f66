"""Published values combined, and the accuracies that the model was fitted to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import factorial

from engines.methods.map_and_conquer.reproduction.published import FITTED, PUBLICATION, fitted_loss_points, missing_of
from engines.reproduction.comparisons import Comparison
from engines.reproduction.rows import row

_ENTRIES = {
    "visformer": 80,
    "vgg19": 34,
}  # layers times two stages that hand on, of which every printed share is a multiple
_MODELS = tuple(f"{limit}_Ours-{which}" for limit in ("noconstr", "c75", "c50") for which in "LE")

_GPU_J, _DLA_S = "baseline_GPU.avg_energy", "baseline_DLA.avg_latency"
_RATIOS = (
    ("VGG19: most energy gained over the GPU", "vgg19.energy_gain", f"vgg19.{_GPU_J}", "vgg19.c75_Ours-E.avg_energy"),
    (
        "VGG19: most speed gained over the DLA",
        "vgg19.latency_speedup",
        f"vgg19.{_DLA_S}",
        "vgg19.noconstr_Ours-L.avg_latency",
    ),
    (
        "Visformer: speed gained over the DLA",
        "visformer.fig2.11.latency_speedup_vs_dla",
        f"visformer.{_DLA_S}",
        "visformer.c75_Ours-E.avg_latency",
    ),
)


def fitted_accuracy() -> Iterator[Comparison]:
    """Yield the accuracy of the last stage at two printed shares of reuse."""
    base, worth = PUBLICATION.value("table2.3.visformer.baseline_GPU.top1_acc"), fitted_loss_points()
    why = "One parameter for two accuracies, and the cut in halves is assumed: how layers were cut is not published."
    for name, words in zip(FITTED, ("no limit on reuse", "at most 50 % reused"), strict=True):
        ours = base - worth * missing_of(PUBLICATION.value(f"{name}.fmap_reuse"))
        yield row(
            f"Visformer, {words}: accuracy of the model of least energy", PUBLICATION.printed(f"{name}.top1_acc"), ours,
            "Accuracy by reuse (Table 2.3)", kind="fitted", why=why, inputs=[f"{name}.fmap_reuse"], baseline=base,
        )  # fmt: skip


def arithmetic() -> Iterator[Comparison]:
    """Yield values derived from other published values."""
    group = "Published values combined"
    ratios, units = PUBLICATION.value("channel_partition_ratios_per_layer"), PUBLICATION.value("n_compute_units_M")
    settings = PUBLICATION.value("dvfs_settings")
    each = ("channel_partition_ratios_per_layer", "n_compute_units_M", "dvfs_settings")
    size, why = ratios**units * factorial(units) * settings, "Published as an order of magnitude."
    yield _row("Configurations of one layer", "per_layer_space_size", size, group, why, each)
    budget = ("ea.generations", "ea.population")
    scored = PUBLICATION.value(budget[0]) * PUBLICATION.value(budget[1])
    yield _row("Evaluations", "ea.total_evaluations", scored, group, "", budget)
    table = "table2.3"
    for words, key, over, under in _RATIOS:
        names = (f"{table}.{over}", f"{table}.{under}")
        yield _row(words, key, PUBLICATION.value(names[0]) / PUBLICATION.value(names[1]), group, "", names)
    names = (f"{table}.visformer.baseline_DLA.avg_energy", f"{table}.visformer.noconstr_Ours-E.avg_energy")
    saved = 100 * (1 - PUBLICATION.value(names[1]) / PUBLICATION.value(names[0]))
    yield _row(
        "Visformer: energy saved compared with the DLA", "visformer.fig2.11.energy_gain_vs_dla", saved, group, "", names
    )
    yield from _shares()


def _shares() -> Iterator[Comparison]:
    """Yield the printed shares of reuse as multiples of one over the entries of I."""
    why = "Published with two digits, some of them cut off."
    for network, entries in _ENTRIES.items():
        for model in _MODELS:
            key = f"table2.3.{network}.{model}.fmap_reuse"
            nearest = 100 * round(PUBLICATION.value(key) * entries / 100) / entries
            name = f"{network}, {model}: reuse as a multiple of 1/{entries}"
            yield _row(name, key, nearest, "Shares of reuse (Table 2.3)", why, (key,))


def _row(name: str, key: str, ours: float, group: str, why: str, inputs: Sequence[str]) -> Comparison:
    return row(name, PUBLICATION.printed(key), float(ours), group, kind="arithmetic", why=why, inputs=inputs)
