"""Recordings as a family of documents."""

from __future__ import annotations

from engines.recordings.loader import builtin_recordings, load_recording, recording_words
from engines.recordings.schema import RecordingDocument
from hardware.family import DocumentFamily

RECORDING = DocumentFamily(
    "recording",
    "data",
    "Recording",
    "Recordings",
    load_recording,
    recording_words,
    RecordingDocument,
    builtin_recordings,
)
