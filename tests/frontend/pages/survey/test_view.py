"""What a survey says: figures with their certainty, reasons, and ways that lead on."""

from __future__ import annotations

from frontend.pages.survey.view import found_view
from tests.frontend.pages.deleted.cases import text_of
from tests.frontend.pages.survey.cases import FOUND


def words(kind: str = "all") -> str:
    return text_of(found_view(FOUND, "resnet50", kind, "light", 1280)).encode().decode("unicode_escape")


def test_devices_have_figures_with_their_error_and_others_a_reason() -> None:
    found = words()
    assert "54 layers, 4.10" in found and "3 devices run it, 1 cannot" in found
    assert "GPU 12 blocks, DLA 6 (best alone: GPU, 11.0\u00a0ms, 200\u00a0mJ)" in found
    assert "×/÷ 1.20" in found and "×/÷ 1.10" in found
    assert "does not run topk" in found and found.count("Explore") == 3


def test_one_kind_of_devices_can_be_shown_alone() -> None:
    assert "Simba" not in words("boards") and "Xavier" in words("boards")
    packages = words("packages")
    assert "Simba" in packages and "Xavier" not in packages and "Edge TPU" not in packages
    assert words("nonsense") == words("all")
