"""Coefficients of conversations: memory, kinds of layers, bits that are compared. The test of the browser has the times."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engines.survey.language.coefficients import COMPARED_BITS, conversation_coefficients
from engines.survey.language.layer_work import layer_work
from engines.survey.language.ramps import Ramp
from engines.survey.language.work import Conversation, ConversationWork, decode_work
from engines.survey.survey_result import SurveyOptions
from engines.workloads.language.reader import read_language_model
from hardware.bits import bit_widths
from tests.engines.survey.language.boards import some_boards
from tests.engines.survey.language.configurations import GEMMA3_1B, QWEN3_4B

MODELS = [read_language_model(each, "model") for each in (QWEN3_4B, GEMMA3_1B)]
FOUND = [conversation_coefficients(each, some_boards()) for each in MODELS]


def value(ramp: Ramp, tokens: int) -> float:
    return ramp.constant + sum(
        slope * (tokens if window is None else min(tokens, window)) for window, slope in ramp.slopes
    )


@given(st.integers(0, 1), st.integers(1, 30_000), st.integers(1, 9_000))
def test_memory_is_that_of_the_survey(model: int, prompt: int, answer: int) -> None:
    memory = FOUND[model].memory["w4a16"]
    cache = value(memory.cache_bytes, prompt + answer)
    found = memory.weight_bytes + memory.fixed_bytes + memory.prompt_bytes * prompt + cache
    assert int(found) == ConversationWork(MODELS[model], Conversation(prompt, answer)).peak_memory_bytes(
        bit_widths("w4a16")
    )


@given(st.integers(0, 1), st.integers(1, 40_000))
def test_kinds_of_layers_add_up_to_a_step_of_decode(model: int, context: int) -> None:
    bits = bit_widths("w4a16")
    layers = [each for each in layer_work(MODELS[model], bits, 16) if each.stage == "decode"]
    whole = decode_work(MODELS[model], bits, context)
    operations = sum(value(each.operations, context) for each in layers)
    read = sum(value(each.read_bytes, context) for each in layers)
    # Normalisations, which are no kind of layer, are less than a thousandth.
    assert 0.999 * whole.operations < operations <= whole.operations
    assert 0.999 * whole.read_bytes < read <= whole.read_bytes


def test_compared_bits_are_there_with_reasons() -> None:
    boards = FOUND[0].boards
    assert set(COMPARED_BITS) <= set(boards["rk3588"].units) and not boards["rk3588"].reasons["w8a8"]
    assert FOUND[1].memory["w4a16"].cache_bytes.slopes[0][0] == 512


def test_a_power_mode_leaves_out_boards_without_it() -> None:
    assert not conversation_coefficients(MODELS[0], some_boards()[:1], options=SurveyOptions(power_mode="none")).boards
