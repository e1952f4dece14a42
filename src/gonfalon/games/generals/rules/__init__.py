"""The rules of Generals: state, steps, cards, actions, events, chance."""
