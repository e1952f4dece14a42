"""The parts of the store for reviews and studies that run in the background."""
