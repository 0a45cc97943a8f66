"""The page on which scenarios are built, as the browser asks for it."""

from __future__ import annotations

from typing import Any

import pytest

from engines.contract.errors import ProblemError
from frontend.bridge import get_app
from tests.frontend.pages.scenario.cases import drawn_page
from tests.support.stored_runs import People
from webapp.catalogue.scenarios import ScenarioDraft


def asked_for(principal: Any, **query: str) -> ScenarioDraft:
    get_app()
    from frontend.pages.scenario.page import opening_draft

    return opening_draft(principal, query)


def test_an_address_fills_the_page(people: People) -> None:
    drawn = drawn_page(people.editor, asked_for(people.editor, networks="resnet18,vgg16"))
    assert "ResNet-18, 224x224" in drawn and "VGG-16, 224x224" in drawn and "assembled by eve" in drawn
    copy = asked_for(people.editor, **{"from": "xrbench-ar-gaming", "version": "1"})
    assert copy.models[0].network == "hand-graph-cnn-xrbench"
    assert "New scenario from xrbench-ar-gaming" in drawn_page(people.editor, copy)
    with pytest.raises(ProblemError):
        asked_for(people.stranger, **{"from": "lab/mine"})


def test_a_network_that_does_not_exist_is_named_at_once(people: People) -> None:
    drawn = drawn_page(people.editor, asked_for(people.editor, networks="resnet18,no-network"))
    assert "Model 2, network: " in drawn and "no-network" in drawn.partition("Model 2, network: ")[2]
