"""What a game is: state, steps, cards, options, and the protocols that games implement."""
