"""The network and the data of configurations that are built and trained."""

from __future__ import annotations

from dataclasses import dataclass

from engines.contract.engine import Problem, require
from engines.data.documents import ImageData
from engines.data.training_data import image_data_of
from engines.methods.map_and_conquer.model.cut_layers import CutNetwork
from engines.methods.map_and_conquer.params import MapAndConquerParams
from engines.methods.map_and_conquer.problem.chain import Chain, chain_of
from engines.workloads.network import Scenario


@dataclass(frozen=True)
class RealNetwork:
    """The network to build, and the data that it learns from."""

    chain: Chain
    data: ImageData


def real_network(problem: Problem[MapAndConquerParams], cut: CutNetwork) -> RealNetwork | None:
    """Return the network of a problem that asks for trained configurations, else None.

    Raises:
        ProblemError: the network is no chain that can be trained, or does not fit the data.
    """
    if not problem.params.finalists:
        return None
    operations = problem.value("workload", Scenario).models[0].network.operations
    chain = chain_of(operations, cut)
    data = image_data_of(problem)
    takes = f"{chain.channels} x {chain.height} x {chain.width} and {chain.classes} classes"
    has = f"{data.channels} x {data.height} x {data.width} and {len(data.classes)} classes"
    accepted = f"images of {takes}"
    require(takes == has, "inputs.data", data.slug, accepted, reason=f"{data.title} has {has}.")
    return RealNetwork(chain, data)
