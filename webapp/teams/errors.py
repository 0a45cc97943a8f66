"""Errors of projects, members, invitations and links."""

from __future__ import annotations


class TeamError(Exception):
    """It was not done, and nothing was changed; the message says why, and what would help."""


class InvitationError(TeamError):
    """This invitation cannot be taken: it was never there, is over, was taken, or is for another person."""
