"""How decisions are judged: worlds, playouts, losses and their intervals."""
