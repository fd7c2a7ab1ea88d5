"""Draw a scene in characters: cards, zones, seats and instruments."""
