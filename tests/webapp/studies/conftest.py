"""What tests of studies share."""

from __future__ import annotations

from collections import OrderedDict

import pytest

from webapp.studies import values
from webapp.studies.fronts import forget_fronts


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test has a database of its own, where the same number is another run."""
    monkeypatch.setattr(values, "_known", OrderedDict())
    forget_fronts()
