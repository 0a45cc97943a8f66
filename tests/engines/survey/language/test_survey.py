"""Surveys of language models: acceptance figures, memory, energy, and what cannot be estimated."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.contract.encoding.decoding import from_plain
from engines.contract.errors import ProblemError
from engines.survey.language.survey import answer_language, survey_language
from engines.survey.language.survey_result import LanguageRow, LanguageSurvey
from engines.survey.language.work import Conversation, ConversationWork, decode_work, prefill_work
from engines.survey.survey_result import SurveyOptions
from engines.workloads.language.reader import read_language_model
from hardware.bits import bit_widths
from hardware.soc.loader import builtin_socs, load_soc
from tests.engines.survey.language.configurations import QWEN3_4B

MODEL = read_language_model(QWEN3_4B, "qwen3-4b")
W4 = bit_widths("w4a16")


def surveyed(*boards: str, **options: str) -> LanguageSurvey:
    devices = [(name, load_soc(builtin_socs()[name], name)) for name in boards]
    return survey_language(MODEL, devices, Conversation(512, 128, 16), SurveyOptions(**{"bits": "w4a16", **options}))


def row(board: str, **options: str) -> LanguageRow:
    return surveyed(board, **options).devices[0]


def test_counts_of_the_model() -> None:
    found = surveyed("rk3588")
    assert (found.parameters, found.cache_bytes, found.layers) == (4_022_468_096, 94_371_840, 36)
    assert found.macs == pytest.approx(512 * 3.63e9, rel=0.1)


def test_a_board_measured_in_other_bits_is_predicted() -> None:
    found = row("rk3588")
    assert found.certainty == "predicted" and "w8a8" in found.decode_source
    assert found.fits and found.largest_context_tokens == 40_960
    assert found.energy_per_token_j is None and "power" in found.reason
    latency = (found.time_to_first_token_s or 0) + 127 / (found.decode_tokens_per_s or 1)
    assert found.latency_s == pytest.approx(latency)


def test_a_measured_board_is_calibrated_with_its_band() -> None:
    found = row("rk3588", bits="int8")  # the same widths as w8a8
    assert found.certainty == "calibrated" and found.decode_error_factor and found.decode_error_factor < 1.2
    # Qwen3.5 4B, of nearly as many weights, was measured at 6.2 tokens per second.
    assert found.decode_tokens_per_s == pytest.approx(6.5, rel=0.15)


def test_a_board_with_power_has_energy() -> None:
    found = row("jetson-agx-xavier")
    assert found.certainty == "data sheet" and found.unit == "gpu" and found.reason == ""
    assert found.energy_per_token_j and found.energy_j
    assert found.energy_j > 127 * found.energy_per_token_j


def test_a_power_mode_slows_a_board_down() -> None:
    modes = [name for name in builtin_socs()["jetson-agx-xavier"]["power_modes"] if "10w" in name]
    slow, fast = row("jetson-agx-xavier", power_mode="10 W"), row("jetson-agx-xavier")
    assert slow.decode_tokens_per_s and fast.decode_tokens_per_s
    assert slow.decode_tokens_per_s < fast.decode_tokens_per_s and slow.power_mode == modes[0]
    unknown = row("rk3588", power_mode="maxn")
    assert not unknown.able and "power mode" in unknown.reason.lower()


def test_what_does_not_fit_says_by_how_much_and_what_would() -> None:
    found = {each.device: each for each in surveyed("jetson-orin-nano-4gb", "rk3588", bits="fp16").devices}
    small = found["jetson-orin-nano-4gb"]
    assert small.fits is False and small.decode_tokens_per_s is None
    assert "3.6 GiB more than the 4 GiB" in small.reason and "It fits in w8a16." in small.reason
    assert "Boards with enough memory: rk3588." in small.reason


def test_a_board_without_published_peaks_takes_those_of_its_vendor() -> None:
    found = row("snapdragon-x-elite")
    assert found.certainty == "assumed" and "boards of Qualcomm" in found.prefill_source
    assert found.time_to_first_token_s and found.latency_s


def test_a_unit_without_measured_kin_reaches_assumed_shares() -> None:
    found = row("jetson-agx-orin")
    assert "70 % of the published bandwidth, assumed" in found.decode_source and found.certainty == "data sheet"
    # Reported for Qwen3-4B-VL in 4 bits: 52 tokens per second (NVIDIA/TensorRT-Edge-LLM, issue 60).
    assert found.decode_tokens_per_s and 0.5 < found.decode_tokens_per_s / 52 < 2


def test_a_board_of_unknown_bandwidth_assumes_it_or_says_so() -> None:
    assert "bandwidth" in row("hailo-10h").reason
    found = row("rk3562")  # LPDDR4 of 32 bits
    assert found.certainty == "assumed" and "assumed" in found.decode_source
    assert found.time_to_first_token_s and "NPU" in found.prefill_source
    assert found.decode_tokens_per_s and found.decode_tokens_per_s < 32 / 8 * 3.2e9 / 2e9


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 20_000), st.integers(1, 20_000), st.sampled_from(["w4a16", "w8a8", "fp16"]))
def test_memory_and_time_grow_with_the_context(prompt: int, more: int, bits: str) -> None:
    widths = bit_widths(bits)
    short, long = decode_work(MODEL, widths, prompt), decode_work(MODEL, widths, prompt + more)
    assert long.read_bytes - short.read_bytes == pytest.approx(more * 36 * 2 * 8 * 128 * 2)
    work = ConversationWork(MODEL, Conversation(prompt, more))
    capacity = work.peak_memory_bytes(widths)
    most = work.largest_context_tokens(widths, capacity)
    assert most == 40_960 or work.peak_memory_bytes(widths, most) <= capacity < work.peak_memory_bytes(widths, most + 1)


def test_decode_reads_each_weight_once_and_no_table_of_words() -> None:
    untied = read_language_model({**QWEN3_4B, "tie_word_embeddings": False}, "untied")
    assert decode_work(untied, W4, 1).read_bytes == decode_work(MODEL, W4, 1).read_bytes
    assert decode_work(MODEL, W4, 1, 16).read_bytes == pytest.approx(MODEL.parameters() / 2, rel=1e-3)


def test_prefill_of_experts_depends_on_what_leaves_tokens_out() -> None:
    experts = {"num_experts": 16, "num_experts_per_tok": 2, "moe_intermediate_size": 768, "model_type": "qwen3_moe"}
    model = read_language_model({**QWEN3_4B, **experts}, "experts")
    every, passed = (prefill_work(model, W4, 128, every_expert=each) for each in (True, False))
    assert every.operations > 2 * passed.operations


def test_answers_are_plain_data_and_skip_documents_that_cannot_be_read() -> None:
    devices = [("rk3588", builtin_socs()["rk3588"]), ("old", {"schema": "soc/1", "title": "Old"})]
    plain = answer_language({"configuration": QWEN3_4B, "name": "qwen3-4b", "devices": devices})
    found = from_plain(LanguageSurvey, plain)
    assert found.devices[0].able and found.devices[0].bits == "w8a8"
    assert not found.devices[1].able and found.devices[1].title == "Old"


@pytest.mark.parametrize(
    ("values", "field"),
    [({"prompt_tokens": 0}, "prompt"), ({"answer_tokens": 2**25}, "answer"), ({"cache_bits": 64}, "cache_bits")],
)
def test_conversations_out_of_range_are_refused(values: dict[str, int], field: str) -> None:
    with pytest.raises(ProblemError) as refused:
        Conversation(**values)
    assert refused.value.field == field


def test_a_missing_field_is_named() -> None:
    content = {name: value for name, value in QWEN3_4B.items() if name != "num_attention_heads"}
    with pytest.raises(ProblemError) as refused:
        answer_language({"configuration": content, "name": "x", "devices": []})
    assert refused.value.field == "num_attention_heads"
