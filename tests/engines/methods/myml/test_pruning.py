"""A pruned network is kept and comes back, and images are those that the original takes for the user's."""

import numpy as np
import pytest

from engines.data.digits import digits
from engines.methods.myml.choices import Choice, kept_channels
from engines.methods.myml.instance import instance_of
from engines.methods.myml.user import equal
from engines.running.context import LocalContext
from tests.engines.methods.myml.problems import myml_problem

torch = pytest.importorskip("torch")

from engines.methods.myml.bench import Bench, bench_with  # noqa: E402
from engines.methods.myml.original import Original  # noqa: E402
from engines.methods.myml.pruning import pruned  # noqa: E402

CHOICE = Choice("bottom-up", "symmetric", (50.0, 50.0, 50.0, 50.0), 0.01, 1.0, 8, "fp32", "cpu")
USER = equal((2, 3, 5, 7))


@pytest.fixture(scope="module")
def bench() -> Bench:
    """Of an original that was never trained."""
    problem = myml_problem({"user_classes": "2, 3, 5, 7"})
    return bench_with(Original(instance_of(problem), digits(), LocalContext(problem)), digits())


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
