"""What can be shown of one mapping."""
