"""Laws of formats: copies, serialization, tensors, builds and pages."""
