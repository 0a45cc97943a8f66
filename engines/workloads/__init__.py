"""Networks and scenarios: what designs execute."""
