"""Networks of the four blocks pruned on the bundled digits, for the trends. Imported only where torch is needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engines.data.torch_images import pinned
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.myml.bench import Bench
from engines.methods.myml.choices import Choice, published
from engines.methods.myml.costs import pruning_cost
from engines.methods.myml.engine import PreparedPruning
from engines.methods.myml.instance import PUBLISHED_RATES
from engines.methods.myml.original import outputs_of
from engines.methods.myml.scoring import NetworkMeasurement
from engines.methods.myml.system import Life
from engines.running.context import LocalContext
from engines.running.files import MemoryFileStore

USER, MORE = 5, 8  # classes
MARGIN = 1.0  # points of accuracy
_RATES = (30.0, 50.0, 65.0, 78.0, 85.0, 90.0)


def pruned_on_digits(seed: int) -> Mapping[str, float]:
    """Return the sizes in bytes within the margin, accuracies in per cent, pruning times in seconds, returns of the original."""
    files = MemoryFileStore()  # of both: the original is trained once
    with pinned("cpu"):
        five, eight = (_bench(seed, classes, files) for classes in (USER, MORE))
        cpu, array = (published(platform, PUBLISHED_RATES) for platform in ("cpu", "accelerator"))
        return {
            "user": _smallest(five, cpu),
            "agnostic": _smallest(five, replace(cpu, order="user-agnostic")),
            "symmetric": _smallest(five, replace(cpu, granularity="symmetric")),
            "more": _smallest(eight, cpu),
            "lost": 100 * (five.original.accuracy - five.measured(cpu).accuracy),
            "blocks_lost": _lost_in_blocks(five, array),
            "divided": 100 * five.measured(array).accuracy,
            "undivided": 100 * five.measured(replace(array, reduction=1.0)).accuracy,
            "bottom_up_s": _pruning_s(five, cpu),
            "at_once_s": _pruning_s(five, replace(cpu, order="at-once")),
            "returns": float(len(Life(five, cpu).lived().returns)),
        }


def _bench(seed: int, classes: int, files: MemoryFileStore) -> Bench:
    given = {"hardware": get_builtin("hardware", "snapdragon-855")}
    share = (
        {"learning_share_percent": 10.0} if classes > USER else {}
    )  # eight classes cannot each have the published 15 %
    problem = make_problem("myml", given, {"user_class_count": classes, **share}, seed=seed)
    return PreparedPruning(problem).context_of(LocalContext(problem, files=files))


def _smallest(bench: Bench, like: Choice) -> float:
    """Return the bytes of the smallest network within the margin that one rate for all groups gives; of the original where none is.

    A network for all classes is compared on all classes, one for the user on the user's. The learning rate is not divided for
    the last groups: that loses what symmetric pruning needs, which is a trend of its own.
    """
    original, place = bench.original, "accuracy" if like.specific else "all_accuracy"
    networks: Sequence[NetworkMeasurement] = [
        bench.measured(replace(like, rates_percent=(rate, rate, rate, rate), reduction=1.0)) for rate in _RATES
    ]
    within = [each for each in networks if 100 * (getattr(original, place) - getattr(each, place)) <= MARGIN]
    return float(min(sum(each.size_bytes(dense=False) for each in network.kept) for network in (original, *within)))


def _lost_in_blocks(bench: Bench, array: Choice) -> float:
    """Return the points of accuracy on all classes where the original computes in blocks."""
    split, source = bench.data.validation, bench.source
    right = [
        float((outputs_of(source.network, source.images, split, form).argmax(axis=1) == split.labels).mean())
        for form in (None, array.form)
    ]
    return 100 * (right[0] - right[1])


def _pruning_s(bench: Bench, choice: Choice) -> float:
    """Return the values by the cost model, for the rest after bottom-up pruning."""
    instance, kept = bench.instance, bench.measured(replace(choice, order="bottom-up")).kept
    extra = instance.params.extra_epochs
    return pruning_cost(choice, instance.whole, kept, instance.device, instance.stage_images, extra).seconds
