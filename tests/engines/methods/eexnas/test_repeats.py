"""Networks of the front with several seeds."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from engines.contract.results import Table
from engines.data.torch_images import pinned
from engines.methods.eexnas.instance import instance_of
from engines.methods.eexnas.repeats import Repeats
from engines.running.context import LocalContext
from tests.engines.methods.eexnas.problems import eexnas_problem


def test_every_seed_is_trained_once_and_a_checkpoint_goes_on() -> None:
    problem = eexnas_problem({"seeds": 3, "epochs": 1, "generated": "motions", "windows": 80})
    instance, context = instance_of(problem), LocalContext(problem)
    networks = [instance.space.smallest]
    with pinned("cpu"):
        data = instance.read(context)
        whole, begun = (Repeats(instance, data, context, None) for _ in range(2))
        assert [share for share, _ in whole.train(networks)] == pytest.approx([1 / 3, 2 / 3, 1])
        next(iter(begun.train(networks)))
        assert not begun.done and begun.tables() == ()
        again = Repeats(instance, data, context, begun.rows)
        assert len(list(again.train(networks))) == 2
    assert np.array_equal(whole.rows, again.rows) and whole.rows.shape == (3, 2)
    (table,) = again.tables()
    assert isinstance(table, Table) and "3 seeds" in table.title
