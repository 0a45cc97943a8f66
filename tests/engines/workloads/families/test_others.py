"""Language models by name, recommendation models, networks over signals."""

from __future__ import annotations

import pytest

from engines.workloads.builtins import builtin_networks
from engines.workloads.errors import WorkloadError
from engines.workloads.families.others import language_names, language_network, other_families
from engines.workloads.loader import builtin_network, load_scenario


def test_any_length_is_found_by_its_name_and_not_listed() -> None:
    networks = builtin_networks()
    assert "bert-base-200" in networks and "bert-base-200" not in list(networks)
    assert builtin_network("bert-base-200").layers[0].y == 200
    assert networks["bert-base-200"] is not networks["bert-base-200"]
    scenario = {"schema": "scenario/1", "slug": "s", "title": "s", "source": "t"}
    models = [{"network": "gpt2-33", "batch": 2}]
    assert load_scenario({**scenario, "models": models}).models[0].network.title == "GPT-2, 33 tokens"


@pytest.mark.parametrize(
    "slug", ["bert-base-513", "bert-base-0", "bert-base-012", "bert-base", "bert-giant-8", "gpt2-", "x"]
)
def test_other_names_are_none(slug: str) -> None:
    assert language_network(slug) is None
    assert slug not in builtin_networks()


def test_a_miss_says_which_lengths_there_are() -> None:
    with pytest.raises(WorkloadError, match="bert-base-N \\(N up to 512 tokens\\)"):
        builtin_network("bert-base-513")
    assert "gpt2-xl-N (N up to 1024 tokens)" in language_names()


def test_networks_over_signals_have_one_column() -> None:
    for slug in ("ecg-cnn-512", "activity-cnn-128"):
        layers = builtin_network(slug).layers
        assert all(layer.s == layer.x == 1 for layer in layers)
        assert layers[0].kind == "conv" and layers[-1].kind == "gemm"


def test_the_chain_for_digits_takes_them() -> None:
    operations = builtin_network("digits-chain").operations
    assert (operations[0].c, operations[0].y, operations[0].x) == (1, 8, 8)
    assert operations[-1].k == 10 and operations[-1].c == 64


def test_nothing_is_drawn_for_a_list() -> None:
    for document in other_families().values():
        assert document["title"] and "operations" in document
        assert not document.drawn
