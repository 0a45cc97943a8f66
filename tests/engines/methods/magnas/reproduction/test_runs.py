from __future__ import annotations

from math import isnan

import numpy as np
import pytest

from engines.documents.builtin import get_builtin
from engines.methods.magnas.reproduction.runs import ISOTROPIC, PYRAMID, Case, MappingScores, _workload
from engines.methods.magnas.reproduction.searches import SENSES
from engines.search.indicators import hypervolume, reference_point

A3 = "magnas-cifar-100-a3"


def test_a_run_gives_the_front_within_its_limit() -> None:
    found = Case(A3, (("latency_slack_percent", 10),)).run()
    assert found.latency_s.max() <= found.gpu[0] * 1.1 and (np.diff(found.energy_j) < 0).all()
    assert isnan(found.share_percent) and len(found.decisions) == len(found.gpu_share)


def test_every_mapping_of_a_run_has_its_own_latency_energy_and_share_of_the_gpu() -> None:
    case = Case(A3, (("latency_slack_percent", 10),))
    found = case.run()
    units = [decision["units"] for decision in found.decisions]
    again = MappingScores(A3, tuple(map(tuple, units))).run()
    np.testing.assert_allclose(found.points, again.points, rtol=1e-12)
    assert found.gpu_share.tolist() == [each.count("gpu") / len(each) for each in units]
    blocks = len(units[0])
    alone = MappingScores(A3, (("gpu",) * blocks, ("dla",) * blocks)).run()
    np.testing.assert_allclose([found.gpu, found.dla], alone.points, rtol=1e-12)


def test_a_mapping_is_no_slower_than_itself() -> None:
    gpu = Case(A3).run().gpu  # the fastest mapping of all: as the limit it is the only one that is left
    found = Case(A3, no_slower_than=("gpu",) * 18).run()
    np.testing.assert_allclose(found.points, [gpu], rtol=1e-12)


def test_the_share_of_a_search_is_that_of_its_last_mappings() -> None:
    exact = Case(A3).run()
    found = Case(A3, (("method", "random"), ("evaluations", 300), ("population", 20))).run()
    corner = reference_point(np.concatenate([exact.points, [exact.gpu, exact.dla]]), SENSES)
    share = 100 * hypervolume(found.points, SENSES, corner) / hypervolume(exact.points, SENSES, corner)
    assert found.share_percent == pytest.approx(share) and 50 < share < 100


def test_networks_of_figure_8_have_sixteen_whole_blocks() -> None:
    for network, reductions in ((ISOTROPIC, 0), (PYRAMID, 3)):
        document = _workload(network)
        names = [each["name"] for each in document.content["operations"]]
        counts = [sum(name.endswith(end) for name in names) for end in (".pre.conv", ".knn.topk", ".fc1.conv")]
        assert counts == [16, 16, 16], "four blocks in each of four superblocks, with all parts"
        assert sum(name.startswith("reduce") and name.endswith(".conv") for name in names) == reductions
        assert (document.slug, document.version) == (network, 1)
    assert _workload(A3) == get_builtin("workload", A3)
