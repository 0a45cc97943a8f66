"""A pruned network is kept and comes back, and learns in a smaller network as the whole one with zeros would."""

import numpy as np
import pytest

from engines.data.digits import digits
from engines.methods.myml.choices import Choice, kept_channels
from engines.methods.myml.engine import PreparedPruning
from engines.methods.myml.instance import instance_of
from engines.methods.myml.user import equal
from engines.running.context import LocalContext
from tests.engines.methods.myml.problems import myml_problem

torch = pytest.importorskip("torch")

from engines.data.torch_images import pinned  # noqa: E402
from engines.learning.course import Course  # noqa: E402
from engines.methods.myml.bench import Bench, bench_with  # noqa: E402
from engines.methods.myml.network import factors_of, lowest_removed, masked, put_back, smaller  # noqa: E402
from engines.methods.myml.original import Original  # noqa: E402
from engines.methods.myml.pruning import Pruner, pruned  # noqa: E402

CHOICE = Choice("bottom-up", "symmetric", (50.0, 50.0, 50.0, 50.0), 0.01, 1.0, 8, "fp32", "cpu")
USER = equal((2, 3, 5, 7))


@pytest.fixture(scope="module")
def bench() -> Bench:
    """Return a bench of an original that was never trained."""
    problem = myml_problem({"user_classes": "2, 3, 5, 7"})
    return bench_with(Original(instance_of(problem), digits(), LocalContext(problem)))


def test_the_network_for_some_classes_says_of_them_what_the_original_says(bench: Bench) -> None:
    source, rows = bench.source, np.arange(5)
    images = source.images.batch(source.pool, rows)
    found = source.blank(USER.classes)(images)
    np.testing.assert_allclose(
        found.detach().numpy(), source.outputs[rows][:, list(USER.classes)], rtol=1e-4, atol=1e-6
    )


def test_what_pruning_gives_comes_back_from_its_bytes(bench: Bench) -> None:
    source = bench.source
    source.outputs[:, list(USER.classes)] += 10  # the original takes everything for one of the user's classes
    found = pruned(source, CHOICE, USER, bench.context.random, lambda: False)
    assert found is not None
    assert found.images_seen == 4 * 4 * 4  # of four stages, four images of four classes; none was left out
    for layer, mask in zip(source.layers[1:], found.masks[1:], strict=True):
        assert mask.any(axis=0).sum() == kept_channels(layer.channels, 50.0)
    again = source.restored(CHOICE, USER.classes, found.state())
    assert again.images_seen == found.images_seen and again.classes == USER.classes
    images = source.images.batch(source.pool, np.arange(5))
    torch.testing.assert_close(again.network(images), found.network(images))
    assert all((a == b).all() for a, b in zip(again.masks, found.masks, strict=True))
    assert pruned(source, CHOICE, USER, bench.context.random, lambda: True) is None


def test_images_that_are_taken_for_other_classes_are_seen_and_left_out(bench: Bench) -> None:
    source, random = bench.source, np.random.default_rng(0)
    labels = source.pool.labels
    source.outputs[:] = np.eye(10)[labels]
    source.outputs[np.flatnonzero(labels == 2)[::2]] = np.eye(10)[0]
    rows, seen = source.drawn(USER, 60, random)
    assert len(rows) == 60 < seen and set(labels[rows]) <= set(USER.classes)
    assert (source.outputs[rows].argmax(axis=1) != 0).all()
    source.outputs[:] = np.eye(10)[0]
    with pytest.raises(RuntimeError, match="takes none of"):
        source.drawn(USER, 2, random)


@pytest.mark.parametrize("granularity", ["symmetric", "asymmetric"])
def test_what_is_gone_stays_gone_and_the_rest_has_learnt(granularity: str) -> None:
    problem = myml_problem()
    instance, context = instance_of(problem), LocalContext(problem)
    choice = Choice("bottom-up", granularity, (50.0, 50.0, 50.0, 50.0), 1e-2, 1.0, 8, "fp32", "cpu")
    with pinned("cpu"):
        bench = PreparedPruning(problem).context_of(context)
        pruner = Pruner(bench.source, choice, instance.user, context.random)
        Course(pruner).finish()
        found = pruner.found
        before = bench.source.blank(instance.user.classes)
    for number, (part, old, mask) in enumerate(zip(found.network.parts, before.parts, found.masks, strict=True)):
        kept = (
            part.weight.detach().flatten(2).abs().sum(2).numpy()
            if part.weight.dim() == 4
            else part.weight.detach().numpy()
        )
        assert (kept[~mask] == 0).all()
        assert mask.all() == (number == 0)
        assert not torch.equal(part.weight, old.weight)


def test_a_smaller_network_has_the_gradients_of_the_one_with_zeros_and_gives_its_weights_back() -> None:
    problem = myml_problem()
    instance, context = instance_of(problem), LocalContext(problem)
    with pinned("cpu"):
        whole = PreparedPruning(problem).context_of(context).source.blank(instance.user.classes)
        whole.requires_grad_(True)
        masks = [
            np.ones((layer.filters if number < len(instance.layers) - 1 else 4, layer.channels), dtype=bool)
            if layer.first
            else lowest_removed(whole, number, max(1, layer.channels // 2), False, "l2")
            for number, layer in enumerate(instance.layers)
        ]
        masked(whole, factors_of(whole, masks))
        small = smaller(whole, instance.layers, masks)
        images = torch.rand(5, 1, 8, 8, generator=torch.Generator().manual_seed(0))
        for network in (whole, small):
            network(images).square().sum().backward()
            with torch.no_grad():
                for part in network.parts:
                    part.weight -= 0.01 * part.weight.grad
                    part.bias -= 0.01 * part.bias.grad
        masked(whole, factors_of(whole, masks))
        again = PreparedPruning(problem).context_of(context).source.blank(instance.user.classes)
        put_back(small, again, instance.layers, masks)
        masked(again, factors_of(again, masks))
        torch.testing.assert_close(again(images), whole(images), rtol=1e-4, atol=1e-4)
