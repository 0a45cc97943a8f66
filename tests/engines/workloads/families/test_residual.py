"""RegNet's design space."""

from __future__ import annotations

from engines.workloads.families.residual import RegNetSpace


def test_stages_follow_from_the_quantised_widths() -> None:
    # Radosavovic et al. 2020, appendix: RegNetX-400MF has widths 32, 64, 160, 384 and depths 1, 2, 7, 12, groups of 16;
    # torchvision starts at another width (400 MF there is 32, 64, 160, 400).
    assert RegNetSpace(22, 24, 24.48, 2.54, 16).stages() == [(32, 1, 16), (64, 2, 16), (160, 7, 16), (400, 12, 16)]


def test_widths_are_multiples_of_the_group_width_and_groups_not_wider_than_a_stage() -> None:
    for width, _, group in RegNetSpace(27, 456, 160.83, 2.52, 264).stages():
        assert width % group == 0
    assert RegNetSpace(10, 64, 10.0, 2.0, 512).stages()[0][2] == RegNetSpace(10, 64, 10.0, 2.0, 512).stages()[0][0]
