"""Live tables: their timers, their views, their moves."""
