"""What the totals of the encoders, decoders and generators do not tell."""

from __future__ import annotations

import pytest

from engines.workloads.families.attention import CrossAttention
from engines.workloads.families.foundation_networks import foundation_networks
from engines.workloads.families.network_builder import Drawing
from engines.workloads.loader import builtin_network
from engines.workloads.network import INPUT


def test_nothing_is_drawn_for_a_list() -> None:
    for document in foundation_networks().values():
        assert "MIT" in document["source"] or "Apache-2.0" in document["source"]
        assert not document.drawn


def test_tokens_attend_to_others_of_another_width() -> None:
    drawing = Drawing((8, 5, 1))
    CrossAttention(2, (INPUT, (6, 3, 1)), biased=(False, True, True)).draw(drawing, "cross")
    query, key, value, scores, _, values, projection = drawing.rows
    assert (query["c"], query["weight_elements"], key["c"], key["y"]) == (8, 64, 6, 3)
    assert key["weight_elements"] == value["weight_elements"] == 6 * 8 + 8
    assert (scores["y"], scores["c"], scores["k"], scores["repeats"], scores["reads"]) == (5, 4, 3, 2, [0, 1])
    assert (values["y"], values["c"], values["k"]) == (5, 3, 4)
    assert drawing.shape == (8, 5, 1) and projection["y"] == 5


@pytest.mark.parametrize("size", ["tiny", "base", "small", "large-v3-turbo"])
def test_an_encoder_gives_out_what_a_step_of_its_decoder_reads(size: str) -> None:
    encoder, decoder = (builtin_network(f"whisper-{size}-{part}") for part in ("encoder", "decoder"))
    read = [each for each in decoder.operations if each.name.endswith(".read.scores")]
    keys = sum(each.repeats * each.c * each.k for each in read)
    assert encoder.operations[-1].output_elements == 2 * keys
    assert all(INPUT in (each.reads or ()) for each in read)


def test_windows_pad_the_map_and_four_blocks_have_none() -> None:
    operations = builtin_network("sam-vit-b-encoder").operations
    scores = [(each.y, each.repeats) for each in operations if each.name.endswith("attention.scores")]
    assert scores.count((64 * 64, 12)) == 4 and scores.count((14 * 14, 25 * 12)) == 8
    assert sum(each.name.endswith(".pad") for each in operations) == 8


def test_a_mask_decoder_has_the_masks_and_their_quality_as_results() -> None:
    for slug, scores in (("sam-decoder", 4), ("sam2-decoder", 4 + 1)):
        assert builtin_network(slug).operations[-1].output_elements == 4 * 256 * 256 + scores


def test_a_pass_of_a_unet_returns_latents_and_skips_all_maps() -> None:
    operations = builtin_network("stable-diffusion-1-5-unet").operations
    assert operations[-1].output_elements == 4 * 64 * 64
    joined = [each for each in operations if each.kind == "concat"]
    assert len(joined) == 12 and all(len(each.sources) == 2 for each in joined)


def test_depth_is_estimated_for_every_pixel() -> None:
    for version in (1, 2):
        operations = builtin_network(f"depth-anything-v{version}-small").operations
        taps = [each.sources[0] for each in operations if each.name.startswith("norm")]
        blocks = [operations[row].name.split(".")[0] for row in taps]
        assert blocks == [f"block{number}" for number in ((8, 9, 10, 11) if version == 1 else (2, 5, 8, 11))]
        assert operations[-1].output_elements == 518 * 518


def test_every_row_has_a_name_of_its_own() -> None:
    for slug, document in foundation_networks().items():
        names = [row["name"] for row in document["operations"]]
        assert len(set(names)) == len(names), slug
