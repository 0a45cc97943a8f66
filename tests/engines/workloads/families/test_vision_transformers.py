"""What the totals of torchvision do not tell of the transformers."""

from __future__ import annotations

from engines.workloads.families.vision_transformers import SwinShape, swin, vit

SHAPE = SwinShape(side=64, window=4, width=8, depths=(2, 2, 2), heads=(1, 2, 4))


def test_every_second_block_is_shifted_where_there_is_more_than_one_window() -> None:
    # Stages of 16, 8 and 4 tokens a side; the last one is a single window.
    names = [row["name"] for row in swin(SHAPE)]
    assert [name for name in names if name.endswith(".shift")] == [
        "stage1.1.attention.shift",
        "stage2.1.attention.shift",
    ]
    assert sum(name.endswith(".mask") for name in names) == 2


def test_version_two_normalises_after_each_part_and_draws_its_positions() -> None:
    first = [row["name"] for row in swin(SHAPE)]
    second = [row["name"] for row in swin(SwinShape(64, 4, 8, (2, 2, 2), (1, 2, 4), version=2))]
    block = "stage1.0"
    assert first.index(f"{block}.norm1") < first.index(f"{block}.attention.query_key_value")
    assert second.index(f"{block}.norm1") > second.index(f"{block}.attention.projection")
    assert f"{block}.attention.positions.fc1" in second and f"{block}.attention.positions.fc1" not in first


def test_a_class_token_joins_the_patches() -> None:
    rows = vit(side=32, patch=16, depth=1, heads=2, width=8)
    token, positions = rows[1], rows[2]
    assert (token["output_elements"], token["weight_elements"]) == (5 * 8, 8)
    assert (positions["kind"], positions["weight_elements"]) == ("eltwise", 5 * 8)
    assert rows[-1] == {"name": "head", "kind": "gemm", "k": 1000, "c": 8, "y": 1, "weight_elements": 9000}
