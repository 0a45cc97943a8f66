"""Every error in one shape."""

from __future__ import annotations

import json

import numpy as np
import pytest
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from rest_framework.exceptions import NotFound, Throttled, ValidationError

from engines.contract.errors import ProblemError, UnknownEngineError
from hardware.errors import HardwareError
from webapp.api.errors import handle_exception
from webapp.limits.errors import LimitReachedError
from webapp.runs.errors import RunStateError
from webapp.teams.visibility import NotAllowed, NotVisible


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (ProblemError("seed", -1, "an integer"), 400),
        (HardwareError("file.yaml", "package.rows", 0, "at least 1"), 400),
        (ValidationError({"name": ["is missing"]}), 400),
        (LimitReachedError("active_runs", 1, "at most 0 more", "No room.", 3, 3), 403),
        (NotAllowed("Ask an admin."), 403),
        (PermissionDenied(), 403),
        (NotVisible("There is no run 7 here."), 404),
        (NotFound("There is no design 7."), 404),
        (RunStateError("continue", "done", ("stopped",)), 409),
        (UnknownEngineError("There is no engine x."), 409),
        (Throttled(3), 429),
        (RequestDataTooBig("too big"), 413),
        (RecursionError(), 400),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else value,
)
def test_it_has_a_message(error: Exception, status: int) -> None:
    response = handle_exception(error, {})
    assert response is not None and response.status_code == status
    assert response.data["message"] and json.dumps(response.data)


def test_it_carries_the_facts() -> None:
    response = handle_exception(HardwareError("file.yaml", "package.rows", 0, "at least 1", 7), {})
    assert response is not None
    assert (response.data["field"], response.data["got"], response.data["accepted"]) == (
        "package.rows",
        0,
        "at least 1",
    )


@pytest.mark.parametrize("got", [float("nan"), {1, 2}, np.float64(2), object(), b"x"])
def test_it_can_say_whatever_was_got(got: object) -> None:
    response = handle_exception(ProblemError("x", got, "something else"), {})
    assert response is not None and json.dumps(response.data, allow_nan=False)


def test_it_leaves_surprises_alone() -> None:
    assert handle_exception(ZeroDivisionError(), {}) is None
