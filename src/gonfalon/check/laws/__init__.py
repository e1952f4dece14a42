"""The laws of the conformance kit."""
