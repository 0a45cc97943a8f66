"""Environments as a family of documents."""

from __future__ import annotations

from hardware.environment.loader import builtin_environments, load_environment
from hardware.environment.schema import EnvironmentDocument
from hardware.environment.summary import environment_words
from hardware.family import DocumentFamily

ENVIRONMENT = DocumentFamily(
    "environment",
    "environment",
    "Environment",
    "Environments",
    load_environment,
    environment_words,
    EnvironmentDocument,
    builtin_environments,
)
