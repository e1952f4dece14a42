"""What all parts of a live table share: its position and the way to change it, table time and timers."""
