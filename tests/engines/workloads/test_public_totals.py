"""The zoo beside published totals."""

from __future__ import annotations

import re

import pytest

from engines.workloads import public_totals
from engines.workloads.public_totals import compare_network, compare_totals


def test_every_difference_above_one_percent_has_its_reason() -> None:
    off = [(found.slug, found.figure, found.error) for found in compare_totals() if found.verdict == "off"]
    assert off == []


def test_no_reason_is_given_without_a_difference() -> None:
    excused = {found.slug for found in compare_totals() if found.verdict == "exception"}
    present = set(public_totals.builtin_networks())
    assert {slug for slug, totals in public_totals.public_totals().items() if "because" in totals} & present == excused


# The documentation of torchvision 0.15.2 and totals of the traced models with which the zoo began; definitions were counted.
_AT_HAND = re.compile(
    r"torchvision|.*definition|keras-team|Lightning-AI|ViG|Visformer|AttentiveNAS|HRViT|MiDaS|XRBench|RITnet|FBNet|Tang and Lin"
    r"|sparse-to-dense|milesial|(bert-(base|large)-uncased|gpt2-large), transformers"
)


def test_totals_were_read_again_or_are_at_hand_or_say_that_they_are_recalled() -> None:
    stated = {
        slug: each for slug, each in public_totals.public_totals().items() if {"gmacs", "parameters_m"} & each.keys()
    }
    unclear = [slug for slug, each in stated.items() if "read" not in each and not each.get("recalled")]
    assert [slug for slug in unclear if not _AT_HAND.match(stated[slug]["source"])] == []
    assert all(
        each["read"].startswith("https://") and "recalled" not in each for each in stated.values() if "read" in each
    )
    (recalled,) = (each for each in compare_network("segformer-b0") if each.figure == "GMACs")
    assert recalled.words == "SegFormer paper; recalled, not read again"


@pytest.mark.parametrize(
    ("slug", "verdicts"),
    [
        ("resnet50", ["within 1 %", "within 1 %"]),
        ("visformer-tiny", ["as published", "within 1 %"]),
        ("midas-small-256", ["as published"]),
        ("fbnet-c-224", ["exception", "exception"]),
        ("gpt2-xl-128", ["within 1 %"]),
        ("unet-maestro", ["no public total"]),
        ("magnas-vig-s-gin", ["no public total"]),
    ],
)
def test_verdicts(slug: str, verdicts: list[str]) -> None:
    assert [found.verdict for found in compare_network(slug)] == verdicts


def test_a_wrong_total_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {"resnet50": {"gmacs": 4.2, "parameters_m": 25.557, "source": "nobody"}}
    monkeypatch.setattr(public_totals, "public_totals", lambda: wrong)
    macs, parameters = compare_network("resnet50")
    assert (macs.verdict, parameters.verdict) == ("off", "within 1 %")
    assert macs.error == pytest.approx(-0.0264, abs=1e-3)
