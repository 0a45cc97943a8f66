"""Rows of the tracker, of printed figures put together, of speed and of pruning time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from engines.methods.myml.layers import GROUPS, whole
from engines.methods.myml.reproduction.networks import (
    EXTRA_EPOCHS,
    IMAGES,
    STAGE_IMAGES,
    device,
    fitted_host,
    kept_at,
    layers_of,
    throughput,
)
from engines.methods.myml.tracker import entropy_bits, hits_needed
from engines.reproduction.comparisons import Comparison
from engines.reproduction.rows import Publication

PAPER = Publication(Path(__file__).parent, "goyal-2023")
NETWORKS = {"inception": ("inception-v3", "Inception-V3"), "resnet50": ("resnet50", "ResNet-50")}
_RATES = (
    "Rates of blocks are in figures alone. The computed values fall in a straight line from the published 78 %, scaled "
    "to the size."
)
"the size."
_KERNELS = (
    "The computed value counts operations; the publication measured kernels that leave part of what is skipped unused."
)


def counts() -> Iterator[Comparison]:
    """Yield what follows from the published rules."""
    rows = PAPER.rows("Tracker and images", kind="arithmetic")
    yield rows("Largest entropy of five classes", "tracker.max_entropy_5_classes", float(entropy_bits(np.full(5, 0.2))))
    yield rows("Images of a user class in a window of 50", "learning.min_hits_of_50", float(hits_needed(50, 0.15)))
    yield rows("Images of a block", "pruning.images_per_block", float(40 * 5))
    yield rows("Images of the pruning", "pruning.total_images", float((GROUPS + EXTRA_EPOCHS) * STAGE_IMAGES))
    yield rows("Updates of a block", "batch.updates", float(STAGE_IMAGES // 8))
    yield rows("Images for as many updates in batches of 128", "batch.dataset_at_128", float(128 * (STAGE_IMAGES // 8)))


def arithmetic() -> Iterator[Comparison]:
    """Yield the printed figures against each other."""
    rows = PAPER.rows("Published values combined", kind="arithmetic")
    value = PAPER.value
    times = {
        "inception": ("table4.2.cpu_asymmetric_fp32", "table4.2.tpu_symmetric_bfp16"),
        "resnet50": ("table4.3.cpu_asymmetric_fp32", "table4.3.tpu_symmetric_bfp16"),
    }
    for name, (_, title) in NETWORKS.items():
        cpu, tpu = (float(value(key)) for key in times[name])
        yield rows(f"{title}: CPU over accelerator, from the times", f"{name}.tpu_vs_cpu_pruning", cpu / tpu)
        yield rows(
            f"{title}: images per second on the CPU, from the time", f"{name}.cpu.pruning_throughput", IMAGES / cpu
        )
        yield rows(f"{title}: images per second on the accelerator", f"{name}.tpu.pruning_throughput", IMAGES / tpu)
    for place, key in enumerate(("avg_pruning_cpu", "avg_pruning_tpu")):
        mean = float(np.mean([float(value(keys[place])) for keys in times.values()]))
        yield rows(f"Mean time of pruning, {'CPU' if place == 0 else 'accelerator'}", key, mean)
    own = float(value("inception.energy_user_specific"))
    why = "From the published joules; the text divides otherwise and names the two the other way round."
    for place, key in enumerate(("inception.energy_original", "inception.energy_agnostic")):
        words = ("original", "user-agnostic")[place]
        more = 100 * (float(value(key)) / own - 1)
        yield rows(
            f"Inception-V3: energy of the {words} above the user's",
            f"inception.energy_reductions[{place}]",
            more,
            why=why,
        )
    yield rows("Share of the classes that are the user's", "practical.user_class_share", 100 * 10 / 119)
    ratio = float(value("resnet50.original_size")) / float(value("resnet50.tpu.size"))
    yield rows("ResNet-50: times smaller on the accelerator, from the sizes", "resnet50.tpu.size_reduction", ratio)


def speed() -> Iterator[Comparison]:
    """Yield how much faster a network of the published size is by the cost model."""
    rows = PAPER.rows("Speed at the published sizes", why=f"{_RATES} {_KERNELS}")
    host = _host()
    for name, (slug, title) in NETWORKS.items():
        before = [whole(layer) for layer in layers_of(slug)]
        for platform, part in (("cpu", "cpu"), ("accelerator", "tpu")):
            size = f"{name}.{part}.size_reduction" + ("_vs_original" if part == "cpu" else "")
            gain = f"{name}.{part}.speedup" + ("_vs_original" if part == "cpu" else "")
            kept = kept_at(slug, float(PAPER.value(size)), platform == "cpu")
            made = device(host)
            ours = made.inference(before, platform).seconds / made.inference(kept, platform).seconds
            words = "CPU" if part == "cpu" else "accelerator"
            yield rows(f"{title}: times faster, {words}", gain, ours, same_side=ours > 1, inputs=(size,))
    kept = kept_at("inception-v3", float(PAPER.value("inception.cpu.size_reduction_vs_original")), True)
    pointers = [each.pointer_bytes for each in kept if each.asymmetric]
    yield rows(
        "Inception-V3: pointers of a layer, mean", "bookkeeping.metadata", sum(pointers) / len(pointers) / 1000,
        why="The computed one has two bytes for each pointer, which the publication does not print.",
    )  # fmt: skip


def pruning() -> Iterator[Comparison]:
    """Yield the throughput of pruning, and the accelerator against the CPU."""
    rows = PAPER.rows("Tables 4.2 and 4.3", why=f"{_RATES} A fifth of the CPU's peak is assumed.")
    host = _host()
    for name, (slug, title) in NETWORKS.items():
        cpu = throughput(slug, float(PAPER.value(f"{name}.cpu.size_reduction_vs_original")), "cpu")
        array = throughput(slug, float(PAPER.value(f"{name}.tpu.size_reduction")), "accelerator", host)
        fitted = name == "resnet50"
        yield rows(f"{title}: images per second, CPU", f"{name}.cpu.pruning_throughput", cpu)
        yield rows(
            f"{title}: images per second, accelerator", f"{name}.tpu.pruning_throughput", array,
            kind="fitted" if fitted else "predicted",
        )  # fmt: skip
        yield rows(
            f"{title}: pruning on the accelerator against the CPU", f"{name}.tpu_vs_cpu_pruning", array / cpu,
            same_side=array > cpu, kind="repeated",
        )  # fmt: skip


def _host() -> float:
    """Return the host throughput fitted to ResNet-50 on the accelerator."""
    return fitted_host(
        "resnet50",
        float(PAPER.value("resnet50.tpu.size_reduction")),
        float(PAPER.value("resnet50.tpu.pruning_throughput")),
    )
