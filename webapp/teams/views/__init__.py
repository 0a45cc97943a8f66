"""Pages of accounts and invitations, outside of the explorer."""
