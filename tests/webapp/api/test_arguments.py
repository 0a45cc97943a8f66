"""Query parameters and what is wrong with them."""

from __future__ import annotations

import pytest
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from engines.contract.errors import ProblemError
from webapp.api import arguments


def _request(query: str) -> Request:
    return Request(APIRequestFactory().get(f"/?{query}"))


def test_it_reads_whole_numbers() -> None:
    assert arguments.integer(_request("n=7"), "n", 3) == 7
    assert arguments.integer(_request(""), "n", 3) == 3


@pytest.mark.parametrize("text", ["", "-1", "1.5", "x", "11", "٣", "1e3", "99999999999999999999999"])
def test_it_refuses_other_numbers(text: str) -> None:
    with pytest.raises(ProblemError, match="an integer from 0 to 10"):
        arguments.integer(_request(f"n={text}"), "n", 3, 0, 10)


def test_it_reads_switches() -> None:
    values = [arguments.flag(_request(query), "on") for query in ("", "on=0", "on=false", "on=1", "on=true")]
    assert values == [False, False, False, True, True]
    with pytest.raises(ProblemError, match="0 or 1"):
        arguments.flag(_request("on=yes"), "on")


def test_it_reads_lists_however_they_are_given() -> None:
    assert arguments.words(_request("w=a,b&w=c"), "w") == ("a", "b", "c")
    assert arguments.words(_request("w="), "w", ["a"]) == ()
    with pytest.raises(ProblemError, match="one of a, b"):
        arguments.words(_request("w=c"), "w", ["a", "b"])
