from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from engines.cost.calibration.unmeasured import builtin_calibration, covered
from engines.cost.soc.model import SocCostModel
from hardware.soc.loader import builtin_socs, load_soc
from tests.engines.cost.copies_for_tests import MAGNAS

KINDS = ["conv", "eltwise", "pool"]


def test_a_copy_of_a_copy_finds_the_calibration_of_the_first() -> None:
    content = {
        **builtin_socs()["jetson-agx-xavier"],
        "slug": "third",
        "lineage": ["third", "second", "jetson-agx-xavier"],
    }
    third = load_soc(content)
    assert builtin_calibration(third, KINDS).soc == "jetson-agx-xavier"
    assert covered(third, None, KINDS, "datasheet").datasheet_units == ("cpu",)
    alone = load_soc({**content, "lineage": []})
    with pytest.raises(ProblemError, match="lineage"):
        builtin_calibration(alone, KINDS)
    with pytest.raises(
        ProblemError, match=r"outside the lineage of this one\. Must be one of third\. Got 'jetson-agx-xavier'"
    ):
        SocCostModel(alone, MAGNAS)
