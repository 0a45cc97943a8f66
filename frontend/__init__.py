"""The explorer in the browser: a Dash application behind one Django view."""
