"""Tiny problems: one per engine, for the conformance suite. A new engine adds its own here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engines.documents.problems import make_problem
from engines.testing.conformance import TinyProblem
from tests.engines.methods.duet.problems import tiny as tiny_recommender
from tests.engines.methods.duet.problems import tiny_training as tiny_clicks
from tests.engines.methods.eexnas.problems import tiny as tiny_networks
from tests.engines.methods.energyshield.problems import tiny as tiny_shield
from tests.engines.methods.hadas.problems import tiny_exits, tiny_hadas
from tests.engines.methods.magnas.problems import tiny_search as tiny_architectures
from tests.engines.methods.magnas.problems import tiny_training
from tests.engines.methods.map_and_conquer.problems import tiny as tiny_cut
from tests.engines.methods.mapformer.problems import tiny as tiny_mix
from tests.engines.methods.mapformer.problems import tiny_training as tiny_estimator
from tests.engines.methods.myml.problems import tiny as tiny_user
from tests.engines.methods.neksus.problems import tiny as tiny_package
from tests.engines.methods.package_search.problems import tiny_exhaustive
from tests.engines.methods.privynas.problems import tiny as tiny_private
from tests.engines.methods.sbrs.problems import tiny_sbrs
from tests.engines.methods.sbrs.search.problems import tiny_search as tiny_switching_search
from tests.engines.methods.scar.problems import scar_problem
from tests.engines.methods.seesaw.problems import tiny_seesaw
from tests.engines.methods.soc_mapping.language.problems import tiny as tiny_language
from tests.engines.methods.soc_mapping.problems import tiny_exact as tiny_mapping
from tests.engines.methods.split_computing.bottleneck.problems import tiny as tiny_bottlenecks
from tests.engines.methods.split_computing.problems import tiny as tiny_control
from tests.engines.methods.split_network.language.problems import tiny as tiny_conversation
from tests.engines.methods.split_network.problems import tiny as tiny_split
from tests.support.toy_engine import ToyEngine, ToyWithoutCheckpointsEngine, register_toys

TINY_PROBLEMS: Mapping[str, Callable[[], TinyProblem]] = {
    "duet": tiny_recommender,
    "eexnas": tiny_networks,
    "energyshield": tiny_shield,
    "hadas": tiny_hadas,
    "language-mapping": tiny_language,
    "language-split": tiny_conversation,
    "magnas": tiny_architectures,
    "map-and-conquer": tiny_cut,
    "mapformer": tiny_mix,
    "myml": tiny_user,
    "neksus": tiny_package,
    "package-search": tiny_exhaustive,
    "privynas": tiny_private,
    "sbrs": tiny_sbrs,
    "sbrs-search": tiny_switching_search,
    "scar": lambda: TinyProblem(scar_problem(), impossible=scar_problem({"n_splits": 0}, models=5)),
    "seesaw": tiny_seesaw,
    "soc-mapping": tiny_mapping,
    "split-computing": tiny_control,
    "split-network": tiny_split,
    "train-bottleneck": tiny_bottlenecks,
    "train-estimator": tiny_estimator,
    "train-exits": tiny_exits,
    "train-recommender": tiny_clicks,
    "train-supernet": tiny_training,
    "toy": lambda: toy_problem(ToyEngine.name),
    "toy-without-checkpoints": lambda: toy_problem(ToyWithoutCheckpointsEngine.name),
}


def tiny_problem(name: str) -> TinyProblem:
    """The tiny problem of that engine; a KeyError tells that an engine has none yet."""
    register_toys()
    return TINY_PROBLEMS[name]()


def toy_problem(name: str, **params: Any) -> TinyProblem:
    """Tiny problems of the toys."""
    usual = {"steps": 8, "designs_per_step": 6, "checkpoint_every": 2} | params
    return TinyProblem(make_problem(name, {}, usual, seed=3), make_problem(name, {}, usual | {"energy_limit_j": 0.25}))
