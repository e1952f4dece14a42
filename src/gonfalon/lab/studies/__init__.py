"""The studies of the lab."""
