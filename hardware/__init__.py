"""What designs run on: schemas, loader and templates. Pure Python."""
