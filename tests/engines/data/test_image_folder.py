from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from engines.data.image_folder import read_image_folder


def test_an_image_folder_is_scaled_and_split(tmp_path) -> None:
    images = pytest.importorskip("PIL.Image")
    for label, shade in (("cat", 200), ("dog", 20)):
        (tmp_path / label).mkdir()
        for number in range(10):
            images.new("L", (20 + number, 12), shade).save(tmp_path / label / f"{number}.png")
    (tmp_path / ".cache").mkdir()
    data = read_image_folder(tmp_path, 8)
    assert data.classes == ("cat", "dog"), "what holds no image is no class"
    assert data.example_shape == (3, 8, 8)
    assert sum(len(split) for split in data.splits().values()) == 20
    assert set(data.test.features[data.test.labels == 1].ravel()) == {20}
    (tmp_path / "dog" / "broken.png").write_bytes(b"no image")
    with pytest.raises(ProblemError, match=r"broken\.png"):
        read_image_folder(tmp_path, 8)
