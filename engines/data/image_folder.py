"""Image folders as data sets: a folder per class, or `train`, `validation` and `test` folders with a folder per class each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted, many
from engines.data.archive import MAX_UNPACKED_BYTES
from engines.data.data_set import DataSet, Split
from engines.data.image_reader import ImageReader, image_endings
from engines.data.names import first_names
from engines.data.splitting import SPLIT_SEED, complete_splits

MAX_IMAGES = 100_000
_SPLITS = {
    "train": "train", "training": "train", "val": "validation", "valid": "validation", "validation": "validation",
    "dev": "validation", "test": "test", "testing": "test",
}  # fmt: skip
_SPLIT_NAME = re.compile(rf"({'|'.join(_SPLITS)})[\W_]*(?:set|data|images|imgs|split)?[\W_\d]*")
_SYSTEM_NAMES = ("__macosx", "__pycache__", "thumbs.db", "desktop.ini", "$recycle.bin")
_HIDDEN = "hidden files and files of the operating system"
Found = dict[str, list[Path]]  # class -> images


def read_image_folder(folder: Path, size_px: int, name: str = "", seed: int = SPLIT_SEED) -> DataSet:
    """Read images as RGB, scaled to a square.

    Args:
        folder: holds a folder of images per class; or a folder `train` and perhaps `validation` (`val`, `valid`, `dev`) and `test`,
            in any letter case, each with a folder per class. Folders within a class belong to it.
        size_px: side of the square that every image is scaled to.
        name: name of the data set; the folder's by default.
        seed: seed of the splits that the folder does not have itself.

    Raises:
        ProblemError: names the image or folder that cannot be read; training lacks a class.
    """
    folder = folder.absolute()  # "." has no name
    search = _Search(folder)
    try:
        found = search.splits()
    except OSError as error:
        raise ProblemError("data.path", str(error.filename), "a folder that can be read") from error
    classes = _classes(folder, found, search.notes)
    _check_size(folder, found, size_px)
    reader = ImageReader(folder, size_px)
    given = {split: _split([each[label] for label in classes], reader) for split, each in found.items()}
    (train, validation, test), cut = complete_splits(given, seed)
    return DataSet(
        name=name or folder.name,
        title=f"Images of {folder.name}",
        train=train,
        validation=validation,
        test=test,
        classes=classes,
        source=f"image folder {folder.name}",
        feature_scale=1.0 / 255.0,
        notes=(*cut, *search.notes, *search.left_out_notes(), *reader.notes()),
    )


@dataclass
class _Search:
    """A search for the images of a folder, with what it leaves out."""

    root: Path
    notes: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    visited: set[Path] = field(default_factory=set)  # each folder is read once: links may lead in circles

    def splits(self) -> dict[str, Found]:
        """Split -> class -> images, in the order of their paths; a folder without splits is all `train`."""
        parts = self._split_folders() or {"train": self.root}
        self.visited.update(path.resolve() for path in (self.root, *parts.values()))
        # Folders of classes come first: links within one lead to another at times.
        folders = {split: self._new_folders(path) for split, path in parts.items()}
        found = {split: {path.name: sorted(self._images(path)) for path in paths} for split, paths in folders.items()}
        for path in {self.root, *parts.values()}:
            self._count_files(path)
        self._note_nested([path for each in folders.values() for path in each], found)
        if self.root not in parts.values():
            self._note_others(parts)
        return found

    def left_out_notes(self) -> list[str]:
        """Return the sentences that count the files that were left out."""
        if not self.left_out:
            return []
        return [
            f"Left out: {', '.join(f'{words} ({counted(count)})' for words, count in self.left_out.most_common())}."
        ]

    def _split_folders(self) -> dict[str, Path]:
        """Return the folders of splits; none where `train` is missing or is a class, without folders of its own."""
        parts: dict[str, list[Path]] = {}
        for path in self._entries(self.root):
            if (split := _split_name(path.name)) and path.is_dir():
                parts.setdefault(split, []).append(path)
        if not any(path.is_dir() for folder in parts.get("train", ()) for path in self._entries(folder)):
            return {}
        for split, paths in parts.items():
            if len(paths) > 1:
                raise ProblemError(
                    "data.path", first_names([path.name for path in paths]), f"one folder for the {split} split"
                )
        return {split: paths[0] for split, paths in parts.items()}

    def _note_others(self, parts: Mapping[str, Path]) -> None:
        """Note images in folders next to the splits; refuse them where there is `train` alone, which may be a class."""
        others = self._new_folders(self.root, parts.values())
        beside = {path.name: count for path in others if (count := len(list(self._images(path))))}
        if beside and len(parts) == 1:
            accepted = "a folder per class, or splits alone"
            raise ProblemError(
                "data.path",
                f"{parts['train'].name} next to {first_names(beside)}",
                accepted,
                remedies=["Move one of the folders."],
            )
        if beside:
            counts = ", ".join(f"{first_names([name])} ({many(count, 'image')})" for name, count in beside.items())
            self.notes.append(f"Folders next to the splits are left out: {counts}.")

    def _note_nested(self, folders: Sequence[Path], found: Mapping[str, Found]) -> None:
        """Note images that stand deeper than in the folder of their class."""
        images = [path for each in found.values() for paths in each.values() for path in paths]
        own = set(folders)
        nested = [path for path in images if path.parent not in own]
        if nested:
            example = first_names([str(nested[0].relative_to(self.root))])
            count = counted(len(nested))
            self.notes.append(f"Images in folders within a class, which belong to it: {count}, such as {example}.")

    def _new_folders(self, folder: Path, known: Collection[Path] = ()) -> list[Path]:
        """Return the folders within one, but for the known, that are new and count as read from now on.

        Links to others are counted.
        """
        found = []
        for path in self._entries(folder):
            if path in known:
                continue
            if path.is_dir() and path.resolve() not in self.visited:
                self.visited.add(path.resolve())
                found.append(path)
            elif path.is_dir() and path.is_symlink():
                self.left_out["links to folders that were read already"] += 1
        return found

    def _images(self, folder: Path) -> Iterator[Path]:
        """Yield the images of a folder and its folders; counts what else is there."""
        for path in self._entries(folder, counts=True):
            if _is_image(path):
                yield path
            elif not path.is_dir():
                self.left_out[_ending_words(path)] += 1
        for inner in self._new_folders(folder):
            yield from self._images(inner)

    def _entries(self, folder: Path, counts: bool = False) -> list[Path]:
        """Return the entries of a folder, in order, without hidden ones and those of the system."""
        entries = sorted(folder.iterdir())
        shown = [path for path in entries if path.name[0] != "." and path.name.lower() not in _SYSTEM_NAMES]
        if counts and len(shown) < len(entries):
            self.left_out[_HIDDEN] += len(entries) - len(shown)
        return shown

    def _count_files(self, folder: Path) -> None:
        """Count files that stand next to the folders of classes."""
        for path in self._entries(folder, counts=True):
            if not path.is_dir():
                self.left_out["images outside of a class" if _is_image(path) else _ending_words(path)] += 1


def _split(images: Sequence[Sequence[Path]], reader: ImageReader) -> Split:
    """Return the images of each class with their labels."""
    features = np.stack([reader.read(path) for paths in images for path in paths])
    return Split(features, np.repeat(np.arange(len(images), dtype=np.int64), [len(paths) for paths in images]))


def _classes(folder: Path, found: Mapping[str, Found], notes: list[str]) -> tuple[str, ...]:
    """Return the names of the classes, those of all splits together; notes what is no class, and what a split lacks."""
    names = {name for split in found.values() for name in split}
    classes = sorted(name for name in names if any(split.get(name) for split in found.values()))
    if len(classes) < 2 or all(map(_split_name, classes)):
        accepted = "a folder with at least two folders of images, one per class, or train, validation and test folders with these"
        raise ProblemError("data.path", f"{folder}: images in {first_names(classes) or 'no folder'}", accepted)
    if empty := sorted(names.difference(classes)):
        notes.append(f"Folders without an image are no classes: {first_names(empty)}.")
    for split, each in found.items():
        lacking = [name for name in classes if not each.setdefault(name, [])]
        if lacking and (split == "train" or len(lacking) == len(classes)):
            accepted = f"folders of images in {split}, of every class in train"
            ways = ["Add or move images.", f"Remove {split}."]
            raise ProblemError("data.path", f"no image of {first_names(lacking)} in {split}", accepted, remedies=ways)
        if lacking:
            notes.append(f"The {split} split has no image of {first_names(lacking)}.")
    return tuple(classes)


def _check_size(folder: Path, found: Mapping[str, Found], size_px: int) -> None:
    count = sum(len(paths) for split in found.values() for paths in split.values())
    most = min(MAX_IMAGES, MAX_UNPACKED_BYTES // (3 * size_px**2))
    if count > most:
        raise ProblemError(
            "data.path",
            f"{many(count, 'image')} in {folder.name}",
            f"at most {counted(most)} images of {size_px} pixels",
        )


def _split_name(folder: str) -> str:
    """Return the split that the name of a folder says, as "Val", "training_set" or "test2017" do; "" for none."""
    found = _SPLIT_NAME.fullmatch(folder.lower())
    return _SPLITS[found[1]] if found else ""


def _is_image(path: Path) -> bool:
    return path.suffix.lower() in image_endings() and path.is_file()


def _ending_words(path: Path) -> str:
    ending = first_names([path.suffix.lower()])
    return f"{ending} that are no files" if ending in image_endings() else ending or "no ending"
