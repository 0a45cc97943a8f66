"""Documents of hardware: schemas, loader and templates. Pure Python."""
