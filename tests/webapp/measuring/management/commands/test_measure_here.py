"""`manage.py measure-here`: a device, measurements, a calibration, by one command; and nothing twice."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.support.stored_runs import People
from webapp.catalogue.models import DocumentVersion
from webapp.measuring.models import AgentDevice, Measurement

SMALL = {"networks": ["digits-chain", "ecg-cnn-512"], "predict": ["mobilenet-v2"]}


def here(**more: Any) -> str:
    told = StringIO()
    options = {"user": "ann", "project": "lab", "name": "Box", "threads": [1], "seconds": 0.2, "accept_load": 999.0}
    call_command("measure_here", stdout=told, **{**options, **SMALL, **more})
    return told.getvalue()


@pytest.mark.long
def test_it_measures_calibrates_and_does_nothing_twice(people: People) -> None:
    told = here()
    assert "3 to measure, 0 known already" in told and "Largest error source" in told
    assert "No prediction of mobilenet-v2: no fitted network has depthwise" in told
    assert AgentDevice.objects.get().project == people.project
    assert Measurement.objects.filter(state="done").count() == 3
    kinds = DocumentVersion.objects.values_list("document__kind", "document__slug")
    assert ("calibration", "measured-box-1-thread") in kinds and ("hardware", "measured-box-1-thread") in kinds
    assert "0 to measure, 3 known already" in here()


@pytest.mark.parametrize(
    ("more", "words"), [({"accept_load": -1.0}, "too loaded"), ({"networks": ["none"]}, "networks")]
)
def test_it_refuses_in_words(people: People, more: dict[str, Any], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        here(**more)
