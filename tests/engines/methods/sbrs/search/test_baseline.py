from __future__ import annotations

from engines.methods.sbrs.search.baseline import clusters_of
from engines.methods.sbrs.search.genotype import Cluster
from engines.workloads.loader import builtin_network


def test_clusters_of_a_baseline_as_in_figure_4() -> None:
    clusters = clusters_of(builtin_network("vgg11"), 5, 100.0)
    assert clusters[0] == Cluster("conv", (1, 2), (32, 128), (3, 5))
    assert [cluster.kind for cluster in clusters].count("max_pool") == 5
    assert clusters[-1].kind == "fc" and clusters[-1].layers == (1, 3)
    assert any(cluster.kind == "conv_res" for cluster in clusters_of(builtin_network("resnet18"), 5, 100.0))
    assert clusters_of(builtin_network("vgg11"), 5, 50.0)[0].neurons == (16, 64)
