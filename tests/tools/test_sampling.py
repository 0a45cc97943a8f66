"""Documents that stand for all in tests of every change."""

from __future__ import annotations

from tests.support.sampling import covering, covering_names

DOCUMENTS = {
    "plain": {"clock": 1.0, "units": [{"kind": "cpu"}]},
    "same": {"clock": 2.0, "units": [{"kind": "gpu"}]},
    "zero": {"clock": 0.0},
    "several": {"clock": 1.0, "units": [{"kind": "cpu"}, {"kind": "gpu", "cores": 2}]},
    "text": {"clock": "unknown"},
}


def test_a_few_documents_have_every_field_in_every_form() -> None:
    assert covering_names(DOCUMENTS) == ["several", "plain", "zero", "text"]
    assert covering_names({}) == []


def test_the_other_documents_are_long() -> None:
    found = covering(DOCUMENTS)
    assert [each for each in found if isinstance(each, str)] == ["plain", "zero", "several", "text"]
    (other,) = (each for each in found if not isinstance(each, str))
    assert (other.values, [mark.name for mark in other.marks]) == (("same",), ["long"])
