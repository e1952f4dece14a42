"""The application, its processes and its command."""
