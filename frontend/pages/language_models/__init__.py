"""Language models: measured and predicted speeds on boards."""
