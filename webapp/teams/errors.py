"""Errors of projects, members, invitations and links."""

from __future__ import annotations


class TeamError(Exception):
    """An error for a refused action that changed nothing; the message states reason and remedy."""


class InvitationError(TeamError):
    """An error for an invitation that does not exist, has expired, was accepted, or is for another user."""
