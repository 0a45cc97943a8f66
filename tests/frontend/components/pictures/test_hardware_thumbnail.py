"""Small pictures of hardware."""

from __future__ import annotations

from frontend.components.pictures.hardware_thumbnail import hardware_thumbnail


def test_every_chiplet_is_a_square_in_its_finish() -> None:
    drawn = hardware_thumbnail((("nvdla", "shi-diannao"), ("gpu", "unheard-of")))
    assert [square.className for square in drawn.children] == [
        "sw pat-nvdla", "sw pat-shi-diannao", "sw pat-gpu", "sw pat-dram"
    ]  # fmt: skip
    assert drawn.style["gridTemplateColumns"] == "repeat(2, 16px)"


def test_many_chiplets_are_small_and_none_is_nothing() -> None:
    sixteen = hardware_thumbnail((("nvdla",) * 16,) * 16)
    assert len(sixteen.children) == 256 and sixteen.children[0].style["width"] < 4
    assert hardware_thumbnail(()).children == []
