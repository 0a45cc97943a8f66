"""What tests of this folder share."""

from __future__ import annotations

from typing import Any

from django.test import Client


def signed_in(person: Any, **given: Any) -> Client:
    client = Client(**given)
    client.force_login(person)
    return client


def path_of(address: str) -> str:
    return "/" + address.split("/", 3)[3]
