from datetime import UTC, datetime

from webapp.retention.models import LastRetention


def test_it_is_shown_by_its_minute() -> None:
    assert str(LastRetention(at=datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC))) == "2026-05-04 03:02"
