"""Data of one's own: from signals in a CSV file, CIFAR's files and folders of images to networks that learn them."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from PIL import Image

from tests.engines.data.test_signals import signals
from tests.engines.methods.myml.problems import SMALL as SMALL_PRUNING
from tests.engines.methods.sbrs.search.problems import LITTLE
from tests.engines.methods.split_computing.bottleneck.problems import SMALL as SMALL_BOTTLENECKS
from tests.support.databases import SQLITE
from tests.support.live import LiveSite
from webapp.catalogue.models import DocumentVersion
from webapp.runs.foreground import run_here


@pytest.mark.long
@SQLITE
def test_networks_learn_imported_signals(live_site: LiveSite, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    path, out = signals(tmp_path / "two-people.csv"), io.StringIO()
    call_command(
        "import_data",
        "signals",
        str(path),
        "--recording",
        "who",
        "--window",
        "20",
        "--step",
        "5",
        "--user",
        "ann",
        stdout=out,
    )
    assert "two-people" in out.getvalue()
    version = DocumentVersion.objects.get()
    assert (version.content["channels"], version.content["height"], version.content["width"]) == (2, 20, 1)
    inputs = {"hardware": "jetson-tx2", "data": "two-people"}
    run = run_here(live_site.ann, {"engine": "sbrs-search", "inputs": inputs, "params": LITTLE})
    assert run.status == "done", run.outcome_detail


@SQLITE
def test_a_mistake_is_told_with_line_and_column(live_site: LiveSite, tmp_path: Path) -> None:
    path = signals(tmp_path / "s.csv", line5="1,two,a,rest")
    with pytest.raises(CommandError, match=r"line 5, column 2 \(y\)"):
        call_command("import_data", "signals", str(path), "--recording", "who", "--user", "ann", stdout=io.StringIO())


@SQLITE
def test_what_was_left_out_and_cut_off_is_told(live_site: LiveSite, tmp_path: Path) -> None:
    for label in range(2):
        (tmp_path / "mine" / f"kind-{label}").mkdir(parents=True)
        for number in range(6):
            Image.new("L", (8, 8), 9 * number).save(tmp_path / "mine" / f"kind-{label}" / f"{number}.png")
    (tmp_path / "mine" / "kind-0" / "7.heic").write_bytes(b"x")
    out = io.StringIO()
    call_command("import_data", "folder", str(tmp_path / "mine"), "--user", "ann", stdout=out)
    said = out.getvalue().splitlines()
    assert "12 images of 3 × 32 × 32, 2 classes" in said[0]
    assert said[1].startswith("Split off from the training examples") and said[2] == "Left out: .heic (1)."


def image(random: np.random.Generator, label: int, side: int) -> np.ndarray:
    """Made up: noise whose brightness of red and green tells the class, shape `3 x side x side`."""
    brightness = np.array([20 * label, 200 - 20 * label, 0])[:, None, None]
    return (random.integers(0, 40, (3, side, side)) + brightness).astype(np.uint8)


def cifar_10(folder: Path) -> list[str]:
    """The six binary files, 300 images."""
    random = np.random.default_rng(0)
    for name in (*(f"data_batch_{number}.bin" for number in range(1, 6)), "test_batch.bin"):
        labels = np.repeat(np.arange(10), 5)
        records = [bytes([label]) + image(random, label, 32).tobytes() for label in labels.tolist()]
        (folder / name).write_bytes(b"".join(records))
    return ["cifar-10", str(folder)]


def folder_of_images(folder: Path) -> list[str]:
    """Five folders of PNG files of other sizes than the network takes."""
    random = np.random.default_rng(1)
    for label in range(5):
        (folder / f"kind-{label}").mkdir()
        for number in range(30):
            pixels = image(random, 2 * label, 20).transpose(1, 2, 0)
            Image.fromarray(pixels).save(folder / f"kind-{label}" / f"{number}.png")
    return ["folder", str(folder), "--size", "12"]


@pytest.mark.long
@SQLITE
@pytest.mark.parametrize(("made", "shape", "classes"), [(cifar_10, (3, 32), 10), (folder_of_images, (3, 12), 5)])
@pytest.mark.parametrize(
    ("engine", "device", "params"),
    [("myml", "snapdragon-855", SMALL_PRUNING), ("train-bottleneck", "jetson-tx2", SMALL_BOTTLENECKS)],
)
def test_networks_learn_imported_images(
    made: Callable[[Path], list[str]], shape: tuple[int, int], classes: int, engine: str, device: str, params: dict[str, Any],
    live_site: LiveSite, tmp_path: Path,
) -> None:  # fmt: skip
    pytest.importorskip("torch")
    out, folder = io.StringIO(), tmp_path / "images"  # beside those of the site
    folder.mkdir()
    call_command("import_data", *made(folder), "--name", "mine", "--user", "ann", stdout=out)
    assert f"paretoscope explore {engine}" in out.getvalue() and "data=ann/mine" in out.getvalue()
    content = DocumentVersion.objects.get().content
    assert (content["channels"], content["height"], content["width"], len(content["classes"])) == (
        *shape,
        shape[1],
        classes,
    )
    run = run_here(
        live_site.ann, {"engine": engine, "inputs": {"hardware": device, "data": "ann/mine"}, "params": params}
    )
    assert run.status == "done", run.outcome_detail
    assert run.design_count > 2
