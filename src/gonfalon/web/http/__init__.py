"""Requests and responses: devices, rate limits, templates, logs, compression."""
