from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from engines.documents.accepted_documents import listed
from engines.documents.builtin import builtin_documents
from tests.support.stored_runs import People
from webapp.catalogue.service import store_version
from webapp.runs.inputs.documents import problem_from_document


@pytest.mark.parametrize("given", [{}, {"hardware": "xavier"}, {"hardware": ""}])
def test_the_catalogue_names_what_fits(people: People, given: dict[str, str]) -> None:
    with pytest.raises(ProblemError) as caught:
        problem_from_document(people.stranger, {"engine": "soc-mapping", "inputs": given})
    assert caught.value.field == "inputs.hardware" and caught.value.got == (given.get("hardware") or None)
    words = "a hardware document (System on a chip): three-dataflow-accelerators-sums-kept (preferred), drive-px2-autochauffeur, "
    assert caught.value.accepted.startswith(words) and "simba" not in caught.value.accepted


def test_documents_of_ones_own_are_named_too(people: People) -> None:
    soc = {**builtin_documents("hardware")["jetson-tx2"].content, "slug": "my-soc"}
    store_version(people.owner, people.project, "hardware", soc)
    with pytest.raises(ProblemError, match=f"{people.project.slug}/my-soc"):
        problem_from_document(people.owner, {"engine": "magnas"})


def test_a_long_list_ends_with_the_command_that_has_the_rest(people: People) -> None:
    with pytest.raises(ProblemError, match=r" and \d+ more: paretoscope documents workload --engine scar") as caught:
        problem_from_document(people.stranger, {"engine": "scar", "inputs": {"hardware": "simba-3x3-nvdla"}})
    assert caught.value.accepted.count(",") == 9
    assert listed(["a", "b"], "more", "b") == "b (preferred), a"
