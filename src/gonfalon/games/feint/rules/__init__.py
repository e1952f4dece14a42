"""The rules of Feint: state, steps, cards, actions, events, chance."""
