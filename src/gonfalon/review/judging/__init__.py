"""The judgement of decisions: worlds, playouts, losses and their intervals."""
