"""The change log: who did what in one's projects."""
