"""The database, backups and exports."""
