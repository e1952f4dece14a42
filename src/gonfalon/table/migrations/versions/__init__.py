"""One Alembic revision for each schema version."""
