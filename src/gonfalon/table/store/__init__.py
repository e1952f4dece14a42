"""The database, backups and archives."""
