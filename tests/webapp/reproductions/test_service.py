from __future__ import annotations

import math

from tests.webapp.reproductions.cases import stored
from webapp.reproductions import service


def test_a_complete_one_goes_before_a_newer_quick_one(db: None) -> None:
    complete = stored(quick=False, version=1)
    stored(quick=True, version=2)
    assert service.newest("scar") == complete and service.is_outdated(complete)
    newer = stored(quick=False, version=2)
    assert service.newest("scar") == newer


def test_what_has_no_value_comes_back_as_such(db: None) -> None:
    assert math.isnan(service.comparisons(stored(quick=True, version=1, ours=None))[0].ours)
