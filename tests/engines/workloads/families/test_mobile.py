from __future__ import annotations

import pytest

from tests.engines.workloads.families.torchvision import check, named


@pytest.mark.parametrize("slug", named("mnasnet", "mobilenet-v3", "efficientnet"))
def test_figures_are_torchvisions(slug: str) -> None:
    check(slug)
