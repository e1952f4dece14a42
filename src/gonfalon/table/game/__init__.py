"""The game of a table: position, time control, undo."""
