"""A device with an agent, in the project of the people of the pages' tests."""

from tests.webapp.measuring.conftest import agent, device

__all__ = ["agent", "device"]
