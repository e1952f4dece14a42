"""The rules of Jinkei: state, steps, cards, actions, events, chance."""
