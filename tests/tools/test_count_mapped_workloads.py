"""The table of mapped workloads in the docs."""

import pytest

from tools.count_mapped_workloads import PAGE, page_with_counts


@pytest.mark.long
def test_the_docs_have_the_counts_that_the_tool_computes() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert page_with_counts(text) == text
