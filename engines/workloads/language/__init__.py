"""Language, vision-language, speech and action models: configuration, parameter counts, caches, and networks of their stages."""
