from __future__ import annotations

from engines.contract.results import Note
from frontend.pages.run.tabs.results import results_tab
from tests.frontend.pages.run.tabs.cases import NOTE


def test_a_text_of_several_lines_keeps_them_in_a_card_of_its_own() -> None:
    document = Note("package.yaml", "Package as YAML", "rows: 3\nchiplets:\n  N: nvdla\n", role="document")
    tab = str(results_tab({"package.yaml": document, "remark": NOTE}, (), "", "light", 1200, False))
    assert "Pre(children='rows: 3\\nchiplets:\\n  N: nvdla\\n'" in tab and "Package as YAML" in tab
    assert "Pre(children='Cut short.'" not in tab
