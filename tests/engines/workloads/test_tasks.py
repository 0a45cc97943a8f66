"""What networks are for."""

from __future__ import annotations

import pytest

from engines.workloads.builtins import builtin_networks, builtin_scenarios
from engines.workloads.tasks import OTHER, SEVERAL, task_of


@pytest.mark.parametrize(
    ("slug", "task"),
    [
        ("resnet50", "Image classification"),
        ("attentivenas-max", "Image classification"),
        ("hrvit-b1", "Image classification"),
        ("hrvit-b1-xrbench", "Image segmentation"),
        ("unet-512", "Image segmentation"),
        ("bert-large-384", "Language"),
        ("gpt2-large-128", "Language"),
        ("emformer-128", "Speech"),
        ("res8-narrow-xrbench", "Speech"),
        ("d2go-xrbench", "Object detection"),
        ("ed-tcn-xrbench", "Hands, eyes and actions"),
        ("fbnet-c-160x100", "Hands, eyes and actions"),
        ("midas-small-256", "Depth estimation"),
        ("yolov8n-seg", "Object detection"),
        ("pidnet-s", "Image segmentation"),
        ("mlperf-tiny-sww", "Speech"),
        ("mlperf-tiny-ad", "Signals of sensors"),
    ],
)
def test_the_words_of_a_document_tell_its_task(slug: str, task: str) -> None:
    assert task_of(builtin_networks()[slug]) == task


def test_every_built_in_has_a_task() -> None:
    assert [slug for slug, content in builtin_networks().items() if task_of(content) == OTHER] == []
    assert {task_of(content) for content in builtin_scenarios().values()} == {SEVERAL}


def test_a_document_without_words_is_other() -> None:
    assert task_of({}) == OTHER
