"""The task of a network, from the words of its document: for lists and filters, never for a computation."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

SEVERAL = "Several models"
OTHER = "Other"

# Task -> words that name it; the first task that a word of the document names counts. Names of families stand for
# documents whose summary says what the network is made of and not what it is for.
_TASKS: Mapping[str, str] = {
    "Image features": r"image features",
    "Image and text": r"image and text",
    "Image generation": r"image generation",
    "Text recognition": r"text recognition",
    "Hands, eyes and actions": r"hand tracking|gaze|action segmentation",
    "Image segmentation": r"segmentation|u-?net",
    "Depth estimation": r"depth (estimation|refinement)",
    "Object detection": r"(object|plane) detection|r-?cnn|yolo|ssd",
    "Speech": r"speech|keyword|wake word",
    "Recommendation": r"recommendation|dlrm",
    "Signals of sensors": r"ecg|\bactivities\b|anomaly detection",
    "Language": r"\b(bert|gpt|llama|t5|language)\b",
    "Image classification": r"image classification|person detection|imagenet|resnet|attentivenas|vision transformer",
}
TASKS = (*_TASKS, SEVERAL, OTHER)


def task_of(content: Mapping[str, Any]) -> str:
    """Return the task of a network, one of `TASKS`; `SEVERAL` for a scenario, `OTHER` where no word tells."""
    if str(content.get("schema", "")).startswith("scenario/"):
        return SEVERAL
    summary, title = (str(content.get(key, "")) for key in ("summary", "title"))
    for text in (summary, title):
        for task, words in _TASKS.items():
            if re.search(words, text, re.IGNORECASE):
                return task
    return OTHER
