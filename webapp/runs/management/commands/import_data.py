"""`manage.py import-data`: a data set in its publisher's files becomes a document of the catalogue, with its examples."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engines.contract.engine import MAX_FILE_BYTES
from engines.contract.errors import ProblemError
from engines.data.archive import read_archive
from engines.data.cifar import read_cifar
from engines.data.data_set import DataSet
from engines.data.documents import packed_image_data
from engines.data.image_folder import read_image_folder
from engines.data.pamap2 import read_pamap2
from engines.data.signals import read_signals
from engines.data.wfdb_files import read_wfdb
from hardware.slugs import slug_of
from webapp.runs.storage.document_files import explore_commands, reference_of, store_with_file
from webapp.teams.command_line import add_owner_arguments, command_project, command_user
from webapp.teams.visibility import NotAllowed, personal_project

FORMATS = ("cifar-10", "cifar-100", "folder", "npz", "signals", "pamap2", "wfdb")


class Command(BaseCommand):
    help = (
        "Store a data set: CIFAR-10 or CIFAR-100 (folder of the binary version). Or a folder with one "
        "folder of images per class. Other forms are train, validation and test folders of such folders, "
        "and an .npz file with features and labels. Signals come as a CSV file with labels, a folder of "
        "WFDB records, or the Protocol folder of PAMAP2. The command downloads nothing and reads no "
        "pickle. Exit status: 0 stored, 2 refused."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("format", choices=FORMATS)
        parser.add_argument("path", type=Path, help="folder or file")
        parser.add_argument("--name", default="", help="name in the catalogue: lower-case letters, digits, hyphens")
        parser.add_argument(
            "--size", type=int, default=32, help="side in pixels to which images of a folder are scaled (32)"
        )
        parser.add_argument(
            "--label",
            default="label",
            help="column of labels of signals, or comment of WFDB headers with the label (label)",
        )
        parser.add_argument(
            "--annotations",
            default="",
            help="file ending of WFDB annotations, such as atr: their beats are the labels (none)",
        )
        parser.add_argument(
            "--time", default="", help="column of seconds of signals: refuses gaps and other rates (none)"
        )
        parser.add_argument("--recording", default="", help="column of subjects or recordings of signals (none)")
        parser.add_argument("--window", type=int, default=100, help="samples in a window of signals (100)")
        parser.add_argument("--step", type=int, default=22, help="samples from one window to the next (22)")
        add_owner_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        user = command_user(options["user"])
        project = command_project(user, options["project"]) or personal_project(user)
        try:
            data = _read(options["format"], options["path"], options)
            content, file = packed_image_data(data, options["name"] or slug_of(data.name, "data"))
            if len(file) > MAX_FILE_BYTES:
                ways = ["Use smaller images."]
                accepted = f"at most {MAX_FILE_BYTES} bytes"
                raise ProblemError("file", f"{len(file)} bytes packed", accepted, remedies=ways)
            version = store_with_file(user, project, content, file)
        except (ProblemError, NotAllowed) as error:
            raise CommandError(str(error), returncode=2) from error
        self.stdout.write(f"{version.title}: {version.summary}. It is {reference_of(version)}.")
        for note in data.notes:
            self.stdout.write(note)
        for command in explore_commands("data", content, reference_of(version)):
            self.stdout.write(f"Train on it: paretoscope {command}")


def _read(form: str, path: Path, options: dict[str, Any]) -> DataSet:
    size_px, window, step = options["size"], options["window"], options["step"]
    if form in ("npz", "signals") and not path.is_file():
        raise ProblemError("path", str(path), "a file")
    if form == "npz":
        return read_archive(path)
    if form == "signals":
        return read_signals(
            path, label=options["label"], recording=options["recording"], window=window, step=step, time=options["time"]
        )
    if not path.is_dir():
        raise ProblemError("path", str(path), "a folder")
    if form == "wfdb":
        return read_wfdb(path, options["label"], window, step, annotations=options["annotations"].removeprefix("."))
    if form == "pamap2":
        return read_pamap2(path, window, step)
    if form == "folder":
        if not 4 <= size_px <= 512:
            raise ProblemError("size", size_px, "from 4 to 512 pixels")
        return read_image_folder(path, size_px)
    return read_cifar(path, "cifar-10" if form == "cifar-10" else "cifar-100")
