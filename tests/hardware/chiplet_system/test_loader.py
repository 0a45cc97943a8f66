"""Systems of IP blocks read from documents, and what is said about documents that do not fit."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from hardware.chiplet_system.loader import builtin_chiplet_systems, load_chiplet_system
from hardware.errors import HardwareError


def content() -> dict[str, Any]:
    return copy.deepcopy(dict(builtin_chiplet_systems()["neksus-phone"]))


def test_figures_are_converted_once() -> None:
    system = load_chiplet_system(content())
    assert system.blocks["vd"].seconds_per_byte == pytest.approx(12 / 64 / 500e6)
    assert system.channel.hop_s == pytest.approx(94e-12) and system.channel.bump_mm2 == pytest.approx(0.0016)
    assert 256 * system.channel.bump_mm2 == pytest.approx(0.41, abs=5e-3)  # as printed for a port of 256 bits
    assert system.router.flit_j == pytest.approx(31.17e-12)
    assert [chain.title for chain in system.applications["photo-capture"].chains] == ["CAM-IMG-DC", "CAM-IMG-MMC"]


@pytest.mark.parametrize(
    ("chain", "key", "words"),
    [
        ({"blocks": ["cam", "gpu"]}, "blocks.1", "one of the blocks: vd"),
        ({"blocks": ["cam", "ve", "cam"]}, "blocks.2", "no loops"),
        ({"bytes_handed_on": [1.0, 2.0]}, "bytes_handed_on", "1 numbers, one for each block but the last"),
    ],
)
def test_chains_that_cannot_be_are_refused(chain: dict[str, Any], key: str, words: str) -> None:
    document = content()
    document["applications"]["youtube"]["chains"]["vd-dc"].update(chain)
    with pytest.raises(HardwareError, match=words) as caught:
        load_chiplet_system(document)
    assert caught.value.key == f"applications.youtube.chains.vd-dc.{key}"
