"""Import and export: tables, bundles, files of devices, schedules side by side."""
