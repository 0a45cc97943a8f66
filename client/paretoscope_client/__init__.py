"""The Python client of a Paretoscope site, for scripts and notebooks. Start with `Paretoscope(url, token)`."""

from __future__ import annotations

from paretoscope_client.documents import Document, DocumentContent, StoredVersion
from paretoscope_client.errors import (
    ApiError,
    ChangedError,
    ConflictError,
    MissingPackageError,
    NotAllowedError,
    NotFoundError,
    NotSignedInError,
    ParetoscopeError,
    RefusedError,
    RunFailedError,
    TooManyRequestsError,
    UnavailableError,
    UnreachableError,
    WaitedTooLongError,
)
from paretoscope_client.figures import front_figure
from paretoscope_client.runs import Infeasible, Run
from paretoscope_client.site import Paretoscope
from paretoscope_client.studies import Study, StudyProgress

__all__ = [
    "ApiError",
    "ChangedError",
    "ConflictError",
    "Document",
    "DocumentContent",
    "Infeasible",
    "MissingPackageError",
    "NotAllowedError",
    "NotFoundError",
    "NotSignedInError",
    "Paretoscope",
    "ParetoscopeError",
    "RefusedError",
    "Run",
    "RunFailedError",
    "StoredVersion",
    "Study",
    "StudyProgress",
    "TooManyRequestsError",
    "UnavailableError",
    "UnreachableError",
    "WaitedTooLongError",
    "front_figure",
]
