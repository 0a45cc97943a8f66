from __future__ import annotations

from dataclasses import replace

import pytest

from engines.contract.errors import ProblemError
from engines.cost.calibration.estimates import prepare_rows
from tests.engines.cost.fitted_for_tests import measured, networks
from tests.engines.cost.soc_for_tests import board


@pytest.mark.parametrize(
    "change",
    [{"runs_on": "tpu"}, {"operations": ("nothing",)}, {"runs_on": {"gemm": "gpu"}}, {"clocks": {"gpu": 700.0}}],
)
def test_rows_that_name_what_does_not_exist_are_refused(change: dict[str, object]) -> None:
    row = replace(measured().rows[0], **change)  # type: ignore[arg-type]
    with pytest.raises(ProblemError):
        prepare_rows([row], board(), networks)
