"""Pictures of every screen, taken of the real pages with fixed deals: `make screens` retakes them."""
