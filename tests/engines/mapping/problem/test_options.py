from __future__ import annotations

import pytest

from engines.mapping.problem.options import MappingOptions


@pytest.mark.parametrize(("typed", "mode"), [("", None), ("  ", None), (" MODE_15W ", "MODE_15W")])
def test_a_power_mode_is_named_or_there_is_none(typed: str, mode: str | None) -> None:
    assert MappingOptions(power_mode=typed).mode == mode
