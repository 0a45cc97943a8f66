"""What a backup says about itself."""

import pytest

from tests.webapp.backups.archives_for_tests import manifest_of
from webapp.backups.errors import BackupError
from webapp.backups.manifest import read_manifest


@pytest.mark.parametrize(
    "change", [{"format": 2}, {"sha256": "x"}, {"size": -1}, {"database": "oracle"}, {"further": 1}]
)
def test_a_manifest_of_another_form_is_refused(change: dict[str, object]) -> None:
    import json

    content = {**json.loads(manifest_of().model_dump_json()), **change}
    with pytest.raises(BackupError, match=next(iter(change))):
        read_manifest(json.dumps(content).encode())
