"""Classifiers against torchvision's own figures, to the last parameter, and against traced tables, layer by layer."""

from __future__ import annotations

import pytest

from engines.workloads.builtins import builtin_networks
from engines.workloads.families.classifiers import classifiers
from tests.engines.workloads.families.torchvision import MODELS, check, named

TRACED = {"googlenet", "inception-v3", "mobilenet-v2", "resnet50", "vgg16", "vgg19"}
ELSEWHERE = named("densenet", "shufflenet", "mnasnet", "mobilenet-v3", "efficientnet")


@pytest.mark.parametrize("slug", [slug for slug in MODELS if slug not in ELSEWHERE])
def test_figures_are_torchvisions(slug: str) -> None:
    check(slug)


def test_all_eighty_are_built_in() -> None:
    assert len(MODELS) == 80
    others = {"efficientnet-b4-224", "efficientnet-v2-s-224"}  # at the size of other sources
    assert set(classifiers()) - others == set(MODELS) - TRACED
    assert set(MODELS) <= set(builtin_networks())
