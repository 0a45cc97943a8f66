"""Costs of stages beside the survey, and how they follow clocks and bits."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.results import Curve, LayerGraph
from engines.methods.soc_mapping.language.cuts import LanguageDesign, transfers
from engines.methods.soc_mapping.language.problem import PreparedLanguageModel
from engines.survey.language.boards import board_row
from engines.survey.language.work import Conversation, ConversationWork
from engines.survey.survey_result import SurveyOptions
from hardware.soc.summary import unit_title
from tests.engines.methods.soc_mapping.language.problems import language_problem
from tests.engines.workloads.language.configurations import rows

_VISION = {
    "model_type": "qwen2_vl", "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "vocab_size": 1000,
    "vision_config": {"embed_dim": 32, "depth": 2, "num_heads": 4, "mlp_ratio": 4, "patch_size": 14, "hidden_size": 64},
}  # fmt: skip


@pytest.mark.parametrize(("board", "bits"), [("rk3588", "w8a8"), ("rk3576", "w4a16"), ("snapdragon-8-elite", "w4a16")])
def test_a_unit_alone_at_its_highest_clocks_takes_what_the_survey_says(board: str, bits: str) -> None:
    prepared = PreparedLanguageModel(language_problem(board, {"bits": bits}))
    design = next(each for label, each in prepared.baselines().items() if label.startswith("NPU"))
    columns = prepared.columns([design])
    row = board_row(board, prepared.soc, ConversationWork(prepared.stages.model, Conversation()), SurveyOptions(bits))
    assert columns["first_token_s"][0] == pytest.approx(row.time_to_first_token_s)
    assert columns["decode_tokens_per_s"][0] == pytest.approx(row.decode_tokens_per_s)
    assert columns["latency_s"][0] == pytest.approx(row.latency_s)
    assert columns["memory_bytes"][0] == pytest.approx(row.peak_memory_bytes, abs=2)


def test_lower_clocks_take_longer_and_lower_clocks_of_decode_save_energy() -> None:
    prepared = PreparedLanguageModel(language_problem("jetson-agx-xavier", {"bits": "w4a16", "clock_steps": 64}))
    steps = [each for each in prepared.costs.settings if each.unit == "gpu" and each.memory_mhz == 2133.0]
    costs = [prepared.costs.cost("decode", each, 16.0) for each in steps]  # from the highest clock down
    seconds, joules = np.array([[each.seconds, each.energy_j] for each in costs]).T
    assert (np.diff(seconds) >= 0).all()
    assert joules.min() < joules[0] / 1.5
    assert costs[0].certainty == "data sheet"


def test_fewer_bits_of_weights_and_cache_raise_the_decode_rate() -> None:
    prepared = PreparedLanguageModel(language_problem("rk3588", {"bits": "w8a8, w4a16", "prompt_tokens": 8000}))
    fastest = [each for each in prepared.costs.settings if (each.unit, each.unit_mhz) == ("npu", 1000.0)]
    of = {
        (each.bits, cache): prepared.costs.cost("decode", each, cache).seconds
        for each in fastest
        for cache in (16.0, 8.0)
    }
    assert of["w4a16", 8.0] < of["w4a16", 16.0] < of["w8a8", 16.0]


def test_a_transfer_of_the_cache_counts_when_decode_changes_the_unit() -> None:
    prepared = PreparedLanguageModel(language_problem("rk3588", {"bits": "w8a8", "cache_bits": "16"}))
    first = {each.unit: each for each in reversed(prepared.costs.settings) if each.unit_mhz in (1000.0, 2400.0)}
    apart, together = (LanguageDesign((first["npu"], first[unit]), 16.0) for unit in ("cpu", "npu"))
    assert transfers(prepared.costs, together.parts(prepared.costs), 16.0)[1] == (0.0, 0.0)
    moved = 2 * 36 * 2 * 8 * 128 * 512 * 2  # written and read: layers, keys and values, heads, features, tokens, bytes
    assert transfers(prepared.costs, apart.parts(prepared.costs), 16.0)[1][0] == pytest.approx(
        moved / 33.8e9, rel=0.02
    )  # and the switch
    assert prepared.columns([apart])["first_token_s"] == prepared.columns([together])["first_token_s"]


def test_other_bits_in_decode_hold_the_weights_twice() -> None:
    prepared = PreparedLanguageModel(language_problem("rk3588", {"bits": "w8a8, w4a16"}))
    of = {each.bits: each for each in prepared.costs.settings if each.unit == "npu"}
    both = prepared.memory_bytes(LanguageDesign((of["w8a8"], of["w4a16"]), 16.0))
    one = prepared.memory_bytes(LanguageDesign((of["w8a8"], of["w8a8"]), 16.0))
    assert both - one == pytest.approx(prepared.stages.model.parameters() / 2)


def test_an_action_head_runs_after_the_prompt_as_often_as_asked() -> None:
    configuration = next(row["configuration"] for row in rows() if row["name"] == "smolvla")
    once, thrice = (
        PreparedLanguageModel(
            language_problem("rk3588", {"bits": "w8a8", "clocks": "fixed", "action_steps": steps}, configuration)
        )
        for steps in (1, 3)
    )
    assert once.stages.names == ("encoders", "prefill", "decode", "actions")
    setting = once.costs.settings[0]
    seconds = [each.costs.cost("actions", setting, 16.0).seconds for each in (once, thrice)]
    assert 0 < 3 * seconds[0] == pytest.approx(seconds[1])
    design = LanguageDesign((setting,) * 4, 16.0)
    before, after = (each.columns([design])["first_token_s"][0] for each in (once, thrice))
    assert after - before == pytest.approx(2 * seconds[0])


def test_encoders_are_a_stage_of_their_own() -> None:
    prepared = PreparedLanguageModel(
        language_problem("rk3588", {"bits": "w8a8", "clocks": "fixed"}, configuration=_VISION)
    )
    assert prepared.stages.names == ("encoders", "prefill", "decode")
    design = prepared.kept.designs[0]
    encoders = prepared.costs.cost("encoders", design.settings[0], 16.0)
    prefill = prepared.costs.cost("prefill", design.settings[1], 16.0)
    transfer = sum(
        seconds for seconds, _ in transfers(prepared.costs, design.parts(prepared.costs), design.cache_bits)[:2]
    )
    assert encoders.seconds > 0
    assert prepared.columns([design])["first_token_s"][0] == pytest.approx(
        encoders.seconds + prefill.seconds + transfer
    )


def test_layers_of_a_design_are_dots_below_the_roofs_of_their_units() -> None:
    prepared = PreparedLanguageModel(language_problem("rk3588"))
    design = prepared.kept.designs[0]
    results = prepared.explain(design, None)  # type: ignore[arg-type]  it needs no context
    (graph,) = (each for each in results if isinstance(each, LayerGraph))
    (curve,) = (each for each in results if isinstance(each, Curve))
    roofs = [each for each in curve.series if each.style == "line"]
    dots = [each for each in curve.series if each.style == "points"]
    assert {each.group for each in graph.nodes} == {unit_title(each.unit) for each in design.settings}
    assert {kind for each in dots for kind in each.title.partition(": ")[2].split(", ")} == {
        each.title.partition(": ")[2] for each in graph.nodes
    }
    links = {link for dot in dots for link in dot.links}
    assert links == {each.id for each in graph.nodes}
    assert {link.partition("/")[0] for link in links} == {"Prefill", "Decode"}  # as the bars of the schedule begin
    for dot in dots:
        (place,) = np.flatnonzero(np.isfinite(dot.y))
        assert any(roof.y[place] == pytest.approx(dot.y[place]) for roof in roofs)
    weights = next(each for each in graph.nodes if each.title == "Decode: feed-forward")
    elements = 36 * 3 * 2560 * 9728  # layers, maps, width, hidden width of Qwen3-4B
    assert {title: value for title, value, _ in weights.figures}["Operations"] == 2 * elements
