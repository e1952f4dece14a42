"""The database, backups and exports."""

import gonfalon.table.store.store  # noqa: F401  (backups copy all tables of the schema)
