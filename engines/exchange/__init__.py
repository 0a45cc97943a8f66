"""What goes out and comes in: tables, bundles, files of devices, schedules side by side."""
