from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from engines.contract.designs import table_from_bytes, table_to_bytes
from engines.contract.encoding.result_json import equal, to_json
from engines.contract.errors import ProblemError
from engines.contract.results import Note
from engines.exchange.bundle_reader import read_bundle
from tests.support.bundles import ENGINES, Members, changed, members_of, zipped
from tests.support.stored_runs import People
from webapp.runs import service
from webapp.runs.bundles.bundle_export import write_bundle
from webapp.runs.bundles.bundle_import import import_bundle
from webapp.runs.bundles.import_mark import checked_words
from webapp.runs.models import DesignChunk, FileBlob, LogLine, Run, RunInput, StepRecord
from webapp.runs.results import readers
from webapp.runs.storage.files import list_files, read_content
from webapp.teams.visibility import personal_project

pytestmark = pytest.mark.django_db


def counts() -> list[int]:
    return [model.objects.count() for model in (Run, RunInput, DesignChunk, StepRecord, LogLine, FileBlob)]


def test_a_run_comes_back_equal_and_marked(people: People, run: Run, bundle: bytes) -> None:
    project = personal_project(people.stranger)
    copy = import_bundle(people.stranger, project, bundle)
    assert (copy.owner, copy.project) == (people.stranger, project) and copy.pk != run.pk
    assert (copy.status, copy.outcome, copy.problem_hash) == (run.status, run.outcome, run.problem_hash)
    before, after = readers.load_designs(run), readers.load_designs(copy)
    for name, values in before.columns.items():
        np.testing.assert_array_equal(values, after.columns[name])
    assert (before.origin, before.label) == (after.origin, after.label)
    assert readers.load_decisions(copy.pk) == readers.load_decisions(run.pk)
    ours, theirs = readers.results(run), readers.results(copy)
    assert ours.keys() == theirs.keys() and all(equal(ours[name], theirs[name]) for name in ours)
    assert [read_content(file.blob_id) for file in list_files(copy)] == [b"made for tests"]
    np.testing.assert_array_equal(readers.convergence(run).hypervolume, readers.convergence(copy).hypervolume)
    assert [line.text for line in readers.log_lines(copy)] == [line.text for line in readers.log_lines(run)]
    there = readers.provenance(copy)["imported"]
    assert (there["run"], there["owner"], there["project"]) == (run.pk, "ann", "lab")
    assert there["sha256"] == hashlib.sha256(bundle).hexdigest()
    assert readers.provenance(run)["imported"] is None
    checked = there["checked"]
    assert checked["designs"] == 20 and checked["front_checked"] == checked["front"] > 0 and not checked["reason"]
    assert checked["sample_checked"] == checked["sample"] == 20 - checked["front"]
    assert f"all {checked['front']} of its front" in checked_words(copy) and checked_words(run) == ""
    # An explanation needs the problem with its documents: it is the same one.
    assert equal(readers.explain_design(copy, 2), readers.explain_design(run, 2))
    again = write_bundle(copy)
    assert members_of(again.read()).keys() == members_of(bundle).keys()


def test_an_imported_run_does_not_go_on_without_its_checkpoint(people: People, run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(status="stopped")
    run.refresh_from_db()
    copy = import_bundle(people.owner, people.project, write_bundle(run).read())
    with pytest.raises(ProblemError, match="imported"):
        service.continue_run(people.owner, copy)


def _truncate(bundle: bytes) -> bytes:
    return bundle[: len(bundle) // 2]


def _other_content(bundle: bytes) -> bytes:
    def change(manifest: dict[str, Any], members: Members) -> None:
        members["steps.json"] = members["steps.json"].replace(b"0.", b"1.", 1)

    return changed(bundle, change, rehash=False)


def _other_seed(bundle: bytes) -> bytes:
    return changed(bundle, lambda manifest, _: manifest["problem"].update(seed=4))


def _other_version(bundle: bytes) -> bytes:
    return changed(bundle, lambda manifest, _: manifest.update(engine_version=99))


def _unknown_engine(bundle: bytes) -> bytes:
    return changed(bundle, lambda manifest, _: manifest.update(engine="nobody-knows"))


def _fewer_designs(bundle: bytes) -> bytes:
    return changed(bundle, lambda manifest, _: manifest["chunks"].pop())


def _hostile_arrow(bundle: bytes) -> bytes:
    return changed(bundle, lambda manifest, members: members.update({manifest["chunks"][0]["scalars"]: b"\xff" * 400}))


def _another_folder(bundle: bytes) -> bytes:
    return zipped({**members_of(bundle), "../outside.json": b"{}"})


def _unlisted(bundle: bytes) -> bytes:
    return zipped({**members_of(bundle), "extra.bin": b"x"})


def _lying_sizes(bundle: bytes) -> bytes:
    """A member that unpacks to far more than the manifest says."""

    def change(manifest: dict[str, Any], members: Members) -> None:
        members["files/0000.bin"] = b"\0" * 30_000_000

    return changed(bundle, change, rehash=False)


def _not_json(bundle: bytes) -> bytes:
    return zipped({**members_of(bundle), "bundle.json": b"[" * 100_000})


def _nan(bundle: bytes) -> bytes:
    members = members_of(bundle)
    manifest = members["bundle.json"].replace(b'"fraction":1.0', b'"fraction":NaN')
    return zipped({**members, "bundle.json": manifest})


def _long_log(bundle: bytes) -> bytes:
    def change(manifest: dict[str, Any], members: Members) -> None:
        rows = json.loads(members["log.json"])
        rows[0]["text"] = "x" * 5000
        members["log.json"] = json.dumps(rows).encode()

    return changed(bundle, change)


def _one_member_for_all(bundle: bytes) -> bytes:
    def change(manifest: dict[str, Any], members: Members) -> None:
        manifest["results"].append({**manifest["results"][0], "name": "again"})

    return changed(bundle, change)


def _one_name_for_all(bundle: bytes) -> bytes:
    def change(manifest: dict[str, Any], members: Members) -> None:
        members["results/9999.json"] = members[manifest["results"][0]["member"]]
        manifest["results"].append({**manifest["results"][0], "member": "results/9999.json"})

    return changed(bundle, change)


def _page_among_the_files(bundle: bytes) -> bytes:
    return changed(bundle, lambda manifest, _: manifest["files"][0].update(media_type="text/html"))


def _bounds(*bounds: Any) -> Callable[[bytes], bytes]:
    return lambda bundle: changed(bundle, lambda manifest, _: manifest["run"]["plan"].update(bounds=bounds))


def _result_of_no_role(bundle: bytes) -> bytes:
    def change(manifest: dict[str, Any], members: Members) -> None:
        member = manifest["results"][0]["member"]
        members[member] = json.dumps({**json.loads(members[member]), "role": ["progress"]}).encode()

    return changed(bundle, change)


def _row(**values: Any) -> Callable[[bytes], bytes]:
    """A first step with these values; they are written as they are."""

    def change(_: dict[str, Any], members: Members) -> None:
        rows = json.loads(members["steps.json"])
        rows[0] |= values
        members["steps.json"] = json.dumps(rows).replace('"1e999"', "1e999").encode()

    return lambda bundle: changed(bundle, change)


def _better_figures(bundle: bytes) -> bytes:
    """Figures that no engine computed, in a file that is whole."""

    def change(manifest: dict[str, Any], members: Members) -> None:
        member = manifest["chunks"][0]["scalars"]
        table = table_from_bytes(members[member])
        place = table.schema.get_field_index("latency_s")
        halved = pa.array(np.asarray(table["latency_s"]) / 2)
        members[member] = table_to_bytes(table.set_column(place, table.schema.field(place), halved))

    return changed(bundle, change)


def _one_impossible_design(bundle: bytes) -> bytes:
    """A single design that would be the whole front, in the middle of a chunk."""

    def change(manifest: dict[str, Any], members: Members) -> None:
        member = manifest["chunks"][-1]["scalars"]
        table = table_from_bytes(members[member])
        for name in ("latency_s", "energy_j"):
            values = np.asarray(table[name]).copy()
            values[len(values) // 2] = 1e-12
            table = table.set_column(table.schema.get_field_index(name), name, pa.array(values))
        members[member] = table_to_bytes(table)

    return changed(bundle, change)


def _better_metrics(bundle: bytes) -> bytes:
    return changed(bundle, lambda manifest, _: manifest["run"]["metrics"].update(latency_s=1e-12))


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (_one_impossible_design, "computes from the design's decision"),
        (_better_metrics, "bundle.run.metrics.latency_s"),
        (_row(metrics={"energy_j": 1e-12}), "steps.json.metrics.energy_j"),
        (_better_figures, "computes from the design's decision"),
        (_truncate, "must be a complete bundle"),
        (_other_content, "as the manifest says"),
        (_other_seed, "problem_hash"),
        (_other_version, "the version of toy that is installed here"),
        (_unknown_engine, "bundle.engine"),
        (_fewer_designs, "design_count"),
        (_hostile_arrow, "Arrow streams"),
        (_another_folder, "without paths to other folders"),
        (_unlisted, "exactly the members"),
        (_lying_sizes, "as the manifest says"),
        (_not_json, "JSON"),
        (_nan, "NaN"),
        (_long_log, "characters"),
        (_one_member_for_all, "bundle.members"),
        (_one_name_for_all, "bundle.results"),
        (_page_among_the_files, r"files\.0\.media_type: must be one of .*application/onnx.*Got .text/html"),
        (_bounds(5), "a list of bounds"),
        (_bounds({"column": ["energy_j"], "title": "Energy", "value": 1.0, "unit": "J"}), "a list of bounds"),
        (_result_of_no_role, "must be one of the roles"),
        (_row(hypervolume="1e999"), "1e999 is no number"),
        (_row(attempt=2**40), "numbers from 0"),
    ],
)
def test_what_does_not_agree_is_refused(bundle: bytes, damage: Callable[[bytes], bytes], said: str) -> None:
    assert read_bundle(bundle, "run.zip", ENGINES).report["designs"] == 20
    with pytest.raises(ProblemError, match=said):
        read_bundle(damage(bundle), "run.zip", ENGINES)


@pytest.mark.parametrize(
    ("damage", "said"), [(_truncate, "must be a complete bundle"), (_hostile_arrow, "Arrow streams")]
)
def test_nothing_is_stored_of_what_is_refused(
    people: People, bundle: bytes, damage: Callable[[bytes], bytes], said: str
) -> None:
    before = counts()
    with pytest.raises(ProblemError, match=said):
        import_bundle(people.owner, people.project, damage(bundle))
    assert counts() == before


def test_a_result_that_was_written_before_there_were_roles_gets_its_own(people: People, bundle: bytes) -> None:
    def change(manifest: dict[str, Any], members: Members) -> None:
        item = manifest["results"][0]
        item["name"] = "proof"
        members[item["member"]] = json.dumps(to_json(Note("proof", "Proof", "All is proven."))).encode()

    copy = import_bundle(people.owner, people.project, changed(bundle, change))
    assert copy.stored_results.get(name="proof").content["role"] == "proof"


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "2026-13-01", "soon"])
@pytest.mark.parametrize("member", ["steps.json", "log.json"])
def test_moments_that_no_database_stores_are_refused(people: People, bundle: bytes, member: str, moment: str) -> None:
    def change(manifest: dict[str, Any], members: Members) -> None:
        rows = json.loads(members[member])
        rows[-1]["time"] = moment
        members[member] = json.dumps(rows).encode()

    before = counts()
    with pytest.raises(ProblemError, match=r"bundle\.time"):
        import_bundle(people.owner, people.project, changed(bundle, change))
    assert counts() == before
