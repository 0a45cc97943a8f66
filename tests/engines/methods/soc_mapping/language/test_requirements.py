"""Problems that are refused, with what is accepted and how to go on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engines.contract.engine import Document
from engines.contract.errors import DecisionError, ProblemError
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.soc_mapping.language.problem import PreparedLanguageModel
from tests.engines.methods.soc_mapping.language.problems import language_problem


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"bits": "w9a9"}, r"params\.bits.*w9a9"),
        ({"bits": " "}, r"params\.bits.*1 to 12 names"),
        ({"cache_bits": "64"}, r"params\.cache_bits.*from 1 to 32.*64"),
        ({"quality": "w8a8 good"}, r"params\.quality.*w4a16: 97"),
        ({"quality": "w8a8: 99"}, r"params\.quality.*an entry for each choice of bits.*Add 'w4a16'"),
        ({"prompt_tokens": 50_000}, r"params\.prompt_tokens.*at most 40,832.*50000.*Set params\.prompt_tokens to 40832"),
        ({"answer_tokens": 50_000}, r"params\.answer_tokens.*at most 40,448"),
        ({"objectives": "all"}, r"power of NPU, CPU, CPU-2.*params\.objectives|params\.objectives.*power of NPU, CPU, CPU-2"),
        ({"energy_limit_j": 5.0}, r"params\.energy_limit_j"),
        ({"power_mode": "turbo"}, r"params\.power_mode.*turbo"),
    ],
)  # fmt: skip
def test_parameters(params: Mapping[str, Any], words: str) -> None:
    with pytest.raises(ProblemError, match=words):
        PreparedLanguageModel(language_problem("rk3588", params))


@pytest.mark.parametrize(
    ("board", "why"),
    [("apple-m1", "no published peak"), ("drive-px2-autochauffeur", "bandwidth"), ("ublox-max-m8q", "")],
)
def test_boards_of_which_too_little_is_known(board: str, why: str) -> None:
    with pytest.raises(ProblemError, match=rf"inputs\.hardware: No unit runs the model.*{why}.*Add these values"):
        PreparedLanguageModel(language_problem(board))


def test_a_measured_board_needs_no_bandwidth() -> None:
    prepared = PreparedLanguageModel(language_problem("rv1126b"))
    assert prepared.costs.units == ("npu",) and len(prepared.kept.designs) == 18


def test_another_network_is_refused_with_the_way_to_a_language_model() -> None:
    documents = {"hardware": get_builtin("hardware", "rk3588"), "workload": get_builtin("workload", "resnet50")}
    with pytest.raises(ProblemError, match=r"inputs\.workload.*config\.json.*resnet50.*soc-mapping"):
        PreparedLanguageModel(make_problem("language-mapping", documents, {}))


def test_too_little_memory_says_by_how_much_and_what_fits() -> None:
    with pytest.raises(ProblemError) as refused:
        PreparedLanguageModel(language_problem(_board_of(2.5), {"bits": "w8a8"}))
    text = str(refused.value)
    assert "needs 3.8 GiB of memory, 1.3 GiB more than the board has" in text
    assert "Set params.bits to w4a16." in text
    fitting = language_problem(_board_of(2.5), {"bits": "w4a16"})
    assert PreparedLanguageModel(fitting).kept.designs


def test_a_shorter_prompt_is_offered_that_fits() -> None:
    params = {"bits": "w4a16", "prompt_tokens": 20_000}
    with pytest.raises(ProblemError) as refused:
        PreparedLanguageModel(language_problem(_board_of(2.5), params))
    remedy = next(each for each in refused.value.remedies if each.field == "params.prompt_tokens")
    assert PreparedLanguageModel(
        language_problem(_board_of(2.5), {**params, "prompt_tokens": remedy.value})
    ).kept.designs


def test_designs_beyond_the_memory_are_left_out() -> None:
    prepared = PreparedLanguageModel(language_problem(_board_of(5.0), {"bits": "w8a8, w4a16"}))
    assert prepared.columns(prepared.kept.designs)["memory_bytes"].max() <= 5 * 2**30
    whole = PreparedLanguageModel(language_problem("rk3588", {"bits": "w8a8, w4a16"}))
    assert whole.columns(whole.kept.designs)["memory_bytes"].max() > 5 * 2**30


def test_the_quality_of_a_table_is_an_objective() -> None:
    table = "w8a8: 99; w4a16: 97; cache 16: 100; cache 8: 98"
    problem = language_problem("rk3588", {"bits": "w8a8, w4a16", "quality": table})
    prepared = PreparedLanguageModel(problem)
    quality = prepared.columns(prepared.kept.designs)["quality"]
    assert set(quality.tolist()) == {97.0, 98.0, 99.0}


def test_a_limit_on_bits_takes_the_place_of_a_quality() -> None:
    prepared = PreparedLanguageModel(language_problem("rk3588", {"weight_bits_limit": 8, "cache_bits_limit": 16}))
    columns = prepared.columns(prepared.kept.designs)
    assert columns["weight_bits"].min() >= 8 and columns["cache_bits"].min() == 16


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"units": {"prefill": "gpu", "decode": "npu"}}, r"decision\.units\.prefill.*npu, cpu, cpu-2"),
        ({"units": "npu"}, r"decision\.units.*a mapping"),
        ({"bits": {"prefill": "w8a8", "decode": "int4"}}, r"decision\.bits\.decode"),
        ({"unit_mhz": {"prefill": 7.0}}, r"decision\.unit_mhz\.prefill"),
        ({"memory_mhz": {"decode": True}}, r"decision\.memory_mhz\.decode"),
        ({"cache_bits": 12}, r"decision\.cache_bits"),
    ],
)
def test_decisions(change: Mapping[str, Any], field: str) -> None:
    prepared = PreparedLanguageModel(language_problem("rk3588"))
    decision = dict(prepared.encode(prepared.kept.designs[0]))
    assert prepared.decode(decision) == prepared.kept.designs[0]
    with pytest.raises(DecisionError, match=field):
        prepared.decode({**decision, **change})


def _board_of(memory_gib: float) -> Document:
    """Return RK3588 with less memory."""
    content = dict(get_builtin("hardware", "rk3588").content)
    memory = {key: value for key, value in content["memory"].items() if not key.startswith("capacit")}
    content["memory"] = {**memory, "capacities_gib": [memory_gib]}
    return Document("hardware", "rk3588", 1, content)
