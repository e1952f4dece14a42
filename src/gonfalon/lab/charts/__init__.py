"""Charts and the pages of reports."""
