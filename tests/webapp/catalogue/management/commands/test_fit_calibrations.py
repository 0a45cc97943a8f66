from __future__ import annotations

import pytest
from django.core.management import CommandError

from tests.webapp.catalogue.calibrations_for_tests import printed


def test_fit_calibrations_names_the_sources_that_exist() -> None:
    with pytest.raises(CommandError, match="tx2-hadas"):
        printed("fit_calibrations", "nothing")
