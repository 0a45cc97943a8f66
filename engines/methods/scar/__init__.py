"""SCAR: multi-model schedules on chiplet packages (odema-2024, chapter 4)."""
