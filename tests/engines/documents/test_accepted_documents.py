from __future__ import annotations

from engines.contract.inputs import InputKind
from engines.documents.accepted_documents import accepted_words, listed


def test_the_preferred_one_comes_first_then_those_of_projects() -> None:
    assert listed(["b", "lab/own", "a"], "", "a") == "a (preferred), lab/own, b"


def test_of_many_ten_are_named_with_where_the_rest_is() -> None:
    found = listed([f"n{number}" for number in range(13)], "see the list")
    assert found == ", ".join(f"n{number}" for number in range(10)) + " and 3 more: see the list"


def test_a_slot_without_any_document_says_so() -> None:
    slot = InputKind("hardware", "Package", "", dict, preferred="p")
    assert accepted_words(slot, [], "") == "a hardware document (Package); there is none yet"
    assert accepted_words(slot, ["q", "p"], "") == "a hardware document (Package): p (preferred), q"
