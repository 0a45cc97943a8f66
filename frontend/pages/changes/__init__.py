"""The change log: who changed which item in the projects of a user."""
