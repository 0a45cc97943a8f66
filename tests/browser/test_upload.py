"""One's own network: a file is chosen, its open dimension given, its layers seen, and an exploration started with it."""

import re
from collections.abc import Callable
from pathlib import Path

import onnx
from playwright.sync_api import Page, expect

from tests.browser.conftest import RUN_MS, Watch
from tests.engines.workloads.importing.onnx.onnx_models import convolutional, weight
from tests.support.site import Site


def choose(page: Page, file: Path) -> None:
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a file").click()
    chooser.value.set_files(file)


def with_noise(network: bytes) -> bytes:
    """The network with an operator behind it that no cost model knows, and a product as large as the data makes it."""
    model, make = onnx.load_from_string(network), onnx.helper.make_node
    model.graph.node.append(make("Bernoulli", ["out"], ["noise"]))
    model.graph.node.append(make("Compress", ["out", "chosen"], ["kept"], axis=0))
    model.graph.node.append(make("MatMul", ["kept", "wide"], ["last"]))
    model.graph.input.append(onnx.helper.make_tensor_value_info("chosen", onnx.TensorProto.BOOL, [2]))
    model.graph.initializer.append(weight("wide", 10, 4))
    return bytes(model.SerializeToString())


def test_a_network_is_uploaded_and_explored(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None], watch: Watch, tmp_path: Path
) -> None:
    watch.expected.append("400")  # the browser tells of refusals on its console
    network, board = tmp_path / "detector.onnx", tmp_path / "board.yaml"
    network.write_bytes(with_noise(convolutional("batch")))
    board.write_text("schema: chiplet-package/1\nslug: my-board\nclock: 5\n")
    page = sign_in("ada")
    page.goto(f"{site.url}/catalogue")
    page.get_by_role("link", name="Add your own").click()
    expect(page.get_by_role("heading", name="Add your own network, hardware or recording")).to_be_visible()

    choose(page, board)
    refused = page.get_by_label("board.yaml is refused")
    expect(refused).to_contain_text("Nothing is stored")
    expect(refused).to_contain_text("clock")

    page.get_by_label("Title", exact=True).fill("My detector")
    choose(page, network)
    expect(page.get_by_label("detector.onnx has open dimensions")).to_be_visible()
    page.get_by_label("batch").fill("2")
    page.get_by_role("button", name="Read with these sizes").click()
    read = page.get_by_label("detector.onnx is read")
    expect(read).to_contain_text("Read with batch = 2")
    expect(read.locator(".kpi").first).to_have_text(re.compile(r"Layers\s*3"))
    shot(page, "5-upload-sizes")
    read.get_by_label("kept.0").fill("0")  # it depends on the data; the size that was given before still counts
    for name in ("Bernoulli × 1", "Compress × 1"):
        read.get_by_label(name).check()
    read.get_by_role("button", name="Read again with these sizes").click()
    expect(read.locator("tr", has_text="Bernoulli")).to_contain_text("left out")
    expect(read).to_contain_text("Read with kept.0 = 0, batch = 2")
    expect(read).to_contain_text("ada/my-detector@2")
    expect(read.locator(".kpi").first).to_have_text(re.compile(r"Layers\s*3"))
    expect(read.locator("tr", has_text="Conv")).to_contain_text("computed")
    shot(page, "5-upload")

    read.get_by_role("link", name="Start a run with it").click()
    expect(page).to_have_url(re.compile(r"/new\?.*workload=ada"))
    expect(page.locator("#new-summary")).to_contain_text("My detector")
    evaluations = page.get_by_label("Evaluations", exact=True)
    evaluations.fill("100")
    evaluations.press("Tab")
    page.locator("#new-start").click()
    expect(page).to_have_url(re.compile(r"/runs/\d+"))
    expect(page.locator("#run-header")).to_have_text("Done", timeout=RUN_MS)
    shot(page, "5-upload-run")
