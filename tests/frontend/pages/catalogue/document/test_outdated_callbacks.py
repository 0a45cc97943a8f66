import json

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from tests.support.callbacks import ask, key_of

pytestmark = pytest.mark.django_db


def test_a_document_that_is_gone_is_told() -> None:
    from frontend.bridge import get_app
    from frontend.ids.catalogue import DocumentIds

    client = Client()
    client.force_login(get_user_model().objects.create_user("ann"))
    button = {"type": DocumentIds.AGAIN_TYPE, "name": "999999-toy"}
    output = next(key for key in get_app().callback_map if key.startswith(f"{DocumentIds.AGAIN_SAID}.children"))
    patterns = {f"{DocumentIds.AGAIN_TYPE}.n_clicks": [(button, 1)]}
    answer = ask(client, output, {}, patterns, key_of(button, "n_clicks"))
    assert "The document no longer exists." in json.dumps(answer.json())
