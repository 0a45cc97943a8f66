"""The sections of the New run page."""

from __future__ import annotations

from engines.documents.builtin import builtin_documents
from engines.registry import get_engine
from frontend.pages.drafts import Draft
from frontend.pages.new.sections import slot_detail
from webapp.catalogue.service import DocumentEntry


def test_a_document_without_picture_says_what_it_is() -> None:
    content = builtin_documents("hardware")["fitness-tracker"].content
    entry = DocumentEntry("hardware", "fitness-tracker", 1, "A tracker", "gps 0.1 to 1 Hz", True, content)
    draft = Draft("seesaw", {"hardware": "fitness-tracker"})
    shown = str(slot_detail("hardware", get_engine("seesaw"), draft, {"hardware": [entry]}, "light"))
    assert "A tracker" in shown
    assert "gps 0.1 to 1 Hz" in shown
    assert "fitness-tracker" in shown
