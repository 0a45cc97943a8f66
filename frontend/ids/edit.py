"""Ids of the tab in which a design is changed by hand."""

from __future__ import annotations

from enum import StrEnum


class EditIds(StrEnum):
    """Components of the tab; `assets/edit.js` draws into `BOARDS`."""

    BOARDS = "edit-boards"
    ASKED = "edit-asked"
    ANSWERED = "edit-answered"
    SAID = "edit-said"
    FIGURES = "edit-figures"
    KEEP = "edit-keep"
    KEPT = "edit-kept"
