"""Pictures of every screen, taken of the real pages at fixed deals: `make screens` takes them anew."""
