from __future__ import annotations

import re

import pytest

from engines.registry import BUILT_INS, get_engine
from engines.reproduction.citations import PUBLICATIONS, bibtex, citation_keys


@pytest.mark.parametrize("name", sorted(BUILT_INS))
def test_every_engine_of_a_publication_cites_it(name: str) -> None:
    engine = get_engine(name)
    named = set(re.findall(r"\b[a-z]+-20\d\d\b", engine.source))
    assert named <= set(PUBLICATIONS), f"{named - set(PUBLICATIONS)} have no entry in engines/reproduction/citations.py"
    text = bibtex(engine)
    assert text.startswith(f"% {engine.title}") and text.count("@") == len(citation_keys(engine))
    assert text.count("{") == text.count("}")


def test_an_entry_is_bibtex() -> None:
    text = bibtex(get_engine("soc-mapping"))
    assert "@article{odema-2023,\n  author = {Odema, Mohanad and " in text
    assert "  month = sep,\n" in text and "  doi = {10.1145/3609386}\n}" in text


def test_entries_have_what_bibtex_demands() -> None:
    demanded = {
        "article": {"author", "title", "journal", "year"},
        "phdthesis": {"author", "title", "school", "year"},
        "inproceedings": {"author", "title", "booktitle", "year"},
    }
    for kind, fields in PUBLICATIONS.values():
        assert demanded[kind] <= set(fields)
