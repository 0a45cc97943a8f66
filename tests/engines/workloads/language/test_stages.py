"""Networks of stages: their weights are those of the model, and their work equals the totals in closed form."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.contract.errors import ProblemError
from engines.workloads.language.attended import attended_pairs, products
from engines.workloads.language.model import Experts
from engines.workloads.language.reader import read_language_model
from engines.workloads.language.stages import action_network, decode_network, distinct_experts, prefill_network
from engines.workloads.language.totals import answer_totals
from engines.workloads.network import Network
from tests.engines.workloads.language.configurations import (
    SMALL,
    SMALL_HYBRID,
    SMALL_HYBRIDS,
    SMALL_MIXTURE,
    public_model,
    rows,
    small_model,
)
from tests.support.work import calls_of

HYBRIDS = [{"model_type": kind, **fields} for kind, fields in SMALL_HYBRIDS.items()]
# Latent attention multiplies other matrices in decode than in prefill.
ALIKE = [each for each in HYBRIDS if each["model_type"] != "minicpm3"]
WITH_ACTIONS = ("pi0", "smolvla", "smolvla-lerobot", "pi0-lerobot")
# One of each kind of layer; the others differ in sizes.
KINDS = ("qwen3-0.6b", "gemma-3n-e2b", "gemma-4-26b-a4b", "gpt-oss-120b", "lfm2-1.2b", "mamba2-130m", "nemotron-nano-9b-v2",
         "rwkv7-1.5b", "whisper-tiny", "clip-vit-b-32", "siglip-b-16-224", "qwen2.5-vl-3b", "qwen3-vl-2b", "paligemma-3b-224",
         "deepseek-v3", "pi0", "vit-b-16-224", "zamba2-2.7b", "zamba2-attention-maps", "falcon-h1-7b", "llama-4-scout",
         "mistral-small-3.1-24b", "qwen2.5-omni-thinker", "qwen3-omni-thinker", "phi-4-multimodal", "moonshine-tiny",
         "openvla-7b", "smolvla-lerobot", "pi0-lerobot", "dinov3-s")  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_weights_of_the_networks_are_those_of_the_model(name: str) -> None:
    model = public_model(name)
    parameters = prefill_network(model, 7).parameters
    if name in WITH_ACTIONS:
        parameters += action_network(model, 50, context=300).parameters
    assert parameters == model.parameters()
    if model.decoder:
        assert decode_network(model, 7, batch=2).parameters == model.decoder.parameters()


@settings(max_examples=30, deadline=None)
@given(
    kind=st.sampled_from([SMALL, SMALL_MIXTURE, SMALL_HYBRID, *HYBRIDS]),
    prompt=st.integers(1, 12),
    answer=st.integers(1, 4),
    batch=st.integers(1, 3),
)
def test_totals_equal_the_sum_over_the_networks(kind: dict[str, Any], prompt: int, answer: int, batch: int) -> None:
    model = small_model(kind)
    totals = answer_totals(model, prompt, answer, batch)
    assert totals.prefill.macs == prefill_network(model, prompt, batch).macs
    assert totals.decode.macs == sum(decode_network(model, prompt + step, batch).macs for step in range(answer - 1))


@settings(max_examples=15, deadline=None)
@given(prompt=st.integers(1, 60), answer=st.integers(1, 60), kind=st.sampled_from([SMALL, SMALL_HYBRID, *ALIKE]))
def test_whole_answer_equals_the_sum_token_by_token(prompt: int, answer: int, kind: dict[str, Any]) -> None:
    model = small_model(kind)
    head = 32 * 100
    one_by_one = [
        answer_totals(model, 1, 1),
        *(answer_totals(model, before, 2) for before in range(1, prompt + answer - 1)),
    ]
    macs = one_by_one[0].prefill.macs + sum(each.decode.macs for each in one_by_one[1:])
    totals = answer_totals(model, prompt, answer)
    # The head runs for the last token of a prompt alone.
    assert totals.whole.macs == macs - (prompt - 1) * head
    read = sum(each.decode.cache_bytes_read for each in one_by_one[prompt:])
    assert totals.decode.cache_bytes_read == read
    written = one_by_one[0].prefill.cache_bytes_written + sum(
        each.decode.cache_bytes_written for each in one_by_one[1:]
    )
    state = (prompt - 1) * model.state_bytes()
    assert totals.whole.cache_bytes_written == written - state


@given(tokens=st.integers(1, 60), context=st.integers(0, 60), window=st.none() | st.integers(1, 40))
def test_pairs_and_products_equal_a_count(tokens: int, context: int, window: int | None) -> None:
    seen = sum(min(context + token, window or 10**9) for token in range(1, tokens + 1))
    assert attended_pairs(tokens, context, window) == seen
    assert sum(queries * keys for queries, keys in products(tokens, context, window)) == seen


@given(tokens=st.integers(1, 60), context=st.integers(0, 60), chunk=st.integers(1, 40))
def test_pairs_and_products_of_chunks_equal_a_count(tokens: int, context: int, chunk: int) -> None:
    seen = sum((context + token) % chunk + 1 for token in range(tokens))
    assert attended_pairs(tokens, context, chunk, chunked=True) == seen
    assert sum(queries * keys for queries, keys in products(tokens, context, chunk, chunked=True)) == seen


def test_decode_reads_the_whole_cache_once() -> None:
    model = public_model("qwen3-4b")
    network = decode_network(model, 639)
    cached = sum(each.k * each.c * each.repeats for each in network.operations if each.kind == "matmul")
    assert cached * 2 == model.cache_bytes(640, 16)
    assert answer_totals(model, 639, 2).decode.cache_bytes_read == model.cache_bytes(640, 16)


def test_distinct_experts_by_tokens() -> None:
    experts = Experts(8, 2, 16)
    assert experts.distinct(1) == pytest.approx(2)
    # Two tokens: each expert is left out with probability (3/4)^2.
    assert experts.distinct(2) == pytest.approx(8 * (1 - 0.75**2))
    assert [distinct_experts(experts, tokens, "worst") for tokens in (1, 3, 100)] == [2, 6, 8]
    assert [distinct_experts(experts, tokens, "expected") for tokens in (1, 2, 100)] == [2, 4, 8]


def test_choice_of_experts_changes_what_is_read_and_not_what_is_computed() -> None:
    model = small_model(SMALL_MIXTURE)
    expected, worst = (decode_network(model, 9, 3, experts=choice) for choice in ("expected", "worst"))
    assert expected.macs == worst.macs
    assert expected.weight_elements < worst.weight_elements
    assert expected.parameters == worst.parameters == model.parameters()


def test_bits_are_written_to_the_operators_that_they_belong_to() -> None:
    network = decode_network(small_model(SMALL), 9, weight_bits=4.5, cache_bits=8)
    assert {each.weight_bits for each in network.operations if each.kind == "gemm"} == {4.5}
    assert {each.activation_bits for each in network.operations if each.kind == "matmul"} == {8}


def test_weights_of_a_step_are_read_once_without_the_table() -> None:
    model = small_model(SMALL, tie_word_embeddings=False)
    decoder = model.decoder
    assert decoder is not None
    totals = answer_totals(model, 4, 2, batch=3, weight_bits=8)
    assert totals.decode.weight_bytes_read == model.parameters() - decoder.tables[0].elements + 3 * 32


@pytest.mark.parametrize(
    ("prompt", "batch", "field"), [(0, 1, "tokens"), (1, 0, "batch"), (1, 5000, "batch"), (10**8, 1, "tokens")]
)
def test_tokens_and_batch_outside_their_range_are_refused(prompt: int, batch: int, field: str) -> None:
    with pytest.raises(ProblemError) as caught:
        prefill_network(small_model(SMALL), prompt, batch)
    assert caught.value.field == field


def test_long_prompts_are_cut_or_refused_with_a_way_on() -> None:
    model = public_model("gemma-3-270m")
    network = prefill_network(model, 10**6)
    assert max(each.macs for each in network.operations) <= 10**13
    assert network.macs == answer_totals(model, 10**6, 1).prefill.macs
    with pytest.raises(ProblemError, match="Read the prompt in chunks"):
        prefill_network(model, 10**7)

    def refuse() -> None:
        with pytest.raises(ProblemError, match="attention has at most"):
            prefill_network(small_model(SMALL), 10**7)

    assert calls_of(refuse) < 20_000


def test_encoders_have_no_decode_step_and_decoders_no_actions() -> None:
    with pytest.raises(ProblemError, match="decoder"):
        decode_network(public_model("vit-b-16-224"), 1)
    with pytest.raises(ProblemError, match="decoder"):
        answer_totals(public_model("vit-b-16-224"), 1, 1)
    with pytest.raises(ProblemError, match="action"):
        action_network(small_model(SMALL))


def test_configuration_becomes_a_network_with_little_work() -> None:
    row = next(row for row in rows() if row["name"] == "qwen3-30b-a3b")
    found: list[Network] = []
    assert calls_of(lambda: found.append(prefill_network(read_language_model(row["configuration"]), 512))) < 200_000
    assert len(found[0].operations) > 900
