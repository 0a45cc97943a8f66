"""A plug-in of Paretoscope: a family of accelerators, and an engine that uses them."""
