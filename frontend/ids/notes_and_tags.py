"""Ids of annotations of an item: notes, tags, the star and notices."""

from __future__ import annotations

from enum import StrEnum


class TalkIds(StrEnum):
    """Components of notes, tags and stars; a page has them of one thing. Those ending in `_TYPE` are types of pattern-matching ids.

    `TURN` is a store that changes with every note that is written, changed or deleted here.
    """

    THING = "talk-thing"
    NOTES = "talk-notes"
    TOLD = "talk-told"
    TURN = "talk-turn"
    FIELD_TYPE = "talk-field"
    ACTION_TYPE = "talk-action"
    MARKED = "talk-marked"
    STAR = "talk-star"
    TAGS = "talk-tags"
    TAGS_OPEN = "talk-tags-open"
    TAGS_DIALOG = "talk-tags-dialog"
    TAGS_BODY = "talk-tags-body"
    TAGS_FIELD = "talk-tags-field"
    TAGS_TOLD = "talk-tags-told"


class NoticeIds(StrEnum):
    """Components of the page of notices; `ACTION_TYPE` is the type of its buttons' ids."""

    CONTENT = "notices-content"
    ACTION_TYPE = "notices-action"
