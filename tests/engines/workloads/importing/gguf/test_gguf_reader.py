"""GGUF files as language models: sizes, bits per tensor, and refusals of what is damaged."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from typing import Any

import pytest

from engines.contract.errors import ProblemError
from engines.survey.language.survey import survey_language
from engines.survey.survey_result import SurveyOptions
from engines.workloads.importing.gguf.gguf_file import FORMATS, parse_gguf
from engines.workloads.importing.gguf.gguf_reader import ARCHITECTURES, read_gguf
from engines.workloads.language.reader import read_language_model
from engines.workloads.loader import load_network
from hardware.soc.loader import builtin_socs, load_soc
from tests.engines.workloads.importing.gguf.gguf_files import (
    F32,
    Q4_0,
    VALUES,
    WIDTH,
    header,
    model_header,
    model_tensors,
    text,
    value,
)
from tests.support.work import calls_of

MOST_CALLS = 400_000  # a tenth of a second; the longest lists, of two million words, take ten times as many


def refusal(data: bytes) -> str:
    error = reading_error(lambda: read_gguf(data, "net.gguf", {}))
    assert error is not None and len(str(error)) < 800
    return str(error)


def reading_error(read: Callable[[], object]) -> ProblemError | None:
    """Return why a file is refused, None where it is read; either takes little work."""
    errors: list[ProblemError] = []

    def keep_error() -> None:
        try:
            read()
        except ProblemError as error:
            errors.append(error)

    assert calls_of(keep_error) < MOST_CALLS
    return errors[0] if errors else None


def test_a_file_becomes_a_model_with_the_bits_of_its_tensors() -> None:
    found = read_gguf(model_header(), "small.gguf", {})
    network = load_network(found.content)
    stored = sum(each.elements for each in parse_gguf(model_header(), "").tensors.values())
    assert network.parameters == stored == found.report["parameters"]
    bits = {each.name: each.weight_bits for each in network.operations if each.weight_bits}
    assert bits["layer0.query"] == bits["layer1.up"] == 4.5  # Q4_K: 144 bytes of 256 weights
    assert (
        bits["layer0.value"] == bits["layer1.down"] == bits["embedding"] == bits["head"] == 6.5625
    )  # Q6_K: 210 bytes of 256
    (decode,) = found.report["further"]
    assert {row["name"]: row.get("weight_bits") for row in decode["operations"]}["layer0.query"] == 4.5
    assert any("Q4_K × 10, Q6_K × 5, F32 × 5" in note for note in found.report["notes"])
    assert not any("left out" in note for note in found.report["notes"])
    assert found.report["format"].startswith("GGUF")


def test_a_file_that_describes_less_than_it_has_says_so() -> None:
    tensors = {**model_tensors(), "blk.0.extra.weight": ((WIDTH, WIDTH), F32)}
    notes = read_gguf(header(VALUES, tensors), "small.gguf", {}).report["notes"]
    assert any("Check what is left out" in note for note in notes)


def test_biases_heads_and_experts_follow_from_tensors_and_metadata() -> None:
    tensors = {**model_tensors(), "output.weight": ((WIDTH, 1000), Q4_0)}
    untied = read_gguf(header(VALUES, tensors), "small.gguf", {"name": "Other", "dims": {"prompt": 16}})
    rows = {row["name"]: row for row in untied.content["operations"]}
    assert rows["head"]["weight_bits"] == 4.5 and "shared_weights" not in rows["head"]
    assert (untied.content["title"], untied.report["further"]) == ("Other, prefill 16", [])
    listed = read_gguf(model_header(llama__attention__head_count_kv=[2, 2]), "small.gguf", {})
    assert listed.content["operations"] == read_gguf(model_header(), "small.gguf", {}).content["operations"]


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_every_known_architecture_is_read(architecture: str) -> None:
    values = {key.replace("llama.", f"{architecture}."): each for key, each in VALUES.items()}
    values |= {"general.architecture": architecture, f"{architecture}.attention.key_length": 64}
    experts = architecture.endswith("moe")
    if experts:
        values |= {f"{architecture}.expert_count": 8, f"{architecture}.expert_used_count": 2}
        values |= {f"{architecture}.expert_feed_forward_length": 128}
    found = read_gguf(header(values, model_tensors()), "small.gguf", {})
    rows = {row["name"]: row for row in found.content["operations"]}
    assert rows["layer0.query"]["weight_bits"] == 4.5 and len(found.report["further"]) == 1
    assert ("layer0.router" in rows) == experts


def test_mixtral_is_a_llama_with_experts() -> None:
    mixed = read_gguf(model_header(llama__expert_count=4, llama__expert_used_count=2), "small.gguf", {})
    assert "mixtral" in mixed.report["format"]


def test_a_survey_takes_the_bits_of_the_file_unless_others_are_asked_for() -> None:
    configuration = read_gguf(model_header(), "small.gguf", {}).content["configuration"]
    model = read_language_model(configuration, "small")
    board = ("rk3588", load_soc(builtin_socs()["rk3588"]))
    (own,), (asked,) = (survey_language(model, [board], options=SurveyOptions(bits)).devices for bits in ("", "w4a16"))
    assert 4.5 < model.file_bits < 6.6 and (own.bits, asked.bits) == ("w5a16", "w4a16")
    assert own.weight_bytes == int(model.parameters() * model.file_bits / 8)
    assert asked.weight_bytes == model.parameters() // 2
    assert own.decode_tokens_per_s is not None and asked.decode_tokens_per_s is not None
    assert own.decode_tokens_per_s < asked.decode_tokens_per_s


@pytest.mark.parametrize(
    ("kind", "bits"),
    [("Q4_0", 4.5), ("Q4_K", 4.5), ("Q5_K", 5.5), ("Q6_K", 6.5625), ("Q8_0", 8.5), ("F16", 16), ("BF16", 16), ("F32", 32),
     ("IQ4_NL", 4.5), ("IQ4_XS", 4.25), ("Q2_K", 2.625), ("Q3_K", 3.4375), ("IQ1_S", 1.5625), ("TQ1_0", 1.6875), ("MXFP4", 4.25)],
)  # fmt: skip
def test_formats_have_their_published_bits_per_weight(kind: str, bits: float) -> None:
    number = next(number for number, (name, *_) in FORMATS.items() if name == kind)
    (tensor,) = parse_gguf(header({}, {"a": ((512, 3), number)}), "a").tensors.values()
    assert (tensor.bits, tensor.elements, tensor.format) == (bits, 1536, kind)


def raw(tensors: int, values: int, body: bytes = b"") -> bytes:
    return b"GGUF" + struct.pack("<IQQ", 3, tensors, values) + body


HUGE = 2**63
NESTED = b"".join(struct.pack("<IQ", 9, 1) for _ in range(9))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "begins with the letters GGUF"),
        (b"GGML" + bytes(100), "begins with the letters GGUF"),
        (b"GGUF" + struct.pack(">I", 3), "with the lowest byte first"),
        (raw(HUGE, 1), "states 9"),
        (raw(1, HUGE), "values; at most"),
        (raw(0, 1, struct.pack("<Q", HUGE)), "ends within its header"),
        (raw(0, 1, text("a") + struct.pack("<I", 99)), "type 99"),
        (raw(0, 1, text("a") + struct.pack("<IIQ", 9, 4, HUGE)), "ends within its header"),
        (raw(0, 1, text("a") + struct.pack("<IIQ", 9, 8, HUGE)), "Lists of its metadata state more than"),
        (raw(0, 1, text("a") + struct.pack("<IIQ", 9, 8, 190_000) + bytes(1_500_000)), "ends within its header"),
        (raw(0, 1, text("a") + struct.pack("<I", 9) + NESTED), "levels deep"),
        (header({}, {"a": ((1, 1, 1, 1, 1), F32)}), "5 dimensions"),
        (header({}, {"a": ((2**40, 2**40), F32)}), "elements"),
        (header({}, {"a": ((0,), F32)}), "elements"),
        (header({}, {"a": ((33,), Q4_0)}), "blocks of 32"),
        (header({}, {"a": ((32,), 77)}), "tensors of the types F32, F16, Q4_0"),
        (raw(2, 0, 2 * (text("a") + struct.pack("<IQIQ", 1, 32, 0, 0))), "Two of its tensors are called a"),
        (model_header(general__architecture="clip"), "must be one of: llama"),
        (model_header(split__count=3), "Merge the files"),
        (model_header(llama__feed_forward_length=[512, 256]), "the same for all layers"),
        (model_header(llama__block_count=10**6), "num_hidden_layers"),
        (model_header(llama__attention__head_count=0), "num_attention_heads"),
        (header(VALUES, {}), "the table of words"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence_with_little_work(data: bytes, words: str) -> None:
    assert words in refusal(data)


def test_lists_of_nearly_two_million_words_are_walked() -> None:
    data = raw(0, 1, text("a") + struct.pack("<IIQ", 9, 8, 1_900_000) + bytes(15_000_000))
    with pytest.raises(ProblemError, match="ends within its header"):
        read_gguf(data, "net.gguf", {})


def test_a_header_that_ends_early_is_refused_wherever_it_ends() -> None:
    data = model_header()
    for end in (*range(400), *range(400, len(data), 997)):
        assert "net.gguf" in refusal(data[:end])


@pytest.mark.long
def test_mutated_headers_are_read_or_refused_with_little_work() -> None:
    data, chance = model_header(), random.Random(7)
    refused = 0
    for _ in range(2000):
        changed = bytearray(data)
        for _ in range(chance.randint(1, 6)):
            place = chance.randrange(4, min(len(changed), 700) if chance.random() < 0.5 else len(changed))
            size = chance.choice((1, 4, 8))
            changed[place : place + size] = chance.choice((b"\xff" * size, bytes(size), chance.randbytes(size)))
        content = bytes(changed)
        refused += reading_error(lambda: load_network(read_gguf(content, "net.gguf", {}).content)) is not None  # noqa: B023
    assert 200 < refused < 2000


def test_values_of_every_type_are_read() -> None:
    content: dict[str, Any] = {
        "t": "word",
        "n": 7,
        "f": 0.5,
        "yes": True,
        "list": [1, 2],
        "words": ["a", "b"],
        "none": [],
    }
    found = parse_gguf(header(content, {}, version=2), "a")
    assert found.values == content
    assert parse_gguf(raw(0, 1, text("x") + value([["a"], ["b"]])), "a").values == {"x": [["a"], ["b"]]}
