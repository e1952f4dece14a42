"""Bots at tables and the processes that think for them."""
