from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.documents.problems import make_problem
from engines.methods.magnas.supernet.engine import space_of
from tests.engines.methods.magnas.trained_for_tests import pace, run_of

torch = pytest.importorskip("torch")


@pytest.mark.long
def test_the_default_supernet_learns_the_digits() -> None:
    begin = time.process_time()
    steps = run_of()
    designs = Designs.concatenate([step.designs for step in steps if step.designs is not None])
    test = designs.columns["test_accuracy_percent"]
    print(f"{time.process_time() - begin:.0f} s of one core; test accuracy {test.min():.1f} to {test.max():.1f} %")
    assert np.median(test) > 95.0 and test.max() > 97.5
    operations = designs.columns["macs"]
    assert np.corrcoef(np.argsort(np.argsort(operations)), np.argsort(np.argsort(test)))[0, 1] > 0


@pytest.mark.parametrize(
    "params", [{}, {"width": 64}, {"image_side": 16, "batch_size": 32}, {"family": "small_pyramid"}]
)
def test_there_is_a_checkpoint_at_least_once_a_minute(params: dict[str, Any]) -> None:
    found = pace(**params)
    assert found.seconds / (found.steps / (found.report_steps * found.checkpoint_reports)) < 60.0


def test_reports_come_as_often_as_ever() -> None:
    paces = [pace(**params) for params in ({}, {"width": 32}, {"batch_size": 16})]
    assert [each.report_steps for each in paces] == [10, 4, 16]
    assert [each.checkpoint_reports for each in paces] == [5, 7, 5]


def test_each_family_is_the_supernet_that_it_names() -> None:
    isotropic, pyramid = (
        space_of(make_problem("train-supernet", {}, {"family": name})) for name in ("vig_s", "pyramid_vig")
    )
    assert len(set(isotropic.widths)) == 1 and isotropic.image_side == pyramid.image_side == 224
    assert list(pyramid.widths) == sorted(set(pyramid.widths)) and len(pyramid.widths) == 4
