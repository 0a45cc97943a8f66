from __future__ import annotations

import pytest
from django.test import Client


@pytest.mark.parametrize("address", ["/static/nothing.css", "/accounts/nothing/"])
def test_it_does_not_ask_to_sign_in_for_what_is_not_there(db: None, address: str) -> None:
    answer = Client().get(address)
    assert answer.status_code == 404 and "Page not found" in answer.content.decode()
