import pytest
from django.core.management import CommandError, call_command


@pytest.mark.parametrize("wrong", ["-1", "nan", "100001"])
def test_days_are_a_number_from_0_on(wrong: str) -> None:
    with pytest.raises(CommandError, match="a number of days from 0 on") as refused:
        call_command("purge", "--days", wrong)
    assert refused.value.returncode == 2
