"""One Alembic revision for each schema version; the docstring of a `downgrade` says what is lost."""
