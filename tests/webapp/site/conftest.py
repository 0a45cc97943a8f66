from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model

from tests.webapp.site.pages_for_tests import PASSWORD


@pytest.fixture
def ann(db: None) -> Any:
    return get_user_model().objects.create_user("ann", password=PASSWORD)
