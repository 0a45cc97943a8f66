"""Reader of images as RGB with 8 bits: turned by EXIF orientation, transparent parts over white, other depths scaled."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageOps

from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted

MAX_IMAGE_PIXELS = 50_000_000
# Left out: EPS starts Ghostscript, WMF is drawn on Windows alone, BUFR, GRIB, HDF5 and MPEG are recognised but not decoded, the
# scale of FITS and McIDAS is ignored, and IM, IMT, IPTC and SPIDER have no signature: damaged files of other formats pass for them.
FORMATS = (
    "AVIF", "BLP", "BMP", "CUR", "DCX", "DDS", "DIB", "FLI", "FTEX", "GBR", "GIF", "ICNS", "ICO", "JPEG", "JPEG2000", "MSP", "PCD",
    "PCX", "PIXAR", "PNG", "PPM", "PSD", "QOI", "SGI", "SUN", "TIFF", "WEBP", "XBM", "XPM", "XVTHUMB",
)  # fmt: skip
_BY_ENDING = "TGA"  # has no signature either, but its endings are its own
_BACKGROUND = "white"
# Of modes whose values have no range of their own; "I" is how some files of 16 bits are read.
_RANGES = {"I": 65535, "F": 1.0}
_MIN_IS_WHITE = (262, 0)  # tag and value of TIFF files whose values grow towards black; Pillow minds it in 8 bits alone


@cache
def image_endings() -> Mapping[str, str]:
    """Return ending -> format of the formats that are read."""
    endings = Image.registered_extensions()
    return {ending: form for ending, form in endings.items() if form in (*FORMATS, _BY_ENDING)} | {".mpo": "JPEG"}


@dataclass
class ImageReader:
    """A reader of images, which counts what it changed in them.

    Attributes:
        root: folder from which on errors name images.
        size_px: side of the square that images are scaled to.
        of_frames: number of images with several frames.
        deep: number of images with 16 bits.
        largest: largest value in these.
    """

    root: Path
    size_px: int
    of_frames: int = 0
    deep: int = 0
    largest: int = 0

    def notes(self) -> list[str]:
        """Return sentences about images that were changed."""
        found = []
        if self.of_frames:
            found.append(f"Images with several frames, of which the first was read: {counted(self.of_frames)}.")
        if self.deep:
            used = f"Their largest value is {counted(self.largest)} of {counted(65535)}"
            found.append(f"Images of 16 bits, scaled to 8 bits by 1/257: {counted(self.deep)}. {used}.")
        return found

    def read(self, path: Path) -> npt.NDArray[np.uint8]:
        """Return one image, scaled to a square: uint8 of shape `3 x size_px x size_px`.

        Raises:
            ProblemError: names an image that is damaged, too large, or has values without a known range.
        """
        place = path.relative_to(self.root).as_posix()
        formats = (*FORMATS, _BY_ENDING) if image_endings()[path.suffix.lower()] == _BY_ENDING else FORMATS
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of metadata
                warnings.simplefilter("error", Image.DecompressionBombWarning)
                with Image.open(path, formats=formats) as image:
                    pixels = image.width * image.height
                    if pixels <= MAX_IMAGE_PIXELS:
                        to_black = _MIN_IS_WHITE in getattr(image, "tag_v2", {}).items()
                        upright = self._rgb(ImageOps.exif_transpose(image), to_black)
                        scaled = upright.resize((self.size_px, self.size_px), Image.Resampling.BILINEAR)
                        self.of_frames += getattr(image, "n_frames", 1) > 1
        except Exception as error:  # decoders of damaged files raise nearly every type
            got = f"{place} ({str(error).replace(str(path), path.name)[:200] or type(error).__name__})"
            raise ProblemError(
                "data.path", got, "an image that Pillow reads", remedies=["Repair the image, or remove it."]
            ) from error
        if pixels > MAX_IMAGE_PIXELS:
            raise ProblemError(
                "data.path", f"{place} of {counted(pixels)} pixels", f"at most {counted(MAX_IMAGE_PIXELS)} pixels"
            )
        return np.ascontiguousarray(np.asarray(scaled, dtype=np.uint8).transpose(2, 0, 1))

    def _rgb(self, image: Image.Image, to_black: bool) -> Image.Image:
        if image.mode in _RANGES or image.mode.startswith("I;"):
            image = self._of_8_bits(image, to_black)
        if image.has_transparency_data:
            opaque = Image.new("RGBA", image.size, _BACKGROUND)
            opaque.alpha_composite(image.convert("RGBA"))
            image = opaque
        return image.convert("RGB")

    def _of_8_bits(self, image: Image.Image, to_black: bool) -> Image.Image:
        """Return a grey image of 8 bits, with transparency where the image names a value for it.

        ValueError for values out of range.
        """
        values, top = np.asarray(image), _RANGES.get(image.mode, 65535)
        low, high = values.min(), values.max()
        if not (low >= 0 and high <= top):
            raise ValueError(f"values from {low:g} to {high:g}; of this type, 0 to {top:g} are read: scale them")
        if top > 1:
            self.deep, self.largest = self.deep + 1, max(self.largest, int(high))
        scaled = np.rint(values * (255 / top)).astype(np.uint8)
        grey = Image.fromarray(255 - scaled if to_black else scaled)
        if "transparency" in image.info:
            opaque = np.where(values == image.info["transparency"], 0, 255).astype(np.uint8)
            return Image.merge("LA", (grey, Image.fromarray(opaque)))
        return grey
