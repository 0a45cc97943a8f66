import pytest
from django.contrib.auth import get_user_model
from django.test import Client

pytestmark = pytest.mark.django_db


def test_what_nobody_has_is_not_found() -> None:
    client = Client()
    client.force_login(get_user_model().objects.create_user("ann"))
    assert client.get("/catalogue/workload/none").status_code == 404
