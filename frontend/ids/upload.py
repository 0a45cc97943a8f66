"""Ids of the page that takes files."""

from __future__ import annotations

from enum import StrEnum


class UploadIds(StrEnum):
    """Components of the upload page; those ending in `_TYPE` are the `type` of pattern-matching ids.

    `assets/upload.js` knows those of the place to drop a file, its progress and the answer.
    """

    PLACE = "upload-place"
    CHOOSE = "upload-choose"
    AGAIN = "upload-again"
    NEXT = "upload-next"
    OTHER = "upload-other"
    OTHER_NAME = "upload-other-name"
    PROGRESS = "upload-progress"
    NAME = "upload-name"
    PROJECT = "upload-project"
    ANSWER = "upload-answer"
    RESULT = "upload-result"
    SAID = "upload-said"
    DRAFT = "upload-draft"
    DIMENSION_TYPE = "upload-dimension"
    EXCLUDE_TYPE = "upload-exclude"
