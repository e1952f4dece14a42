"""The rules of Faction Wars: state, steps, cards, actions, events, chance."""
