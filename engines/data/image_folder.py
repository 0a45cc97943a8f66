"""A folder of images: one folder per class, or `train`, `validation` and `test` folders of such."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image, UnidentifiedImageError

from engines.contract.errors import ProblemError
from engines.data.data_set import DataSet, Split
from engines.data.splitting import SPLIT_SEED, stratified_split

ENDINGS = (".png", ".jpg", ".jpeg", ".ppm", ".bmp")
SHARES = (0.7, 0.15, 0.15)
MAX_IMAGES = 100_000
MAX_IMAGE_PIXELS = 50_000_000
_FORMATS = ("PNG", "JPEG", "PPM", "BMP")


def read_image_folder(folder: Path, size_px: int, name: str = "", seed: int = SPLIT_SEED) -> DataSet:
    """Images as RGB, scaled to a square.

    Args:
        folder: holds a folder of images per class; or `train` and `test`, and perhaps `validation`, each with a folder per class.
        size_px: side of the square that every image is scaled to.
        name: of the data set; the folder's by default.
        seed: of the splits that the folder does not have itself.

    Raises:
        ProblemError: no image is found, one cannot be read, or Pillow is not installed.
    """
    held = {each for each in ("train", "validation", "test") if (folder / each).is_dir()}
    root = folder / "train" if "train" in held else folder
    # What holds no image is no class: caches, notes, hidden folders.
    classes = tuple(sorted(path.name for path in root.iterdir() if path.is_dir() and _images(path)))
    if len(classes) < 2:
        raise ProblemError("data.path", str(folder), "a folder with at least two folders of images, one per class")
    if {"train", "test"} <= held:
        train, test = _read(folder / "train", classes, size_px), _read(folder / "test", classes, size_px)
        if "validation" in held:
            validation = _read(folder / "validation", classes, size_px)
        else:
            train, validation = stratified_split(train, (0.85, 0.15), seed)
    else:
        train, validation, test = stratified_split(_read(folder, classes, size_px), SHARES, seed)
    return DataSet(
        name=name or folder.name,
        title=f"Images of {folder.name}",
        train=train,
        validation=validation,
        test=test,
        classes=classes,
        source=f"image folder {folder.name}",
        feature_scale=1.0 / 255.0,
    )


def _images(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*") if path.suffix.lower() in ENDINGS)


def _read(folder: Path, classes: tuple[str, ...], size_px: int) -> Split:
    found = [(path, label) for label, each in enumerate(classes) for path in _images(folder / each)]
    if not 0 < len(found) <= MAX_IMAGES:
        accepted = f"1 to {MAX_IMAGES} images ending in {', '.join(ENDINGS)}"
        raise ProblemError("data.path", f"{len(found)} images in {folder.name}", accepted)
    features = np.stack([_image(path, size_px) for path, _ in found])
    return Split(features, np.array([label for _, label in found], dtype=np.int64))


def _image(path: Path, size_px: int) -> npt.NDArray[np.uint8]:
    """One image, uint8 of shape `3 x size_px x size_px`."""
    try:
        with Image.open(path, formats=_FORMATS) as image:
            if image.width * image.height > MAX_IMAGE_PIXELS:
                raise ProblemError("data.path", f"{image.width} x {image.height}", f"at most {MAX_IMAGE_PIXELS} pixels")
            scaled = image.convert("RGB").resize((size_px, size_px), Image.Resampling.BILINEAR)
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError) as error:
        raise ProblemError("data.path", path.name, f"an image of the formats {', '.join(_FORMATS)}") from error
    return np.ascontiguousarray(np.asarray(scaled, dtype=np.uint8).transpose(2, 0, 1))
