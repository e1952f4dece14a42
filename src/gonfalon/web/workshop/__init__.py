"""The Workshop: studies in the browser."""
