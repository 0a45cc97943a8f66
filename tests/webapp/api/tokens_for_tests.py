from __future__ import annotations

import re

from django.test import Client
from rest_framework.test import APIClient

from tests.support.stored_runs import People

PAGE = "/accounts/token/"


def make(people: People, name: str = "Laptop") -> tuple[Client, str]:
    client = Client()
    client.force_login(people.owner)
    page = client.post(PAGE, {"name": name, "scope": "write", "project": "", "days": "90"}).content.decode()
    found = re.search(r"pts_[\w-]{40,}", page)
    assert found is not None
    return client, found.group()


def status(text: str, keyword: str = "Token") -> int:
    return APIClient().get("/api/v1/engines/", headers={"Authorization": f"{keyword} {text}"}).status_code
