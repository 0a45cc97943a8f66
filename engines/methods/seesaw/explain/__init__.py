"""What can be shown of one design."""
