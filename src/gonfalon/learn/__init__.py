"""Training networks by playing against themselves (the extra `train`)."""
