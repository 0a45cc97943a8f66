"""A form out of pydantic parameters and back."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from engines.contract.engine import EngineParams
from engines.methods.package_search.params import PackageSearchParams
from engines.methods.soc_mapping.params import SocMappingParams
from frontend.components.form import (
    FieldSpec,
    bounds_text,
    changed_values,
    empty_words,
    field_class,
    field_errors,
    field_specs,
    form_fields,
    form_values,
    format_value,
    help_text,
    parse_value,
)


def test_names_that_other_packages_may_add_to_are_a_choice() -> None:
    (spec,) = [each for each in field_specs(PackageSearchParams) if each.name == "cost_model"]
    assert spec.kind == "choice" and spec.choices[1] == ("ideal-array", "Ideal array")
    assert parse_value(spec, "ideal-array") == "ideal-array"


class Sample(EngineParams):
    """Parameters of every kind a form can show."""

    objective: Literal["edp", "latency"] = Field(
        "edp", title="Objective", json_schema_extra={"choices": {"edp": "EDP", "latency": "Latency"}}
    )
    splits: int = Field(
        4,
        title="Window splits",
        description="Four splits give five windows.",
        ge=0,
        le=8,
        json_schema_extra={"unit": "splits"},
    )
    evaluations: int = Field(4200, ge=100, le=1_000_000)
    top_k: int | None = Field(None, ge=1)
    tolerance: float = Field(0.5, gt=0.0)
    baselines: bool = True
    path_limit: int = Field(64, ge=1, json_schema_extra={"tier": "expert"})


SPECS = {spec.name: spec for spec in field_specs(Sample)}


def test_kinds_and_words_come_from_the_model() -> None:
    assert [spec.kind for spec in SPECS.values()] == [
        "choice", "integer", "integer", "integer", "number", "switch", "integer",
    ]  # fmt: skip
    assert SPECS["objective"].choices == (("edp", "EDP"), ("latency", "Latency"))
    assert SPECS["splits"].unit == "splits"
    assert SPECS["top_k"].optional and not SPECS["splits"].optional
    assert SPECS["path_limit"].tier == "expert"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("splits", "0 to 8"),
        ("evaluations", "100 to 1\u202f000\u202f000"),
        ("top_k", "at least 1"),
        ("tolerance", "more than 0"),
    ],
)
def test_bounds_in_words(name: str, text: str) -> None:
    assert bounds_text(SPECS[name]) == text


def test_help_has_bounds_first() -> None:
    assert help_text(SPECS["splits"]) == "0 to 8. Four splits give five windows"


@pytest.mark.parametrize(
    ("name", "raw", "value"),
    [
        ("evaluations", "4\u2009200", 4200), ("evaluations", "4 200", 4200), ("evaluations", "1e5", 100_000),
        ("evaluations", "2.5", 2.5), ("evaluations", "many", "many"), ("top_k", "", None), ("baselines", "false", False),
        ("objective", "latency", "latency"), ("tolerance", "0.25", 0.25),
        ("evaluations", "1,024", "1,024"),
        ("evaluations", "2,000,000", 2_000_000),
        ("tolerance", "0,125", "0,125"),
        ("evaluations", "150 000", 150_000),
        ("evaluations", "1,5", "1,5"),
        ("tolerance", "1,500.25", 1500.25),
    ],
)  # fmt: skip
def test_what_is_typed_is_read(name: str, raw: str, value: object) -> None:
    assert parse_value(SPECS[name], raw) == value


def test_values_survive_the_form() -> None:
    values = Sample(objective="latency", evaluations=12_000, top_k=3, baselines=False).model_dump()
    raw = {name: format_value(spec, values[name]) for name, spec in SPECS.items()}
    assert form_values(list(SPECS.values()), raw) == values
    assert changed_values(list(SPECS.values()), values) == {
        "objective": "latency", "evaluations": 12_000, "top_k": 3, "baselines": False,
    }  # fmt: skip


def test_a_field_that_is_not_shown_keeps_its_default() -> None:
    assert form_values(list(SPECS.values()), {})["path_limit"] == 64


def test_errors_name_what_is_accepted_and_what_was_got() -> None:
    errors = field_errors(Sample, {"splits": 12, "evaluations": "many", "tolerance": None, "objective": "speed"})
    assert errors["splits"] == "Must be a whole number from 0 to 8. Got 12 instead"
    assert errors["evaluations"] == "Must be a whole number from 100 to 1\u202f000\u202f000. Got many instead"
    assert errors["tolerance"] == "A value is needed: a number more than 0"
    assert errors["objective"] == "Must be one of EDP, Latency. Got speed instead"
    assert field_errors(Sample, {"splits": "1,024"})["splits"].endswith("Got 1,024 instead: write 1.024 or 1024")
    assert field_errors(Sample, {"splits": "1 2"})["splits"].endswith("Got 1\u202f2 instead")
    assert field_errors(Sample, {}) == {}


def test_errors_of_text_say_what_its_own_check_accepts() -> None:
    words = field_errors(PackageSearchParams, {"processing_elements": "1024,lots"})["processing_elements"]
    assert words.startswith("Must be whole numbers from 16 to ") and words.endswith(
        "'lots' is none. Got 1024,lots instead"
    )


def _ids(component: object) -> list[object]:
    return [node.id for node in component._traverse() if getattr(node, "id", None)]  # type: ignore[attr-defined]


def test_every_field_has_a_control_and_advanced_ones_are_folded() -> None:
    form = form_fields(list(SPECS.values()), {}, "p")
    ids = _ids(form)
    assert all({"type": "p", "name": name} in ids and {"type": "p-help", "name": name} in ids for name in SPECS)
    assert {"type": "p", "name": "path_limit"} not in _ids(form.children[0])
    assert {"type": "p", "name": "path_limit"} in _ids(form.children[1])


def test_tiers_are_folded_with_their_counts_unless_something_in_them_was_changed() -> None:
    specs = [
        FieldSpec(name, name, "integer", 1, tier=tier)
        for name, tier in (("a", "usual"), ("b", "expert"), ("c", "paper"))
    ]
    for values, told in (
        ({}, [("For experts: 1", False), ("As published: 1", False)]),
        ({"a": 2, "c": 3}, [("For experts: 1", False), ("As published: 1, 1 changed", True)]),
    ):
        folds = form_fields(specs, values, "p").children[1].children
        assert [(fold.children[0].children, fold.open) for fold in folds] == told
    assert len(form_fields(specs[:1], {}, "p").children) == 1


def test_many_choices_become_a_select() -> None:
    spec = FieldSpec("n", "N", "choice", "a", choices=tuple((c, c) for c in "abcdef"))
    control = next(
        node
        for node in form_fields([spec], {}, "p")._traverse()
        if getattr(node, "id", None) == {"type": "p", "name": "n"}
    )
    assert type(control).__name__ == "Select"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("Empty: no limit.", "no limit"),
        ("A share. Empty: 0.31 on routes, fitted, else 0", "0.31 on routes"),
        ("A name", ""),
    ],
)
def test_an_empty_field_says_what_that_means(said: str, words: str) -> None:
    assert empty_words(FieldSpec("n", "N", "number", None, said, optional=True)) == words


def test_a_text_of_several_lines_keeps_them() -> None:
    spec = FieldSpec("points", "Points", "text", "", lines=True)
    shown = str(form_fields((spec,), {"points": "x,y\n1,2"}, "p"))
    assert "Textarea(" in shown and "x,y\\n1,2" in shown and "wide" in field_class(spec)


def test_a_field_for_a_list_is_wide() -> None:
    widths = [
        "wide" in field_class(FieldSpec("n", "N", "text", default, said))
        for default, said in (
            ("", "A name"),
            ("r1: 1 0 0 0; r2: 0 1 0 0", ""),
            ("", 'As in "stem: gpu; grapher*: dla"'),
        )
    ]
    assert widths == [False, True, True]


@pytest.mark.parametrize("value", [1 / 3, 0.1 + 0.2, 1000 / 30, 120.0, 1e-9, 2.5e20])
def test_a_number_of_many_digits_reads_back_as_it_was(value: float) -> None:
    """Else starting from a run, or opening a scenario, would quietly change it."""
    spec = FieldSpec("rate", "Rate", "number", None)
    assert parse_value(spec, format_value(spec, value)) == value


@pytest.mark.parametrize("seed", [0, 2**53 + 1, 2**63 - 1])
def test_a_whole_number_keeps_all_digits(seed: int) -> None:
    spec = FieldSpec("seed", "Seed", "integer", 0)
    assert parse_value(spec, format_value(spec, seed)) == seed
    assert parse_value(spec, str(seed)) == seed


def test_thousands_stand_apart_in_bounds_and_fields_of_any_number() -> None:
    class Params(EngineParams):
        limit: float = Field(25_000.0, ge=0, le=1_000_000)
        odd: float = 12_345.678901234

    limit, odd = field_specs(Params)
    assert help_text(limit) == "0 to 1\u202f000\u202f000"
    assert format_value(limit, limit.default) == "25\u2009000"
    assert parse_value(odd, format_value(odd, odd.default)) == odd.default


class TestLimitsInTheUnitThatDesignsAreShownIn:
    """The parameter stays in the unit of its name; the control has milliseconds."""

    SPEC = next(spec for spec in field_specs(SocMappingParams) if spec.name == "latency_limit_s")

    def test_the_field_is_in_milliseconds(self) -> None:
        assert (self.SPEC.unit, self.SPEC.exponent) == ("ms", -3)
        assert next(spec for spec in field_specs(SocMappingParams) if spec.name == "energy_limit_j").unit == "mJ"
        assert next(spec for spec in field_specs(SocMappingParams) if spec.name == "power_limit_w").unit == "W"

    @pytest.mark.parametrize(
        ("typed", "value"),
        [
            ("23.3", 0.0233),
            ("50 ms", 0.05),
            ("0.05 s", 0.05),
            ("1 500", 1.5),
            ("1,500", "1,500"),
            ("900us", 9e-4),
            ("", None),
        ],
    )
    def test_what_is_typed_becomes_the_parameter(self, typed: str, value: object) -> None:
        assert parse_value(self.SPEC, typed) == value

    @pytest.mark.parametrize("typed", ["fast", "5 MHz", "3 minutes", "1.2.3"])
    def test_what_is_no_time_stays_as_typed(self, typed: str) -> None:
        assert parse_value(self.SPEC, typed) == typed

    @given(st.floats(1e-9, 1e6))
    def test_what_is_shown_reads_back_as_what_it_was(self, value: float) -> None:
        assert parse_value(self.SPEC, format_value(self.SPEC, value)) == value

    def test_words_are_in_the_same_unit(self) -> None:
        assert format_value(self.SPEC, 0.0233) == "23.3" and bounds_text(self.SPEC).endswith(
            "1\u202f000\u202f000\u202f000"
        )
        words = field_errors(SocMappingParams, {"latency_limit_s": 2e6})["latency_limit_s"]
        assert "Got 2\u202f000\u202f000\u202f000 instead" in words
