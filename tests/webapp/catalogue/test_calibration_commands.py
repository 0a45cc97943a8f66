"""Commands around calibrations."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from engines.cost.calibration_measurements import Measurements, published_measurements
from webapp.catalogue.management.commands import validate_models


@pytest.fixture
def one_source(monkeypatch: pytest.MonkeyPatch) -> Measurements:
    """Only the quickest of the published sources."""
    source = published_measurements()["xavier-map-and-conquer"]
    monkeypatch.setattr(validate_models, "published_measurements", lambda: {source.slug: source})
    return source


def printed(*arguments: str, **options: Any) -> str:
    stream = io.StringIO()
    call_command(*arguments, stdout=stream, **options)
    return stream.getvalue()


def test_it_prints_totals_calibrations_and_agreement(one_source: Measurements) -> None:
    words = printed("validate_models")
    assert "fbnet-c-224" in words and "timm fbnetc_100" in words
    assert "VGG19 on gpu, latency" in words and "Leave one workload out" in words and "predicted" not in words
    assert "Xavier, 8 published latencies and energies" in words
    assert "kcp_ws" in words and "f71" in words


def test_it_lists_every_network_on_request(one_source: Measurements) -> None:
    assert "resnet50" not in printed("validate_models") and "resnet50" in printed("validate_models", "--all")


def test_it_fails_where_the_stored_calibration_is_not_what_the_rows_give(
    one_source: Measurements, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = replace(one_source, rows=(replace(one_source.rows[0], measured=99.0), *one_source.rows[1:]))
    monkeypatch.setattr(validate_models, "published_measurements", lambda: {changed.slug: changed})
    with pytest.raises(CommandError, match="xavier-map-and-conquer: the stored document"):
        printed("validate_models")


def test_fit_calibrations_names_the_sources_that_exist() -> None:
    with pytest.raises(CommandError, match="tx2-hadas"):
        printed("fit_calibrations", "nothing")
