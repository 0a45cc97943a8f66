"""Content as it would be stored, or what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from engines.contract.encoding.document_text import ReadDocument, as_content
from engines.contract.errors import ProblemError
from engines.contract.titles import checked_title
from engines.documents import families
from engines.documents.builtin import builtin_documents
from hardware.documents import line_of
from hardware.family import DocumentKind
from hardware.slugs import SLUG_LENGTH
from webapp.catalogue.documents import from_yaml
from webapp.catalogue.models import KINDS
from webapp.catalogue.names import resolve
from webapp.catalogue.scenario_networks import embed_networks
from webapp.teams.visibility import Principal

Content = Mapping[str, Any] | ReadDocument | str


def validate(principal: Principal, kind: str, content: Content) -> dict[str, Any]:
    """Return the content as it would be stored: checked by the engines' own loaders, networks of other documents embedded.

    Raises:
        ProblemError: names the key, what was got and what is accepted.
    """
    if kind not in KINDS:
        raise ProblemError("kind", kind, f"one of {', '.join(KINDS)}")
    read = from_yaml(content) if isinstance(content, str) else content
    if not isinstance(read, ReadDocument):
        return _validated(principal, kind, as_content(read))
    try:
        return _validated(principal, kind, as_content(read.content))
    except ProblemError as error:
        line = line_of(read.lines, error.field)
        lines = [line_of(read.lines, field) for field, _, _ in error.others]
        raise ProblemError.of(error, line=line).with_others(error.others, lines) from error


def _validated(principal: Principal, kind: str, checked: dict[str, Any]) -> dict[str, Any]:
    families.family_of(checked, kind)
    wrong_slug = _slug_mistake(kind, checked.get("slug"))
    if wrong_slug is None:
        return _loaded(principal, kind, checked)
    try:
        _loaded(principal, kind, {**checked, "slug": "a-free-name"})
    except ProblemError as error:
        raise wrong_slug.with_others([(error.field, error.got, error.accepted), *error.others]) from error
    raise wrong_slug


def _slug_mistake(kind: str, slug: object) -> ProblemError | None:
    """Return why a document of one's own cannot have this slug; None where it can."""
    if not isinstance(slug, str) or not _is_slug(slug):
        return ProblemError("slug", slug, f"lower-case letters, digits and hyphens, at most {SLUG_LENGTH} characters")
    if slug in builtin_documents(cast(DocumentKind, kind)):
        return ProblemError("slug", slug, f"a name that no built-in has (for example {slug}-copy)")
    return None


def _is_slug(slug: str) -> bool:
    return (
        0 < len(slug) <= SLUG_LENGTH
        and slug == slug.lower()
        and all(c.isascii() and (c.isalnum() or c == "-") for c in slug)
    )


def _loaded(principal: Principal, kind: str, checked: dict[str, Any]) -> dict[str, Any]:
    checked = embed_networks(checked, lambda name, wrong: resolve(principal, "workload", name, field=wrong))
    checked = families.stored(checked)
    families.check(checked, kind)
    if "title" in checked:
        checked_title("title", checked["title"])
    return checked
