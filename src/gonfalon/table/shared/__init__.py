"""The shared core of a live table: its position, the way to change it, table time and timers."""
