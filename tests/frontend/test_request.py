from __future__ import annotations

import pytest

from frontend import request

pytestmark = pytest.mark.django_db


def test_outside_of_a_request_nobody_is_signed_in():
    assert not request.current_user().is_authenticated
    assert request.csrf_token() == ""
    assert request.current_request() is None
