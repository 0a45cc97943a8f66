"""What the page on which hardware is edited opens with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from frontend.pages.catalogue.document.frame import Shown
from frontend.request import chosen_project
from webapp.catalogue.service import copy_of
from webapp.teams.visibility import Principal, editable_projects


@dataclass(frozen=True)
class Opening:
    """What the page opens with.

    Attributes:
        content: the document to change, under the name that it will be saved as.
        title: what one is doing.
        project: slug of the project that it will be saved in.
    """

    content: Mapping[str, Any]
    title: str
    project: str


def opening(principal: Principal, shown: Shown) -> Opening:
    """The next version of a document that `principal` may edit, else a copy under a free name."""
    entry = shown.entry
    if entry.project and editable_projects(principal).filter(slug=entry.project).exists():
        return Opening(entry.content, f"Edit {entry.title}", entry.project)
    content = copy_of(principal, "hardware", entry.name, entry.version)
    content["source"] = f"changed copy of {entry.name}; {content['source']}"[:2000]
    return Opening(content, f"Edit a copy of {entry.title}", str(chosen_project(principal).slug))
