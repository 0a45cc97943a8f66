"""Documents of image data sets, schema `image-data/1`: what they hold, and where the examples are.

The examples of a bundled data set come with the product; those of any other are one .npz file (`engines.data.archive`), named by
its SHA-256 and kept with the document.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from engines.contract.engine import FileStore
from engines.contract.errors import ProblemError
from engines.contract.integer_format import many
from engines.data.archive import pack_data_set, unpack_data_set
from engines.data.data_set import DataSet
from engines.data.digits import digits
from engines.data.scaling import Scaling
from hardware.document_reader import name_of, validated
from hardware.family import DocumentFamily
from hardware.sections import Header, Section, Words, named

IMAGE_DATA_SCHEMA = "image-data/1"
DEFAULT = "digits"
READER = 2  # version of the readers of data sets
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Count = Annotated[int, Field(ge=1, le=10**9)]


class FileSection(Section):
    """A stored file."""

    sha256: Sha256 = Field(title="SHA-256", description="SHA-256 of the content.")
    size_bytes: Count = Field(title="Size", json_schema_extra={"unit": "B"})


class ExamplesSection(Section):
    """Number of examples in each split."""

    train: Count = Field(title="To learn from")
    validation: Count = Field(title="To choose by")
    test: Count = Field(title="To report on")


class ScalingSection(Section):
    """The scaling of recorded signals to features, by channel."""

    channels: list[Words] = Field(default=[], title="Channels", description="Names, with units where they are known.")
    mean: list[float] = Field(title="Mean", description="Mean of the training windows, in the unit of the recording.")
    deviation: list[Annotated[float, Field(gt=0)]] = Field(
        title="Deviation", description="Standard deviation of the training windows."
    )


class ImageDataDocument(Header):
    """A data document of schema `image-data/1`."""

    schema_name: Literal["image-data/1"] = named()
    source: Words = Field(title="Source", description="Where the examples are from.")
    bundled: Literal["digits"] | None = Field(
        default=None, title="Bundled", description="Which of the data sets that come with the product; or a file."
    )
    file: FileSection | None = Field(default=None, title="File", description="The .npz file with the examples.")
    reader: Annotated[int, Field(ge=1, le=1000)] | None = Field(
        default=None, title="Reader", description="Version of the reader that made the file of what was brought along."
    )
    channels: Annotated[int, Field(ge=1, le=64)] = Field(
        title="Channels", description="Channels of an image: 1 grey, 3 colour."
    )
    height: Annotated[int, Field(ge=1, le=4096)] = Field(title="Height", json_schema_extra={"unit": "pixels"})
    width: Annotated[int, Field(ge=1, le=4096)] = Field(title="Width", json_schema_extra={"unit": "pixels"})
    classes: Annotated[list[Words], Field(min_length=2, max_length=10_000)] = Field(title="Classes")
    examples: ExamplesSection = Field(title="Examples")
    scaling: ScalingSection | None = Field(
        default=None,
        title="Scaling",
        description="Scaling of signals: feature = (recorded value - mean) / deviation. Empty: images, or signals "
        "stored without scaling.",
    )


@dataclass(frozen=True)
class ImageData:
    """Facts of an image data set before its examples are read.

    Attributes:
        slug, title, source: name and words.
        channels, height, width: channels, height and width of an image.
        classes: names of the labels.
        examples: split -> how many.
        sha256: sha256 of the .npz file; empty for a bundled one.
        scaling: scaling of signals; None if it was not stored.
    """

    slug: str
    title: str
    source: str
    channels: int
    height: int
    width: int
    classes: tuple[str, ...]
    examples: Mapping[str, int]
    sha256: str = ""
    scaling: Scaling | None = None

    @property
    def is_signals(self) -> bool:
        """Whether examples are windows of samples: images of one column."""
        return self.width == 1 < self.height

    def read(self, files: FileStore) -> DataSet:
        """Return the examples.

        Args:
            files: holds the file, unless the data set is bundled.

        Raises:
            ProblemError: the file is not there, or is not what the document says.
        """
        if not self.sha256:
            return digits()
        try:
            content = files.get(self.sha256)
        except KeyError as error:
            accepted = "a data set whose file is stored"
            raise ProblemError(
                "inputs.data.file.sha256", self.sha256, accepted, remedies=["Import the data set again."]
            ) from error
        found = unpack_data_set(content, self.slug)
        shape, said = found.example_shape, (self.channels, self.height, self.width)
        if shape != said or len(found.classes) != len(self.classes):
            raise ProblemError(
                "inputs.data", f"images of shape {shape}", f"images of shape {said}, as the document says"
            )
        if self.scaling is not None and found.scaling != self.scaling:
            ways = ["Import the data set again."]
            accepted = "the scaling of the file of examples"
            raise ProblemError("inputs.data.scaling", self.scaling.content, accepted, remedies=ways)
        return found


def load_image_data(content: Mapping[str, Any]) -> ImageData:
    """Return the data set that a document describes.

    Raises:
        HardwareError: names the key, what was got and what is accepted.
        ProblemError: the document names both a bundled data set and a file, or neither.
    """
    document = validated(ImageDataDocument, content, name_of(content, None))
    if (document.bundled is None) == (document.file is None):
        raise ProblemError("bundled", document.bundled, "either a bundled data set or a file")
    return ImageData(
        slug=document.slug,
        title=document.title,
        source=document.source,
        channels=document.channels,
        height=document.height,
        width=document.width,
        classes=tuple(document.classes),
        examples=document.examples.model_dump(),
        sha256=document.file.sha256 if document.file else "",
        scaling=None if document.scaling is None else Scaling(**document.scaling.model_dump()),
    )


def image_data_document(data: DataSet, slug: str, file: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the document of a data set; `file` None for the bundled digits."""
    channels, height, width = data.example_shape
    place: dict[str, Any] = {"bundled": "digits"} if file is None else {"file": dict(file), "reader": READER}
    return {
        "schema": IMAGE_DATA_SCHEMA,
        "slug": slug,
        "title": data.title,
        "summary": "",
        "source": data.source,
        **place,
        "channels": channels,
        "height": height,
        "width": width,
        "classes": list(data.classes),
        "examples": {name: len(split) for name, split in data.splits().items()},
        **({} if data.scaling is None else {"scaling": data.scaling.content}),
    }


def packed_image_data(data: DataSet, slug: str) -> tuple[dict[str, Any], bytes]:
    """Return the document of a data set that was brought along, and its file.

    Raises:
        ProblemError: the examples are not images.
    """
    import hashlib

    if len(data.example_shape) != 3:
        raise ProblemError("data", f"examples of shape {data.example_shape}", "images of channels x height x width")
    content = pack_data_set(data)
    file = {"sha256": hashlib.sha256(content).hexdigest(), "size_bytes": len(content)}
    return image_data_document(data, slug, file), content


def image_data_words(data: ImageData) -> str:
    """Return the data set in a few words, for lists."""
    count = sum(data.examples.values())
    if data.is_signals:
        return (
            f"{many(count, 'window')} of {data.channels} channels × {data.height} samples, {len(data.classes)} classes"
        )
    return f"{many(count, 'image')} of {data.channels} × {data.height} × {data.width}, {len(data.classes)} classes"


# Written down: reading the images costs half a second, which a list of documents must not. A test compares.
_DIGITS: Mapping[str, Any] = {
    "schema": IMAGE_DATA_SCHEMA,
    "slug": DEFAULT,
    "title": "Handwritten digits (8 x 8)",
    "summary": "",
    "source": "Alpaydin and Kaynak, Optical Recognition of Handwritten Digits, UCI (1998), from scikit-learn",
    "bundled": "digits",
    "channels": 1,
    "height": 8,
    "width": 8,
    "classes": [str(number) for number in range(10)],
    "examples": {"train": 1078, "validation": 360, "test": 359},
}


def builtin_data_sets() -> Mapping[str, Mapping[str, Any]]:
    """Return slug -> content of every image data set that ships with the product."""
    return {DEFAULT: _DIGITS}


IMAGE_DATA = DocumentFamily(
    "image-data", "data", "Image data", "Data sets", load_image_data, image_data_words, builtins=builtin_data_sets
)
