"""Everything that is stored or sent: records, card files, decks, serialization, proofs."""
