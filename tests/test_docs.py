"""The pages of the documentation agree with the code."""

import re
import tomllib
from pathlib import Path
from typing import get_args

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from engines.documents.builtin import builtin_documents
from engines.registry import engine_names
from hardware.family import DocumentKind
from tools.reproduction_tables import written

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md"))]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def table_keys(page: Path, code: bool) -> list[str]:
    """First cells of the rows of a page's tables."""
    pattern = r"^\| `([^`]+)` \|" if code else r"^\| ([^`|]+?) \|"
    return re.findall(pattern, page.read_text(), flags=re.MULTILINE)


def test_every_dependency_has_a_line_and_none_more() -> None:
    asked_for = PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]
    names = [canonicalize_name(Requirement(line).name) for line in asked_for]
    lines = [
        canonicalize_name(key)
        for key in table_keys(DOCS / "dependencies.md", code=False)
        if key not in ("Package", "---")
    ]
    assert sorted(lines) == sorted(names)


@pytest.mark.parametrize("name", engine_names())
def test_every_engine_has_a_page(name: str) -> None:
    assert (DOCS / "engines" / f"{name}.md").is_file()


def test_files_and_names_of_the_code_exist() -> None:
    """`folder/file.py` is a file of the repository, and `folder/file.py: name` a name in it."""
    missing = [
        f"{page.name}: {file} {name}"
        for page in PAGES
        for file, name in re.findall(r"`([\w/]+/\w+\.py)(?:: (\w+)[^`]*)?`", page.read_text())
        if not (ROOT / file).is_file() or not re.search(rf"\b{name}\b", (ROOT / file).read_text())
    ]
    assert missing == []


def test_every_make_target_is_on_the_contributing_page() -> None:
    targets = set(re.findall(r"^([a-z][a-z-]*):.*##", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    documented = {key.removeprefix("make ") for key in table_keys(DOCS / "contributing.md", code=True)}
    assert documented == targets - {"help"}


def test_the_readme_has_the_two_commands_and_a_picture() -> None:
    text = (ROOT / "README.md").read_text()
    assert re.search(r"^make up\b", text, flags=re.MULTILINE)
    assert re.search(r"^make test\b", text, flags=re.MULTILINE)
    assert "![" in text


def test_the_changelog_has_the_present_version() -> None:
    assert f"## {PROJECT['version']}" in (ROOT / "CHANGELOG.md").read_text()


@pytest.mark.parametrize("document", PAGES, ids=lambda document: str(document.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)", document.read_text())
    missing = [link for link in links if "://" not in link and not (document.parent / link).exists()]
    assert missing == []


def test_every_page_is_reached_from_the_index() -> None:
    index = (DOCS / "index.md").read_text()
    unreached = [page.name for page in DOCS.glob("*.md") if page.name != "index.md" and f"({page.name})" not in index]
    assert unreached == []


@pytest.mark.parametrize("document", PAGES, ids=lambda document: str(document.relative_to(ROOT)))
def test_code_named_on_a_page_exists(document: Path) -> None:
    pattern = (
        r"`((?:hardware|engines|webapp|frontend|paretoscope|tools|tests|benchmarks|requirements|docker)/[\w./-]*)`"
    )
    named = re.findall(pattern, document.read_text())
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("document", [page for page in PAGES if "<!-- reproduced:" in page.read_text()], ids=str)
def test_tables_of_what_was_reproduced_are_those_of_the_release(document: Path) -> None:
    assert document.read_text() == written(document.read_text()), "`python tools/reproduction_tables.py` writes them"


@pytest.mark.parametrize(
    "document", [page for page in PAGES if page.name != "CHANGELOG.md"], ids=lambda page: page.name
)
def test_documents_named_in_commands_are_built_in_or_made_before(document: Path) -> None:
    """A document that a run stores stands behind the run that stores it; a file and what is the reader's own say so by name."""
    text, kinds = document.read_text(), get_args(DocumentKind)
    built_in = {slug for kind in kinds for slug in builtin_documents(kind)}
    for place in re.finditer(r"(?:--(?:hardware|workload) |--input \w+=)([\w./@-]+)", text):
        slug, before = place[1], text[: place.start()].rpartition("```")[2]
        own = "." in slug or slug.startswith(("my-", "local/"))
        assert own or slug in built_in or re.search(r"explore train-|import-data", before), f"{slug} of {document.name}"


def test_every_attack_names_what_repeats_it() -> None:
    rows = re.findall(r"^\|.*\|$", (DOCS / "attacks.md").read_text(), flags=re.MULTILINE)
    rows = [row for row in rows if not re.match(r"\|---|\| (Attack|Hole) \|", row)]
    assert len(rows) > 30 and all(re.search(r"`(tests|benchmarks)/\w[\w/]+\.py`", row) for row in rows)
