"""Requests that load modules are told, with the modules; what requests need is there before the first one."""

import logging
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from webapp.site.late_imports import MOST_MODULES, tell_late_imports


@pytest.fixture
def loaded() -> Iterator[list[str]]:
    names: list[str] = []
    yield names
    for name in names:
        del sys.modules[name]


@pytest.mark.parametrize("more", [0, MOST_MODULES, MOST_MODULES + 1])
def test_a_request_that_loads_more_than_some_modules_is_told(
    more: int, loaded: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        loaded.extend(f"loaded_late_{number}" for number in range(more))
        sys.modules.update({name: ModuleType(name) for name in loaded})
        return [b"answer"]

    with caplog.at_level(logging.WARNING):
        assert tell_late_imports(application)({"REQUEST_METHOD": "GET", "PATH_INFO": "/x"}, None) == [b"answer"]
    expected = ["GET '/x' loads modules: " + ", ".join(loaded)] if more > MOST_MODULES else []
    assert [record.getMessage() for record in caplog.records] == expected
