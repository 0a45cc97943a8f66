import numpy as np
import pytest

from engines.methods.hadas.backbone import work_up_to
from engines.methods.hadas.setup import build_setup
from tests.engines.methods.hadas.problems import measured_problem


def test_work_is_shared_by_multiply_accumulates() -> None:
    backbone = build_setup(measured_problem()).given
    work = work_up_to(backbone.table, backbone.positions.starts)
    assert backbone.ends == 3 and (np.diff(work) > 0).all() and work[-1] == pytest.approx(1)
    first = backbone.table.macs[: backbone.positions.starts[1]].sum()
    assert work[0] == pytest.approx(first / backbone.macs)


def test_only_exits_have_heads_and_the_own_end_is_free() -> None:
    setup = build_setup(measured_problem())
    for cost in setup.given.costs(setup.prices):
        assert cost.parts.shape == cost.heads.shape == (3, len(setup.settings))
        assert (cost.heads[:-1] > 0).all() and (cost.heads[-1] == 0).all()
