"""Codes of errors: each kind of error has one, and the site explains it."""

from __future__ import annotations

import pytest
from django.test import Client

import webapp.api.errors  # noqa: F401 - defines the errors that the interface answers
from engines.contract.errors import EngineError
from engines.registry import installed_engines
from hardware.errors import HardwareError
from webapp.base.error_codes import CODES, error_code
from webapp.runs.errors import RunStateError


def _kinds(kind: type[Exception]) -> set[type[Exception]]:
    return {kind}.union(*map(_kinds, kind.__subclasses__()))


def test_every_error_has_a_known_code() -> None:
    installed_engines()  # whose modules define errors of their own
    kinds = _kinds(EngineError) | _kinds(HardwareError) | {RunStateError}
    assert len(kinds) > 20
    assert [kind for kind in kinds if kind.code not in CODES] == []  # type: ignore[attr-defined]


def test_the_site_explains_every_code_to_everybody() -> None:
    answer = Client().get("/docs/errors/")
    page = answer.content.decode()
    assert answer.status_code == 200
    assert [code for code, each in CODES.items() if f'id="{code}"' not in page or each.title not in page] == []


@pytest.mark.parametrize(
    ("status", "code", "found"),
    [
        (400, "", "invalid-request"), (403, "", "not-allowed"), (409, "", "conflict"), (409, "name-taken", "name-taken"),
        (412, "", "changed"), (418, "", "invalid-request"), (502, "", "server-fault"), (503, "", "server-busy"),
        (404, "permission_denied", "not-found"),
    ],
)  # fmt: skip
def test_an_error_without_a_code_has_that_of_its_status(status: int, code: str, found: str) -> None:
    assert error_code(status, code).code == found
