from __future__ import annotations

from dataclasses import replace

import pytest
from django.core.management import CommandError

from engines.cost.calibration.measurements import Measurements, published_measurements
from tests.webapp.catalogue.calibrations_for_tests import printed
from webapp.catalogue.management.commands import validate_models


@pytest.fixture
def one_source(monkeypatch: pytest.MonkeyPatch) -> Measurements:
    """Only the quickest of the published sources."""
    source = published_measurements()["xavier-map-and-conquer"]
    monkeypatch.setattr(validate_models, "published_measurements", lambda: {source.slug: source})
    return source


def test_it_prints_totals_calibrations_and_agreement(one_source: Measurements) -> None:
    words = printed("validate_models")
    assert "fbnet-c-224" in words and "timm fbnetc_100" in words
    assert "VGG19 on gpu, latency" in words and "Leave one workload out" in words and "predicted" not in words
    assert "Xavier, 8 published latencies and energies" in words
    assert "kcp_ws" in words and "f71" in words


def test_it_lists_every_network_on_request(one_source: Measurements) -> None:
    assert "densenet161" not in printed("validate_models") and "densenet161" in printed("validate_models", "--all")


def test_it_fails_where_the_stored_calibration_is_not_what_the_rows_give(
    one_source: Measurements, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = replace(one_source, rows=(replace(one_source.rows[0], measured=99.0), *one_source.rows[1:]))
    monkeypatch.setattr(validate_models, "published_measurements", lambda: {changed.slug: changed})
    with pytest.raises(CommandError, match="xavier-map-and-conquer: the stored document"):
        printed("validate_models")
