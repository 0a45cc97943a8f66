"""Built-in documents."""

from __future__ import annotations

import pytest

from engines.builtin import builtin_documents, get_builtin
from engines.errors import ProblemError
from engines.workloads.loader import load_scenario
from hardware.loader import load_package
from hardware.soc_loader import load_soc


def test_all_built_ins_load_under_their_own_names() -> None:
    for slug, document in builtin_documents("hardware").items():
        load = load_soc if document.content["schema"] == "soc/1" else load_package
        assert load(document.content).slug == slug == document.slug
    for slug, document in builtin_documents("workload").items():
        assert load_scenario(document.content).slug == slug == document.slug


def test_built_ins_are_version_one_and_differ() -> None:
    documents = [*builtin_documents("hardware").values(), *builtin_documents("workload").values()]
    assert {document.version for document in documents} == {1}
    assert len({document.content_hash() for document in documents}) == len(documents)


def test_kinds_without_built_ins_have_none() -> None:
    assert builtin_documents("environment") == {}


def test_a_built_in_is_found_by_name() -> None:
    assert get_builtin("workload", "mlperf-scenario-4").content["schema"] == "scenario/1"


def test_an_unknown_name_lists_those_that_exist() -> None:
    with pytest.raises(ProblemError, match="simba-3x3-het-sides") as caught:
        get_builtin("hardware", "simba-9x9")
    assert (caught.value.field, caught.value.got) == ("hardware", "simba-9x9")
    with pytest.raises(ProblemError, match="none is built in"):
        get_builtin("weights", "any")
