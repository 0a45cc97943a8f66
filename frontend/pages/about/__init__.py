"""The page about this installation: versions and plug-ins."""
