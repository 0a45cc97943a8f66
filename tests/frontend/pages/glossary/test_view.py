"""Terms and metrics at addresses of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.registry import engine_names, get_engine
from frontend.glossary import docs_page, metric_address, terms
from frontend.pages.glossary.view import contents


def test_terms_and_forms_mean_one_thing_each() -> None:
    forms = [form for each in terms() for form in (each.term, *each.forms)]
    assert len({form.lower() for form in forms}) == len(forms)
    assert len({each.anchor for each in terms()}) == len(terms())
    assert all(each.definition.endswith(".") for each in terms())


def test_the_docs_list_the_same_terms() -> None:
    assert (Path(__file__).parents[4] / "docs" / "glossary.md").read_text("utf-8") == docs_page()


@pytest.mark.parametrize("name", engine_names())
def test_every_metric_has_the_address_that_pages_link_to(name: str) -> None:
    anchors = {each.id for each in contents()._traverse() if isinstance(getattr(each, "id", None), str)}
    links = [metric_address(name, quantity.name) for quantity in get_engine(name).quantities]
    assert {link.partition("#")[2] for link in links} <= anchors
